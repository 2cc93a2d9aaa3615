import CXCB
import Glibc
import Synchronization

/// Another client of the X server, which sends requests and waits for replies: the oracle, and the user's input.
///
/// It shares no code with the platform under test. It uses libxcb's core requests alone; requests of extensions
/// are encoded here.
package final class XClient: Sendable {
  /// libxcb locks it around each call, so any thread may use it.
  nonisolated(unsafe) package let connection: OpaquePointer
  package let root: UInt32
  package let width: UInt16
  package let height: UInt16
  private let atoms = Mutex<[String: UInt32]>([:])

  package init(display: String) throws {
    guard let connection = xcb_connect(display, nil) else { throw DeskFailure("xcb_connect \(display)") }
    guard xcb_connection_has_error(connection) == 0,
      let screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data
    else {
      xcb_disconnect(connection)
      throw DeskFailure("cannot connect to \(display)")
    }
    self.connection = connection
    root = screen.pointee.root
    width = screen.pointee.width_in_pixels
    height = screen.pointee.height_in_pixels
  }

  deinit { xcb_disconnect(connection) }

  package var isAlive: Bool { xcb_connection_has_error(connection) == 0 }

  /// Waits until the server has performed all requests, and discards its events and errors.
  package func sync() {
    free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
    while let event = xcb_poll_for_event(connection) { free(event) }
  }

  /// Takes a value out of a reply, and frees the reply; nil after an error of the server.
  package func read<Reply, Value>(
    _ reply: UnsafeMutablePointer<Reply>?, _ body: (UnsafeMutablePointer<Reply>) -> Value?
  ) -> Value? {
    guard let reply else { return nil }
    defer { free(reply) }
    return body(reply)
  }

  package func atom(_ name: String) -> UInt32 {
    if let known = atoms.withLock({ $0[name] }) { return known }
    let cookie = xcb_intern_atom(connection, 0, UInt16(name.utf8.count), name)
    guard let atom = read(xcb_intern_atom_reply(connection, cookie, nil), { $0.pointee.atom }) else { return 0 }
    atoms.withLock { $0[name] = atom }
    return atom
  }

  package func name(ofAtom atom: UInt32) -> String {
    let reply = xcb_get_atom_name_reply(connection, xcb_get_atom_name(connection, atom), nil)
    let name = read(reply) {
      let bytes = UnsafeRawBufferPointer(
        start: xcb_get_atom_name_name($0), count: Int(xcb_get_atom_name_name_length($0)))
      return String(decoding: bytes, as: UTF8.self)
    }
    return name ?? "\(atom)"
  }

  /// The bytes of a property of this type and format; nil where there is none.
  private func property<Value>(
    _ window: UInt32, _ property: String, _ type: String, _ format: UInt8, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value? {
    let cookie = xcb_get_property(connection, 0, window, atom(property), atom(type), 0, 20_000)
    return read(xcb_get_property_reply(connection, cookie, nil)) { reply in
      guard reply.pointee.type == atom(type), reply.pointee.format == format, let start = xcb_get_property_value(reply)
      else { return nil }
      return body(UnsafeRawBufferPointer(start: start, count: Int(xcb_get_property_value_length(reply))))
    }
  }

  /// The 32-bit values of a property, or nil where there is none of this type.
  package func longs(_ window: UInt32, _ property: String, type: String) -> [UInt32]? {
    self.property(window, property, type, 32) { Array($0.bindMemory(to: UInt32.self)) }
  }

  /// The text of a property of this type, or nil where there is none.
  package func text(_ window: UInt32, _ property: String, type: String = "STRING") -> String? {
    self.property(window, property, type, 8) { String(decoding: $0, as: UTF8.self) }
  }

  /// Replaces a property, with any type, format and length.
  package func setProperty(_ window: UInt32, _ property: String, type: String, format: UInt8, bytes: [UInt8]) {
    let count = UInt32(bytes.count / Int(format / 8))
    xcb_change_property(
      connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, atom(property), atom(type), format, count, bytes)
    sync()
  }

  /// Replaces a property by 32-bit values.
  package func setProperty(_ window: UInt32, _ property: String, type: String, longs: [UInt32]) {
    setProperty(window, property, type: type, format: 32, bytes: longs.flatMap { bytes(of: $0) })
  }

  /// Sends a 32-byte event as it is.
  package func send(_ event: [UInt8], to destination: UInt32, mask: UInt32) {
    precondition(event.count == 32)
    event.withUnsafeBytes { raw in
      _ = xcb_send_event(connection, 0, destination, mask, raw.bindMemory(to: CChar.self).baseAddress)
    }
    sync()
  }

  /// Sends a ClientMessage of format 32 to the root, as pagers do (EWMH, "Root Window Properties").
  package func ask(_ window: UInt32, _ type: String, _ values: [UInt32]) {
    // SubstructureNotify | SubstructureRedirect
    send(clientMessage(window, type: atom(type), values), to: root, mask: 0x180000)
  }

  /// Sends a ClientMessage of format 32 to a window itself.
  package func sendMessage(_ window: UInt32, _ type: String, _ values: [UInt32]) {
    send(clientMessage(window, type: atom(type), values), to: window, mask: 0)
  }

  package func clientMessage(_ window: UInt32, type: UInt32, _ values: [UInt32]) -> [UInt8] {
    let padded = values + Array(repeating: 0, count: 5 - values.count)
    return [33, 32, 0, 0] + bytes(of: window) + bytes(of: type) + padded.flatMap { bytes(of: $0) }
  }

  /// Creates and maps a plain window of our own.
  package func makeWindow(
    x: Int16 = 10, y: Int16 = 10, width: UInt16 = 200, height: UInt16 = 150, overrideRedirect: Bool = false,
    prepare: (UInt32) -> Void = { _ in }
  ) -> UInt32 {
    let window = xcb_generate_id(connection)
    let mask = XCB_CW_BACK_PIXEL.rawValue | XCB_CW_OVERRIDE_REDIRECT.rawValue
    xcb_create_window(
      connection, 0, window, root, x, y, width, height, 0, UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), 0, mask,
      [UInt32(0x808080), overrideRedirect ? 1 : 0])
    setProperty(window, "WM_CLASS", type: "STRING", format: 8, bytes: Array("other\u{0}Other\u{0}".utf8))
    prepare(window)
    xcb_map_window(connection, window)
    sync()
    return window
  }

  /// Maps a window, as its program does to show it, also an icon (ICCCM 4.1.4).
  package func map(_ window: UInt32) {
    xcb_map_window(connection, window)
    sync()
  }

  /// Where a window is on the root, without frame and border.
  package func place(of window: UInt32) -> Place? {
    let cookie = xcb_translate_coordinates(connection, window, root, 0, 0)
    let size = xcb_get_geometry_reply(connection, xcb_get_geometry(connection, window), nil)
    let origin = read(xcb_translate_coordinates_reply(connection, cookie, nil)) { ($0.pointee.dst_x, $0.pointee.dst_y) }
    return read(size) { size in
      origin.map { Place(Int($0.0), Int($0.1), Int(size.pointee.width), Int(size.pointee.height)) }
    }
  }

  /// Moves and resizes a window as another program may (ICCCM 4.1.5, a redirected ConfigureWindow).
  package func move(_ window: UInt32, to place: Place) {
    let mask = [XCB_CONFIG_WINDOW_X, XCB_CONFIG_WINDOW_Y, XCB_CONFIG_WINDOW_WIDTH, XCB_CONFIG_WINDOW_HEIGHT]
      .reduce(0) { $0 | UInt16($1.rawValue) }
    let values = [place.x, place.y, place.width, place.height].map { UInt32(truncatingIfNeeded: $0) }
    xcb_configure_window(connection, window, mask, values)
    sync()
  }

  /// The pixels of a part of a window, row by row, without the bits that are not colours; nil after an error of the
  /// server.
  package func pixels(of window: UInt32, x: Int, y: Int, width: Int, height: Int) -> [UInt32]? {
    let cookie = xcb_get_image(
      connection, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), window, Int16(x), Int16(y), UInt16(width), UInt16(height),
      .max)
    return read(xcb_get_image_reply(connection, cookie, nil)) { reply in
      guard xcb_get_image_data_length(reply) == width * height * 4, let data = xcb_get_image_data(reply) else {
        return nil
      }
      let mask: UInt32 = reply.pointee.depth == 32 ? 0xFFFF_FFFF : 0xFF_FFFF
      // Without a closure for each pixel, which a debug build calls.
      return [UInt32](unsafeUninitializedCapacity: width * height) { pixels, count in
        let from = UnsafeRawPointer(data)
        while count < pixels.count {
          pixels[count] = from.loadUnaligned(fromByteOffset: count &* 4, as: UInt32.self) & mask
          count &+= 1
        }
      }
    }
  }

  /// Cuts the connection of the client that has a window, as xkill does.
  package func killClient(of window: UInt32) {
    xcb_kill_client(connection, window)
    sync()
  }

  package func destroy(_ window: UInt32) {
    xcb_destroy_window(connection, window)
    sync()
  }
}

/// The bytes of a number as this machine has them: the X connection is set up with the machine's own byte order.
package func bytes<Number: FixedWidthInteger>(of number: Number) -> [UInt8] {
  withUnsafeBytes(of: number) { Array($0) }
}
