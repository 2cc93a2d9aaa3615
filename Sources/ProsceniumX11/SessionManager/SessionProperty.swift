import CSystem
import Glibc

/// A property of a session manager's client (X Session Management Protocol 1.0, section 11).
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

  /// The properties of a program; without a command line that can be sent it is not started again.
  static func all(
    command: SessionCommand, id: String, user: String, directory: String, processID: Int32
  ) -> [SessionProperty] {
    let canRestart = !command.isTooLong && !command.clone.isEmpty
    let style = Self("RestartStyleHint", "CARD8", [[UInt8(canRestart ? SmRestartIfRunning : SmRestartNever)]])
    let commands = [list("CloneCommand", command.clone), list("RestartCommand", command.restart(as: id))]
    return [
      text("Program", command.clone.first ?? ""), text("UserID", user), text("CurrentDirectory", directory),
      text("ProcessID", String(processID)), style,
    ] + (canRestart ? commands : [])
  }

  /// The name of the user that the process runs as, or the user's number where there is no name.
  ///
  /// The lookup may wait for a network service, so it does not run on the main thread.
  static func userName() -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    var entry = passwd()
    var result: UnsafeMutablePointer<passwd>?
    guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &result) == 0, result != nil, let name = entry.pw_name
    else { return String(getuid()) }
    return String(cString: name)
  }
}

extension [SessionProperty] {
  /// Calls a function with the properties as libSM takes them; they are valid during the call.
  func withRawProperties(_ body: (UnsafeMutablePointer<UnsafeMutablePointer<sm_property>?>?, Int32) -> Void) {
    let properties = map(RawProperty.init)
    var pointers = properties.map { Optional($0.pointer) }
    withExtendedLifetime(properties) { body(&pointers, Int32(clamping: properties.count)) }
  }
}

/// A property as libSM takes it, freed with the object.
private final class RawProperty {
  let pointer = UnsafeMutablePointer<sm_property>.allocate(capacity: 1)

  init(_ property: SessionProperty) {
    let values = UnsafeMutablePointer<sm_value>.allocate(capacity: max(1, property.values.count))
    for (index, bytes) in property.values.enumerated() {
      // One byte more, because libSM wants an address for empty values too.
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
      copy.copyBytes(from: bytes)
      (values + index).initialize(to: sm_value(length: Int32(clamping: bytes.count), bytes: copy.baseAddress))
    }
    pointer.initialize(
      to: sm_property(
        name: strdup(property.name), type: strdup(property.type), count: Int32(clamping: property.values.count),
        values: values))
  }

  deinit {
    for index in 0..<Int(pointer.pointee.count) { pointer.pointee.values[index].bytes.deallocate() }
    pointer.pointee.values.deallocate()
    free(pointer.pointee.name)
    free(pointer.pointee.type)
    pointer.deallocate()
  }
}
