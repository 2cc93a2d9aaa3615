import CXCB
import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// The extensions that the server has, and the sending of their requests.
struct Extensions {
  /// libxcb keeps the address of an extension's record and writes an index into it, under a lock of its own: made once,
  /// never freed.
  private nonisolated(unsafe) static let records = Dictionary(
    uniqueKeysWithValues: ExtensionName.allCases.map { name in
      let record = UnsafeMutablePointer<xcb_extension_t>.allocate(capacity: 1)
      record.initialize(to: xcb_extension_t(name: UnsafePointer(strdup(name.rawValue)), global_id: 0))
      return (name, record)
    })

  private let connection: Connection
  private var found: [ExtensionName: xcb_query_extension_reply_t] = [:]

  init(_ connection: Connection) { self.connection = connection }

  /// Asks for extensions; the answers come before that of any later request.
  func prefetch(_ names: [ExtensionName]) {
    for name in names { Self.records[name].map { xcb_prefetch_extension_data(connection.raw, $0) } }
  }

  /// Reads the answers.
  ///
  /// Called once a later request has been answered, so that nothing is waited for.
  mutating func load(_ names: [ExtensionName]) {
    for name in names {
      guard let record = Self.records[name], let data = xcb_get_extension_data(connection.raw, record),
        data.pointee.present != 0
      else { continue }
      found[name] = data.pointee
    }
  }

  func has(_ name: ExtensionName) -> Bool { found[name] != nil }

  /// The number that the extension's generic events carry (xgeproto).
  func majorOpcode(_ name: ExtensionName) -> UInt8? { found[name]?.major_opcode }

  /// The number of the extension's first event.
  func firstEvent(_ name: ExtensionName) -> UInt8? { found[name]?.first_event }

  /// Sends a request; does nothing where the server lacks the extension.
  ///
  /// libxcb closes the connection for good when asked to send a request of an extension that is not there.
  /// - Parameters:
  ///   - request: The request.
  ///   - file: A file whose descriptor is sent with the request; closed in any case.
  ///   - onError: The consequence of an error, for a request without a reply.
  /// - Returns: The sequence number; 0 where nothing was sent.
  @discardableResult func send(
    _ request: ExtensionRequest, file: consuming Descriptor? = nil, onError: SentRequest.OnError = .report
  ) -> UInt32 {
    guard has(request.extension), let record = Self.records[request.extension], !connection.isLost else { return 0 }
    let form = xcb_protocol_request_t(count: 2, ext: record, opcode: request.opcode, isvoid: request.isVoid ? 1 : 0)
    // libxcb closes it once it is sent (xcbext.h, xcb_send_request_with_fds).
    let descriptor: Int32? = if let file { file.release() } else { nil }
    let sequence = Self.send(request.words, form, descriptor, on: connection.raw)
    if request.isVoid {
      connection.sent(xcb_void_cookie_t(sequence: sequence), request.name, request.words.first ?? 0, onError)
    }
    return sequence
  }

  /// Sends the words after a header; not isolated, so that no closure checks where it runs.
  private nonisolated static func send(
    _ words: [UInt32], _ form: xcb_protocol_request_t, _ descriptor: Int32?, on connection: OpaquePointer
  ) -> UInt32 {
    var form = form
    // Filled in by libxcb: major opcode, minor opcode, length.
    var header: UInt32 = 0
    let flags = form.isvoid != 0 ? 0 : Int32(XCB_REQUEST_CHECKED.rawValue)
    return withUnsafeMutableBytes(of: &header) { header in
      words.withUnsafeBytes { words in
        // Two vectors before the first are libxcb's own (xcbext.h, xcb_send_request).
        withUnsafeTemporaryAllocation(of: iovec.self, capacity: 4) { vectors in
          vectors.initialize(repeating: iovec())
          vectors[2] = iovec(iov_base: header.baseAddress, iov_len: header.count)
          vectors[3] = iovec(iov_base: UnsafeMutableRawPointer(mutating: words.baseAddress), iov_len: words.count)
          guard let base = vectors.baseAddress else { return 0 }
          guard var descriptor else { return xcb_send_request(connection, flags, base + 2, &form) }
          return xcb_send_request_with_fds(connection, flags, base + 2, &form, 1, &descriptor)
        }
      }
    }
  }
}

/// The extensions that the platform uses, by the names that they are registered under.
enum ExtensionName: String, CaseIterable, Sendable {
  case randr = "RANDR"
  case fixes = "XFIXES"
  case sync = "SYNC"
  case screenSaver = "MIT-SCREEN-SAVER"
  case input = "XInputExtension"
  case shm = "MIT-SHM"
  case present = "Present"
  case shape = "SHAPE"
  case resource = "X-Resource"

