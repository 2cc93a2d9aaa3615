import Glibc

/// One property that a session manager is told (X Session Management Protocol 1.0, section 11).
struct SessionProperty: Equatable, Sendable {
  var name: String
  var type: String
  var values: [[UInt8]]

  private init(_ name: String, _ type: String, _ values: [[UInt8]]) {
    self.name = name
    self.type = type
    self.values = values
  }

  private static func text(_ name: String, _ value: String) -> Self { Self(name, "ARRAY8", [Array(value.utf8)]) }
  private static func list(_ name: String, _ values: [String]) -> Self {
    Self(name, "LISTofARRAY8", values.map { Array($0.utf8) })
  }

  /// What a program says of itself, and how it is started again.
  ///
  /// Without a command line that can be sent it is not.
  static func all(
    command: SessionCommand, id: String, user: String, directory: String, processID: Int32
  ) -> [SessionProperty] {
    let canRestart = !command.isTooLong && !command.clone.isEmpty
    // SmRestartIfRunning 0, SmRestartNever 3.
    let style = Self("RestartStyleHint", "CARD8", [[canRestart ? 0 : 3]])
    let commands = [list("CloneCommand", command.clone), list("RestartCommand", command.restart(as: id))]
    return [
      text("Program", command.clone.first ?? ""), text("UserID", user), text("CurrentDirectory", directory),
      text("ProcessID", String(processID)), style,
    ] + (canRestart ? commands : [])
  }

  /// The name of whom the process runs as, or the number where there is none.
  ///
  /// May ask a network, so not on the main thread.
  static func userName() -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    var entry = passwd()
    var result: UnsafeMutablePointer<passwd>?
    guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &result) == 0, result != nil, let name = entry.pw_name
    else { return String(getuid()) }
    return String(cString: name)
  }
}

/// `SmPropValue`, laid out as in C.
private struct RawValue {
  var length: Int32
  var value: UnsafeMutablePointer<UInt8>?
}

/// `SmProp`, laid out as in C.
private struct RawProperty {
  var name: UnsafeMutablePointer<CChar>?
  var type: UnsafeMutablePointer<CChar>?
  var count: Int32
  var values: UnsafeMutablePointer<RawValue>?
}

extension [SessionProperty] {
  /// Hands out the properties as an array of pointers to `SmProp`, valid during the call.
  func withRawProperties(_ body: (UnsafeMutableRawPointer?, Int32) -> Void) {
    let properties = map { property in
      let values = UnsafeMutablePointer<RawValue>.allocate(capacity: Swift.max(1, property.values.count))
      for (index, bytes) in property.values.enumerated() {
        // One byte more: libSM wants an address also for what is empty.
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + 1)
        copy.initialize(repeating: 0, count: bytes.count + 1)
        for (offset, byte) in bytes.enumerated() { copy[offset] = byte }
        (values + index).initialize(to: RawValue(length: Int32(clamping: bytes.count), value: copy))
      }
      let raw = UnsafeMutablePointer<RawProperty>.allocate(capacity: 1)
      raw.initialize(
        to: RawProperty(
          name: strdup(property.name), type: strdup(property.type), count: Int32(clamping: property.values.count),
          values: values))
      return raw
    }
    defer {
      for property in properties {
        for index in 0..<Int(property.pointee.count) { property.pointee.values?[index].value?.deallocate() }
        property.pointee.values?.deallocate()
        free(property.pointee.name)
        free(property.pointee.type)
        property.deallocate()
      }
    }
    var pointers = properties.map { UnsafeMutableRawPointer($0) }
    let count = Int32(clamping: pointers.count)
    pointers.withUnsafeMutableBytes { body($0.baseAddress, count) }
  }
}
