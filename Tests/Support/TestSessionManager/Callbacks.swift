import Glibc

private typealias Pointer = ManagerLibrary.Pointer

private let register: @convention(c) (OpaquePointer?, Pointer?, UnsafeMutablePointer<CChar>?) -> Int32 = {
  client, _, previous in
  let earlier = previous.map { String(cString: $0) }
  free(previous)
  TestSessionManager.say("registering \(earlier ?? "-")")
  if TestSessionManager.isSilent { return 1 }
  if earlier != nil, TestSessionManager.forgets { return 0 }
  let made = earlier == nil ? TestSessionManager.library?.makeID(client) : nil
  let id = earlier ?? made.map { String(cString: $0) } ?? "none"
  if let client { TestSessionManager.clients.append(client) }
  _ = TestSessionManager.library?.replyToRegistration(client, id)
  TestSessionManager.say("registered \(id)")
  return 1
}

private let interactRequest: @convention(c) (OpaquePointer?, Pointer?, Int32) -> Void = { _, _, dialog in
  TestSessionManager.say("interact-request \(dialog)")
}

private let interactDone: @convention(c) (OpaquePointer?, Pointer?, Int32) -> Void = { _, _, cancels in
  TestSessionManager.say("interact-done \(cancels)")
}

private let saveRequest: @convention(c) (OpaquePointer?, Pointer?, Int32, Int32, Int32, Int32, Int32) -> Void = {
  _, _, _, _, _, _, _ in TestSessionManager.say("save-request")
}

private let phase2Request: @convention(c) (OpaquePointer?, Pointer?) -> Void = { _, _ in
  TestSessionManager.say("phase2-request")
}

private let saveDone: @convention(c) (OpaquePointer?, Pointer?, Int32) -> Void = { _, _, success in
  TestSessionManager.say("save-done \(success)")
}

private let closeConnection: @convention(c) (OpaquePointer?, Pointer?, Int32, Pointer?) -> Void = { client, _, _, _ in
  TestSessionManager.clients.removeAll { $0 == client }
  TestSessionManager.say("closed")
}

/// `SmProp`: name, type, count, values; `SmPropValue`: length, value.
private let setProperties:
  @convention(c) (OpaquePointer?, Pointer?, Int32, UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Void = {
    _, _, count, properties in
    for index in 0..<Int(count) {
      guard let property = properties?[index] else { continue }
      let name = property.load(as: UnsafeMutablePointer<CChar>.self)
      let type = property.load(fromByteOffset: 8, as: UnsafeMutablePointer<CChar>.self)
      let number = Int(property.load(fromByteOffset: 16, as: Int32.self))
      let values = property.load(fromByteOffset: 24, as: UnsafeMutableRawPointer?.self)
      let texts = (0..<number).map { value in
        let length = Int(values?.load(fromByteOffset: value * 16, as: Int32.self) ?? 0)
        let start = values?.load(fromByteOffset: value * 16 + 8, as: UnsafeRawPointer?.self)
        let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : length)
        // A number is shown as one.
        return String(cString: type) == "CARD8" ? "\(bytes.first ?? 255)" : String(decoding: bytes, as: UTF8.self)
      }
      TestSessionManager.say("property \(String(cString: name)) \(texts.joined(separator: "|"))")
    }
    TestSessionManager.say("properties")
  }

private let deleteProperties: @convention(c) (OpaquePointer?, Pointer?, Int32, Pointer?) -> Void = { _, _, _, _ in }
private let getProperties: @convention(c) (OpaquePointer?, Pointer?) -> Void = { _, _ in }

/// Fills `SmsCallbacks`: ten functions, each followed by its data.
let admit: ManagerLibrary.NewClient = { _, _, mask, callbacks, _ in
  mask?.pointee = 0x3FF
  let functions: [UnsafeMutableRawPointer?] = [
    unsafeBitCast(register, to: UnsafeMutableRawPointer?.self),
    unsafeBitCast(interactRequest, to: UnsafeMutableRawPointer?.self),
    unsafeBitCast(interactDone, to: UnsafeMutableRawPointer?.self),
    unsafeBitCast(saveRequest, to: UnsafeMutableRawPointer?.self),
    unsafeBitCast(phase2Request, to: UnsafeMutableRawPointer?.self),
    unsafeBitCast(saveDone, to: UnsafeMutableRawPointer?.self),
    unsafeBitCast(closeConnection, to: UnsafeMutableRawPointer?.self),
    unsafeBitCast(setProperties, to: UnsafeMutableRawPointer?.self),
    unsafeBitCast(deleteProperties, to: UnsafeMutableRawPointer?.self),
    unsafeBitCast(getProperties, to: UnsafeMutableRawPointer?.self),
  ]
  for (index, function) in functions.enumerated() {
    callbacks?[index * 2] = function
    callbacks?[index * 2 + 1] = nil
  }
  return 1
}