  /// Those that only surfaces need, asked for with the first of them.
  static let forSurfaces: [ExtensionName] = [.shm, .present]
  /// Asked for after the launch.
  static let forLockers: [ExtensionName] = [.shape]
  /// Asked for with each window of another toolkit.
  static let forGuests: [ExtensionName] = [.resource]
  static let atStart = allCases.filter { !(forSurfaces + forLockers + forGuests).contains($0) }
}

/// A request of an extension, laid out here, so that only libxcb itself is linked.
///
/// Each static function is one request.
struct ExtensionRequest {
  let `extension`: ExtensionName
  /// The minor opcode.
  let opcode: UInt8
  /// Whether the request has no reply.
  let isVoid: Bool
  let name: StaticString
  /// The words after the 4-byte header.
  let words: [UInt32]

  init(_ extension: ExtensionName, _ opcode: UInt8, _ name: StaticString, isVoid: Bool = true, _ words: [UInt32]) {
    self.extension = `extension`
    self.opcode = opcode
    self.isVoid = isVoid
    self.name = name
    self.words = words
  }

  // MARK: RandR (randrproto.txt, section 7 and appendix A)

  /// Version 1.5: CARD32 major, CARD32 minor.
  static var randrQueryVersion: Self { Self(.randr, 0, "RRQueryVersion", isVoid: false, [1, 5]) }

  /// WINDOW, CARD16 mask, 2 unused.
  static func randrSelectInput(window: UInt32, _ events: randr_select...) -> Self {
    Self(.randr, 4, "RRSelectInput", [window, events.reduce(0) { $0 | $1.rawValue }])
  }

  /// Of RandR 1.5: WINDOW, BOOL get_active, 3 unused.
  static func randrGetMonitors(window: UInt32, activeOnly: Bool) -> Self {
    Self(.randr, 42, "RRGetMonitors", isVoid: false, [window, activeOnly ? 1 : 0])
  }

  /// Of RandR 1.3: WINDOW.
  static func randrGetScreenResources(window: UInt32) -> Self {
    Self(.randr, 25, "RRGetScreenResourcesCurrent", isVoid: false, [window])
  }

  /// Of RandR 1.2: CRTC, TIMESTAMP of the configuration.
  static func randrGetCrtcInfo(_ crtc: UInt32, time: UInt32) -> Self {
    Self(.randr, 20, "RRGetCrtcInfo", isVoid: false, [crtc, time])
  }

  /// Of RandR 1.2: OUTPUT, TIMESTAMP of the configuration.
  static func randrGetOutputInfo(_ output: UInt32, time: UInt32) -> Self {
    Self(.randr, 9, "RRGetOutputInfo", isVoid: false, [output, time])
  }

  /// Of RandR 1.2: WINDOW, CARD16 width, height, CARD32 width, height in millimetres.
  static func randrSetScreenSize(window: UInt32, _ size: Size, millimetres: Size) -> Self {
    let (width, height) = (UInt32(clamping: millimetres.width), UInt32(clamping: millimetres.height))
    return Self(.randr, 7, "RRSetScreenSize", [window, pair(size.width, size.height), width, height])
  }

  /// Of RandR 1.2: CRTC, TIMESTAMP now, TIMESTAMP of the configuration, INT16 x, y, MODE, CARD16 rotation, 2 unused,
  /// LISTofOUTPUT.
  static func randrSetCrtcConfig(
    _ crtc: UInt32, time: UInt32, origin: Point, mode: UInt32, rotation: UInt16, outputs: [UInt32]
  ) -> Self {
    let (place, turn) = (pair(origin.x, origin.y), pair(Int(rotation), 0))
    return Self(.randr, 21, "RRSetCrtcConfig", isVoid: false, [crtc, 0, time, place, mode, turn] + outputs)
  }

  // MARK: XFixes (fixesproto.txt, sections 11 and 12)

  /// Version 5.0: CARD32 major, CARD32 minor.
  static var fixesQueryVersion: Self { Self(.fixes, 0, "XFixesQueryVersion", isVoid: false, [5, 0]) }

  /// Every change of a selection's owner: WINDOW, ATOM, CARD32 mask.
  static func fixesSelectSelectionInput(window: UInt32, selection: UInt32) -> Self {
    let events = [FIXES_SET_SELECTION_OWNER, FIXES_SELECTION_WINDOW_DESTROY, FIXES_SELECTION_CLIENT_CLOSE]
    return Self(.fixes, 2, "XFixesSelectSelectionInput", [window, selection, events.reduce(0) { $0 | $1.rawValue }])
  }

