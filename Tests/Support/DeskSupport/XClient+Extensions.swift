import CXCB
import Glibc
import ProsceniumDesk

/// Requests of extensions, laid out by hand with the major opcode that QueryExtension gives.
extension XClient {
  package func has(extension name: String) -> Bool { majorOpcode(name) != nil }

  /// Grabs the keyboard for the connection of another client, if no other client holds it.
  package static func grabKeyboard(_ connection: OpaquePointer, _ window: UInt32) -> Bool {
    let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
    let cookie = xcb_grab_keyboard(connection, 0, window, 0, mode, mode)
    guard let reply = xcb_grab_keyboard_reply(connection, cookie, nil) else { return false }
    defer { free(reply) }
    return reply.pointee.status == XCB_GRAB_STATUS_SUCCESS.rawValue
  }

  /// X-Resource QueryClientResources (resource protocol, request 2): how many resources of each type the client
  /// that owns `resource` has on the server.
  package func resources(ofClientWith resource: UInt32) throws -> [String: Int] {
    guard let major = majorOpcode("X-Resource") else { throw DeskFailure("the server has no X-Resource") }
    let sequence = request([major, 2] + bytes(of: UInt16(2)) + bytes(of: resource), isVoid: false)
    guard let reply = xcb_wait_for_reply(connection, sequence, nil) else {
      throw DeskFailure("no client owns 0x\(String(resource, radix: 16))")
    }
    defer { free(reply) }
    let count = Int(reply.load(fromByteOffset: 8, as: UInt32.self))
    var result: [String: Int] = [:]
    for index in 0..<count {
      let type = reply.load(fromByteOffset: 32 + 8 * index, as: UInt32.self)
      result[name(ofAtom: type)] = Int(reply.load(fromByteOffset: 36 + 8 * index, as: UInt32.self))
    }
    return result
  }

  /// X-Resource QueryClientPixmapBytes (resource protocol, request 3): how many bytes the pixmaps of the client that
  /// owns `resource` take on the server.
  package func pixmapBytes(ofClientWith resource: UInt32) throws -> Int {
    guard let major = majorOpcode("X-Resource") else { throw DeskFailure("the server has no X-Resource") }
    let sequence = request([major, 3] + bytes(of: UInt16(2)) + bytes(of: resource), isVoid: false)
    guard let reply = xcb_wait_for_reply(connection, sequence, nil) else {
      throw DeskFailure("no client owns 0x\(String(resource, radix: 16))")
    }
    defer { free(reply) }
    let low = reply.load(fromByteOffset: 8, as: UInt32.self)
    return Int(reply.load(fromByteOffset: 12, as: UInt32.self)) << 32 | Int(low)
  }

  /// SYNC QueryCounter (X Synchronization Extension Protocol, request 5): a counter's value.
  package func counter(_ counter: UInt32) -> UInt64? {
    guard let major = majorOpcode("SYNC") else { return nil }
    let sequence = request([major, 5] + bytes(of: UInt16(2)) + bytes(of: counter), isVoid: false)
    guard let reply = xcb_wait_for_reply(connection, sequence, nil) else { return nil }
    defer { free(reply) }
    let high = reply.load(fromByteOffset: 8, as: UInt32.self)
    return UInt64(high) << 32 | UInt64(reply.load(fromByteOffset: 12, as: UInt32.self))
  }
}

extension XClient {
  /// SECURITY GenerateAuthorization (Security Extension Specification, request 1): a cookie whose clients are
  /// untrusted, for as long as the server runs.
  package func makeUntrustedCookie() throws -> [UInt8] {
    guard let major = majorOpcode("SECURITY") else { throw DeskFailure("the server has no SECURITY") }
    let name = Array("MIT-MAGIC-COOKIE-1".utf8)
    // The timeout (bit 0) is none, the trust level (bit 1) untrusted.
    let head = [major, 1] + [UInt16(0), UInt16(name.count), 0].flatMap { bytes(of: $0) } + bytes(of: UInt32(3))
    let body = name + [UInt8](repeating: 0, count: -name.count & 3) + bytes(of: UInt32(0)) + bytes(of: UInt32(1))
    guard let reply = xcb_wait_for_reply(connection, request(head + body, isVoid: false), nil) else {
      throw DeskFailure("the server makes no cookie")
    }
    defer { free(reply) }
    let count = Int(reply.load(fromByteOffset: 12, as: UInt16.self))
    return Array(UnsafeRawBufferPointer(start: reply + 32, count: count))
  }

