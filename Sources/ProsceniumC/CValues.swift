import CProscenium
import FoundationEssentials
import Glibc
import ProsceniumJSON
import ProsceniumPlatform

// What comes from C, and goes there.

/// Copies a struct that begins with its size.
/// - Parameters:
///   - pointer: The caller's struct.
///   - name: Its name, for the error.
/// - Returns: The copy.
/// - Throws: An error where the struct is NULL, its size that of no version, or a field of a later version is set.
func copy<Value>(_ pointer: UnsafePointer<Value>?, _ name: String) throws(Failure) -> Value {
  guard let pointer else { throw Failure(PSC_ERROR_ARGUMENT, "The \(name) is NULL.") }
  let size = UnsafeRawPointer(pointer).loadUnaligned(as: Int.self)
  // The first version has all that there is now, and no later one is that much larger.
  guard MemoryLayout<Value>.size...16 * MemoryLayout<Value>.size ~= size else {
    throw Failure(PSC_ERROR_ARGUMENT, "The size of the \(name) is \(size): set it to sizeof (\(name)).")
  }
  let later = UnsafeRawBufferPointer(start: pointer, count: size).dropFirst(MemoryLayout<Value>.size)
  guard later.allSatisfy({ $0 == 0 }) else {
    throw Failure(
      PSC_ERROR_ARGUMENT,
      "The \(name) has fields that this version of the library does not know: install the one that the program was "
        + "compiled with, or leave them zero.")
  }
  return UnsafeRawPointer(pointer).loadUnaligned(as: Value.self)
}

/// Reads a text that may be NULL.
func text(_ pointer: UnsafePointer<CChar>?, _ name: String) throws(Failure) -> String? {
  guard let pointer else { return nil }
  guard let text = String(validatingCString: pointer) else {
    throw Failure(PSC_ERROR_ARGUMENT, "The \(name) is not UTF-8.")
  }
  return text
}

/// Reads the text of a JSON object that may be NULL, as the values of a `userInfo`.
func values(_ pointer: UnsafePointer<CChar>?, _ name: String) throws(Failure) -> [String: any Sendable]? {
  guard let text = try text(pointer, name) else { return nil }
  guard text.utf8.count <= Int(PSC_MOST_JSON) else {
    throw Failure(PSC_ERROR_ARGUMENT, "The \(name) has \(text.utf8.count) bytes, and \(PSC_MOST_JSON) are allowed.")
  }
  guard let members = try? JSONValue.object(in: text.utf8) else {
    throw Failure(PSC_ERROR_ARGUMENT, "The \(name) is not the text of a JSON object.")
  }
  var values: [String: any Sendable] = [:]
  for (key, member) in members {
    guard let value = member.plain else {
      throw Failure(PSC_ERROR_ARGUMENT, "The \(name) has a null, or a whole number above 2^63 - 1, at \"\(key)\".")
    }
    guard (try? JSONValue(value, key: key)) != nil else {
      throw Failure(PSC_ERROR_ARGUMENT, "The \(name) has a value that is nested too deeply at \"\(key)\".")
    }
    values[key] = value
  }
  return values
}

/// Writes the values of a `userInfo` as the text of a JSON object.
func json(_ values: [String: any Sendable]) -> [UInt8] {
  (try? JSONValue.bytes(of: values.mapValues { JSONValue(plain: $0) })) ?? Array("{}".utf8)
}

/// Checks a buffer of the caller's, whose capacity is 0 where it is NULL.
func check(_ buffer: UnsafeRawPointer?, _ capacity: Int, _ name: String) throws(Failure) {
  guard capacity >= 0 else {
    throw Failure(
      PSC_ERROR_ARGUMENT, "The capacity for the \(name) is \(UInt(bitPattern: capacity)), and no memory is that large.")
  }
  guard buffer != nil || capacity == 0 else {
    throw Failure(PSC_ERROR_ARGUMENT, "The buffer for the \(name) is NULL, and its capacity \(capacity): pass 0.")
  }
}

/// Copies bytes into a buffer of the caller's, as many as fit.
/// - Returns: The number of the bytes.
func write(
  _ bytes: some Collection<UInt8>, _ buffer: UnsafeMutableRawPointer?, _ capacity: Int, isText: Bool
) -> Int64 {
  if let buffer, capacity > 0 {
    let count = min(bytes.count, isText ? capacity - 1 : capacity)
    UnsafeMutableRawBufferPointer(start: buffer, count: count).copyBytes(from: bytes.prefix(count))
    if isText { buffer.storeBytes(of: 0, toByteOffset: count, as: UInt8.self) }
  }
  return Int64(bytes.count)
}

/// Calls a function with C texts, which are freed when it returns.
func withTexts<Result>(
  _ texts: [String], _ body: (Int, UnsafePointer<UnsafePointer<CChar>?>?) throws -> Result
) rethrows -> Result {
  let copies = texts.map { strdup($0) }
  defer { copies.forEach { free($0) } }
  // Behind the last one a NULL, as `argv` has it.
  return try (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer {
    try body(texts.count, $0.baseAddress)
  }
}

extension JSONValue {
  /// The value as a `userInfo` has it; nil for null and for whole numbers above 2^63 - 1 that are no `Double`, also
  /// within arrays and objects.
  fileprivate var plain: (any Sendable)? {
    switch self {
    case .null: return nil
    case .unsigned(let value): return Double(exactly: value)
    case .bool(let value): return value
    case .int(let value): return value
    case .double(let value): return value
    case .string(let value): return value
    case .array(let elements):
      let values = elements.compactMap(\.plain)
      return values.count == elements.count ? values : nil
    case .object(let members):
      let values = members.compactMapValues(\.plain)
      return values.count == members.count ? values : nil
    }
  }

  /// A value of a `userInfo`: bytes in base 64, and what JSON has no form of as text.
  fileprivate init(plain value: any Sendable) {
    switch value {
    case let value as Bool: self = .bool(value)
    case let value as Int: self = .int(value)
    case let value as UInt64: self = .unsigned(value)
    case let value as Double where value.isFinite: self = .double(value)
    case let value as String: self = .string(value)
    case let value as Data: self = .string(value.base64EncodedString())
    case let values as [any Sendable]: self = .array(values.map { JSONValue(plain: $0) })
    case let values as [String: any Sendable]: self = .object(values.mapValues { JSONValue(plain: $0) })
    default: self = .string("\(value)")
    }
  }
}