  /// REGION, LISTofRECTANGLE.
  static func fixesCreateRegion(_ region: UInt32, _ rects: [Rect]) -> Self {
    Self(.fixes, 5, "XFixesCreateRegion", [region] + rectangles(rects))
  }

  /// Of SHAPE (shapeproto, "ShapeQueryExtents"): WINDOW.
  static func shapeQueryExtents(window: UInt32) -> Self {
    Self(.shape, 5, "ShapeQueryExtents", isVoid: false, [window])
  }

  /// REGION.
  static func fixesDestroyRegion(_ region: UInt32) -> Self { Self(.fixes, 10, "XFixesDestroyRegion", [region]) }

  /// REGION, LISTofRECTANGLE.
  static func fixesSetRegion(_ region: UInt32, _ rects: [Rect]) -> Self {
    Self(.fixes, 11, "XFixesSetRegion", [region] + rectangles(rects))
  }

  // MARK: MIT-SCREEN-SAVER (saver.h, saverproto.h)

  /// DRAWABLE.
  static func screenSaverQueryInfo(window: UInt32) -> Self {
    Self(.screenSaver, 1, "ScreenSaverQueryInfo", isVoid: false, [window])
  }

  /// Whether the saver is on: DRAWABLE, CARD32 mask.
  static func screenSaverSelectInput(window: UInt32) -> Self {
    Self(.screenSaver, 2, "ScreenSaverSelectInput", [window, SCREEN_SAVER_NOTIFY.rawValue])
  }

  /// Of version 1.1: BOOL, 3 unused.
  static func screenSaverSuspend(_ isOn: Bool) -> Self { Self(.screenSaver, 5, "ScreenSaverSuspend", [isOn ? 1 : 0]) }

  // MARK: SYNC ("X Synchronization Extension Protocol", section 4 "Encoding"); an INT64 has its high word first

  /// Version 3.0: CARD8 major, CARD8 minor, 2 unused.
  static var syncInitialize: Self { Self(.sync, 0, "SyncInitialize", isVoid: false, [3]) }

  /// COUNTER, INT64.
  static func syncCreateCounter(_ counter: UInt32, value: UInt64) -> Self {
    Self(.sync, 2, "SyncCreateCounter", [counter, UInt32(value >> 32), UInt32(truncatingIfNeeded: value)])
  }

  /// COUNTER, INT64.
  static func syncSetCounter(_ counter: UInt32, value: UInt64) -> Self {
    Self(.sync, 3, "SyncSetCounter", [counter, UInt32(value >> 32), UInt32(truncatingIfNeeded: value)])
  }

  /// COUNTER.
  static func syncDestroyCounter(_ counter: UInt32) -> Self { Self(.sync, 6, "SyncDestroyCounter", [counter]) }

  // MARK: XInput 2 (XI2proto.txt)

  /// Version 2.2, with which touches came: CARD16 major, CARD16 minor.
  static var inputQueryVersion: Self { Self(.input, 47, "XIQueryVersion", isVoid: false, [2 | 2 << 16]) }

  /// WINDOW, CARD16 number of masks, 2 unused; for each: CARD16 device, CARD16 length, CARD32s.
  static func inputSelectEvents(window: UInt32, device: xinput_device, _ events: [xinput_event]) -> Self {
    let mask: UInt32 = events.reduce(0) { $0 | 1 << $1.rawValue }
    return Self(.input, 46, "XISelectEvents", [window, 1, device.rawValue | 1 << 16, mask])
  }

  /// CARD16 device, 2 unused.
  static func inputQueryDevice(_ device: xinput_device) -> Self {
    Self(.input, 48, "XIQueryDevice", isVoid: false, [device.rawValue])
  }

  // MARK: MIT-SHM (shmproto.h)

  static var shmQueryVersion: Self { Self(.shm, 0, "ShmQueryVersion", isVoid: false, []) }

  /// SHMSEG.
  static func shmDetach(_ segment: UInt32) -> Self { Self(.shm, 2, "ShmDetach", [segment]) }

  /// Of version 1.2, sent with a file descriptor: SHMSEG, BOOL read-only, 3 unused.
  static func shmAttachFd(_ segment: UInt32, isReadOnly: Bool) -> Self {
    Self(.shm, 6, "ShmAttachFd", [segment, isReadOnly ? 1 : 0])
  }