  /// Has the screen saver come after so many seconds without input.
  package func setScreenSaver(seconds: Int16) {
    xcb_set_screen_saver(connection, seconds, 0, 0, 0)
    sync()
  }
}

extension XClient {
  /// Sends a window its place, as window managers do (ICCCM 4.1.5, a synthetic ConfigureNotify).
  package func sendPlace(_ window: UInt32, _ place: Place) {
    var event: [UInt8] = [22, 0, 0, 0] + bytes(of: window) + bytes(of: window) + bytes(of: UInt32(0))
    for number in [place.x, place.y, place.width, place.height, 0] { event += bytes(of: Int16(number)) }
    event += [0, 0, 0, 0, 0, 0]
    // StructureNotify
    send(event, to: window, mask: 0x20000)
  }

  /// Lets the screen saver come at once, or go (X protocol, ForceScreenSaver), as `xset s activate` and `xset s
  /// reset` do.
  package func forceScreenSaver(isOn: Bool) {
    xcb_force_screen_saver(connection, isOn ? 1 : 0)
    sync()
  }

  /// Hands settings to all programs, as an XSETTINGS manager does: takes the selection, with a window of its own.
  /// - Returns: The window; destroyed, the manager is gone.
  package func manageSettings(_ bytes: [UInt8]) -> UInt32 {
    let window = xcb_generate_id(connection)
    xcb_create_window(
      connection, 0, window, root, -1, -1, 1, 1, 0, UInt16(XCB_WINDOW_CLASS_INPUT_ONLY.rawValue), 0, 0, nil)
    changeSettings(window, bytes)
    xcb_set_selection_owner(connection, window, atom("_XSETTINGS_S0"), 0)
    sync()
    return window
  }

  /// Writes the settings anew.
  package func changeSettings(_ window: UInt32, _ bytes: [UInt8]) {
    setProperty(window, "_XSETTINGS_SETTINGS", type: "_XSETTINGS_SETTINGS", format: 8, bytes: bytes)
  }
}

/// Settings as an XSETTINGS manager writes them, in either byte order.
package struct SettingsBytes {
  private let isBigEndian: Bool
  private var count: UInt32 = 0
  private var settings: [UInt8] = []

  package init(isBigEndian: Bool = false) { self.isBigEndian = isBigEndian }

  package mutating func add(_ name: String, _ number: Int32) {
    settings += head(0, name) + number32(UInt32(bitPattern: number))
  }

  package mutating func add(_ name: String, _ text: String) {
    settings += head(1, name) + number32(UInt32(text.utf8.count)) + padded(text)
  }

  package mutating func addColor(_ name: String) {
    settings += head(2, name) + [1, 2, 3, 4, 5, 6, 7, 8]
  }

  /// All of it, saying that there are so many settings.
  package func bytes(count: UInt32? = nil) -> [UInt8] {
    [isBigEndian ? 1 : 0, 0, 0, 0] + number32(1) + number32(count ?? self.count) + settings
  }

  private mutating func head(_ type: UInt8, _ name: String) -> [UInt8] {
    count += 1
    return [type, 0] + number32(UInt32(name.utf8.count)).lowerHalf(isBigEndian) + padded(name) + number32(7)
  }

  private func number32(_ number: UInt32) -> [UInt8] {
    ProsceniumDesk.bytes(of: isBigEndian ? number.bigEndian : number.littleEndian)
  }

  private func padded(_ text: String) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0, count: -text.utf8.count & 3)
  }
}

extension [UInt8] {
  /// The lower half of a 32-bit number.
  fileprivate func lowerHalf(_ isBigEndian: Bool) -> [UInt8] { Array(isBigEndian ? suffix(2) : prefix(2)) }
}
