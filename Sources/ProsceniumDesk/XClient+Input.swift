import CXCB
import Glibc

/// Requests of extensions, encoded with the major opcode that QueryExtension returns, and typed text.
extension XClient {
  package func majorOpcode(_ name: String) -> UInt8? {
    let cookie = xcb_query_extension(connection, UInt16(name.utf8.count), name)
    return read(xcb_query_extension_reply(connection, cookie, nil)) {
      $0.pointee.present == 0 ? nil : $0.pointee.major_opcode
    }
  }

  /// Sends one request whose first byte is the major opcode; xcb fills in that byte and the length (xcbext.h).
  package func request(_ body: [UInt8], isVoid: Bool) -> UInt32 {
    var body = body
    var description = xcb_protocol_request_t(count: 1, ext: nil, opcode: body[0], isvoid: isVoid ? 1 : 0)
    return body.withUnsafeMutableBytes { raw in
      // xcb uses the two entries before the ones that it is given.
      var vectors = [iovec(), iovec(), iovec(iov_base: raw.baseAddress, iov_len: raw.count), iovec()]
      return vectors.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return 0 }
        return xcb_send_request(connection, 0, base + 2, &description)
      }
    }
  }

  /// XTEST FakeInput (xtest protocol, section 3): a key, a button or a motion as from a device.
  func fakeInput(type: UInt8, detail: UInt8, x: Int16 = 0, y: Int16 = 0) throws {
    guard let major = majorOpcode("XTEST") else { throw DeskFailure("the server has no XTEST") }
    let body: [UInt8] =
      [major, 2] + bytes(of: UInt16(9)) + [type, detail, 0, 0] + bytes(of: UInt32(0)) + bytes(of: root)
      + Array(repeating: 0, count: 8) + bytes(of: x) + bytes(of: y) + Array(repeating: 0, count: 8)
    _ = request(body, isVoid: true)
  }

  /// The keycode that gives a keysym, and whether Shift has to be held for it (core keyboard mapping).
  func keycode(_ keysym: UInt32) -> (code: UInt8, needsShift: Bool)? {
    // NoSymbol, of which every keyboard has many.
    guard keysym != 0 else { return nil }
    let setup = xcb_get_setup(connection)
    guard let first = setup?.pointee.min_keycode, let last = setup?.pointee.max_keycode else { return nil }
    let cookie = xcb_get_keyboard_mapping(connection, first, last - first + 1)
    return read(xcb_get_keyboard_mapping_reply(connection, cookie, nil)) { reply in
      let each = Int(reply.pointee.keysyms_per_keycode)
      guard each > 0, let symbols = xcb_get_keyboard_mapping_keysyms(reply) else { return nil }
      let codes = Int(xcb_get_keyboard_mapping_keysyms_length(reply)) / each
      for column in 0..<min(each, 2) {
        if let index = (0..<codes).first(where: { symbols[$0 * each + column] == keysym }) {
          return (first + UInt8(index), column == 1)
        }
      }
      return nil
    }
  }

  /// Grabs the keyboard, if no other client holds it.
  /// - Parameter forAnInstant: Whether it is given back in the same message to the server.
  /// - Returns: Whether it was grabbed.
  package func grabKeyboard(forAnInstant: Bool = false) -> Bool {
    let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
    let cookie = xcb_grab_keyboard(connection, 0, root, 0, mode, mode)
    if forAnInstant { xcb_ungrab_keyboard(connection, 0) }
    let status = read(xcb_grab_keyboard_reply(connection, cookie, nil)) { UInt32($0.pointee.status) }
    return status == XCB_GRAB_STATUS_SUCCESS.rawValue
  }
}