  /// The whole of a segment: PIXMAP, DRAWABLE, CARD16 width, height, CARD8 depth, 3 unused, SHMSEG, CARD32 offset.
  static func shmCreatePixmap(_ pixmap: UInt32, drawable: UInt32, _ size: Size, depth: UInt8, segment: UInt32) -> Self {
    Self(.shm, 5, "ShmCreatePixmap", [pixmap, drawable, pair(size.width, size.height), UInt32(depth), segment, 0])
  }

  /// DRAWABLE, GCONTEXT, CARD16 total width, height, source x, y, width, height, INT16 x, y, CARD8 depth, CARD8 format,
  /// BOOL send-event, 1 unused, SHMSEG, CARD32 offset.
  static func shmPutImage(
    _ part: Rect, of segment: UInt32, _ total: Size, to drawable: UInt32, _ context: UInt32, depth: UInt8,
    wantsEvent: Bool
  ) -> Self {
    let (origin, size) = (pair(part.origin.x, part.origin.y), pair(part.size.width, part.size.height))
    let form = UInt32(depth) | XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue << 8 | (wantsEvent ? 1 << 16 : 0)
    return Self(
      .shm, 3, "ShmPutImage",
      [drawable, context, pair(total.width, total.height), origin, size, origin, form, segment, 0])
  }

  // MARK: Present (presentproto.txt, section 7)

  /// Version 1.0: CARD32 major, CARD32 minor.
  static var presentQueryVersion: Self { Self(.present, 0, "PresentQueryVersion", isVoid: false, [1, 0]) }

  /// WINDOW, PIXMAP, CARD32 serial, REGION valid, update, INT16 x, y, CRTC, wait and idle FENCE, CARD32 options, 4
  /// unused, CARD64 target-msc, divisor, remainder.
  /// - Parameters:
  ///   - pixmap: The pixmap.
  ///   - window: The window that shows it.
  ///   - serial: The number that its event carries.
  ///   - update: The region that is shown; 0 for all of it.
  ///   - isImmediate: Whether it does not wait for the screen.
  /// - Returns: The request.
  static func presentPixmap(
    _ pixmap: UInt32, on window: UInt32, serial: UInt32, update: UInt32, isImmediate: Bool
  ) -> Self {
    let options = isImmediate ? PRESENT_OPTION_ASYNC.rawValue : 0
    return Self(
      .present, 1, "PresentPixmap", [window, pixmap, serial, 0, update, 0, 0, 0, 0, options, 0, 0, 0, 0, 0, 0, 0])
  }

  /// Requests the moment of the next frame: WINDOW, CARD32 serial, 4 unused, CARD64 target-msc 0, divisor 1, remainder
  /// 0.
  static func presentNotifyMSC(window: UInt32, serial: UInt32) -> Self {
    // A 64-bit 1 in the order of this machine's memory.
    let divisor: [UInt32] = 1.littleEndian == 1 ? [1, 0] : [0, 1]
    return Self(.present, 2, "PresentNotifyMSC", [window, serial, 0, 0, 0] + divisor + [0, 0])
  }

  /// EVENTID, WINDOW, CARD32 mask.
  static func presentSelectInput(_ event: UInt32, window: UInt32, _ events: present_select...) -> Self {
    Self(.present, 3, "PresentSelectInput", [event, window, events.reduce(0) { $0 | $1.rawValue }])
  }

  // MARK: X-Resource (resproto, "XResQueryClientIds")

  /// Of version 1.2: CARD32 number of clients; for each: XID of the client's, CARD32 mask.
  static func resourceQueryProcesses(of clients: [UInt32]) -> Self {
    let specifications = clients.flatMap { [$0, RESOURCE_LOCAL_CLIENT_PROCESS.rawValue] }
    return Self(.resource, 4, "XResQueryClientIds", isVoid: false, [UInt32(clients.count)] + specifications)
  }

  // MARK: Parts

  /// Two 16-bit values in the order of this machine's memory.
  private static func pair(_ first: Int, _ second: Int) -> UInt32 {
    let (first, second) = (UInt32(UInt16(truncatingIfNeeded: first)), UInt32(UInt16(truncatingIfNeeded: second)))
    return 1.littleEndian == 1 ? first | second << 16 : second | first << 16
  }

  private static func rectangles(_ rects: [Rect]) -> [UInt32] {
    rects.flatMap { [pair($0.origin.x, $0.origin.y), pair($0.size.width, $0.size.height)] }
  }
}
