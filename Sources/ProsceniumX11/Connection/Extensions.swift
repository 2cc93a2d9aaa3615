import CXCB
import Glibc
import ProsceniumPlatform

/// The requests of extensions that the platform sends, laid out here, so that only libxcb itself is linked.
///
/// One line of the table is one request: its minor opcode and what follows the 4-byte header, as 32-bit words.
/// Layouts: randrproto.txt section 7 and appendix A, fixesproto.txt section 12, "X Synchronization Extension
/// Protocol" section 4 (encoding), "MIT-SCREEN-SAVER" (saver.h, saverproto.h).
enum ExtensionRequest: Hashable {
  case randrQueryVersion(major: UInt32, minor: UInt32)
  case randrSelectInput(window: UInt32, mask: UInt16)
  case randrGetMonitors(window: UInt32, activeOnly: Bool)
  case randrGetScreenResources(window: UInt32)
  case randrGetCrtcInfo(UInt32, time: UInt32)
  case fixesQueryVersion(major: UInt32, minor: UInt32)
  case fixesSelectSelectionInput(window: UInt32, selection: UInt32, mask: UInt32)
  case screenSaverQueryInfo(window: UInt32)
  case screenSaverSelectInput(window: UInt32, mask: UInt32)
  case screenSaverSuspend(Bool)
  case syncInitialize(major: UInt8, minor: UInt8)
  case syncCreateCounter(UInt32, value: UInt64)
  case syncSetCounter(UInt32, value: UInt64)
  case syncDestroyCounter(UInt32)
  case fixesCreateRegion(UInt32, [Rect])
  case fixesDestroyRegion(UInt32)
  case fixesSetRegion(UInt32, [Rect])
  case shmQueryVersion
  case shmDetach(UInt32)
  /// Goes out with a file descriptor.
  case shmAttachFd(UInt32, isReadOnly: Bool)
  case shmCreatePixmap(UInt32, drawable: UInt32, Size, depth: UInt8, segment: UInt32, offset: UInt32)
  case shmPutImage(ShmImage)
  case presentQueryVersion(major: UInt32, minor: UInt32)
  case presentPixmap(PresentedPixmap)
  case presentNotifyMSC(window: UInt32, serial: UInt32, target: UInt64, divisor: UInt64)
  case presentSelectInput(UInt32, window: UInt32, mask: UInt32)
  case inputQueryVersion(major: UInt16, minor: UInt16)
  case inputSelectEvents(window: UInt32, device: UInt16, mask: UInt32)
  case inputQueryDevice(UInt16)

  /// What of a segment is copied to where.
  struct ShmImage: Hashable {
    var drawable: UInt32
    var context: UInt32
    var total: Size
    var part: Rect
    var depth: UInt8
    var segment: UInt32
    var wantsEvent: Bool
  }

  struct PresentedPixmap: Hashable {
    var window: UInt32
    var pixmap: UInt32
    var serial: UInt32
    /// 0 for all of it.
    var update: UInt32
    var isImmediate: Bool
  }

  typealias Layout = (extension: ExtensionName, opcode: UInt8, isVoid: Bool, name: StaticString, words: [UInt32])

  var layout: Layout {
    switch self {
    // RRQueryVersion: CARD32 major, CARD32 minor.
    case .randrQueryVersion(let major, let minor): (.randr, 0, false, "RRQueryVersion", [major, minor])
    // RRSelectInput: WINDOW, CARD16 mask, 2 unused.
    case .randrSelectInput(let window, let mask): (.randr, 4, true, "RRSelectInput", [window, UInt32(mask)])
    // RRGetMonitors (1.5): WINDOW, BOOL get_active, 3 unused.
    case .randrGetMonitors(let window, let active):
      (.randr, 42, false, "RRGetMonitors", [window, active ? 1 : 0])
    // RRGetScreenResourcesCurrent (1.3): WINDOW.
    case .randrGetScreenResources(let window): (.randr, 25, false, "RRGetScreenResourcesCurrent", [window])
    // RRGetCrtcInfo (1.2): CRTC, TIMESTAMP of the configuration.
    case .randrGetCrtcInfo(let crtc, let time): (.randr, 20, false, "RRGetCrtcInfo", [crtc, time])
    // XFixesQueryVersion: CARD32 major, CARD32 minor.
    case .fixesQueryVersion(let major, let minor): (.fixes, 0, false, "XFixesQueryVersion", [major, minor])
    // XFixesSelectSelectionInput: WINDOW, ATOM, CARD32 mask.
    case .fixesSelectSelectionInput(let window, let selection, let mask):
      (.fixes, 2, true, "XFixesSelectSelectionInput", [window, selection, mask])
    // ScreenSaverQueryInfo: DRAWABLE.
    case .screenSaverQueryInfo(let window): (.screenSaver, 1, false, "ScreenSaverQueryInfo", [window])
    // ScreenSaverSelectInput: DRAWABLE, CARD32 mask.
    case .screenSaverSelectInput(let window, let mask):
      (.screenSaver, 2, true, "ScreenSaverSelectInput", [window, mask])
    // ScreenSaverSuspend (1.1): BOOL, 3 unused.
    case .screenSaverSuspend(let isOn): (.screenSaver, 5, true, "ScreenSaverSuspend", [isOn ? 1 : 0])
    // SyncInitialize: CARD8 major, CARD8 minor, 2 unused.
    case .syncInitialize(let major, let minor):
      (.sync, 0, false, "SyncInitialize", [UInt32(major) | UInt32(minor) << 8])
    // SyncCreateCounter: COUNTER, INT64 (high word first).
    case .syncCreateCounter(let counter, let value):
      (.sync, 2, true, "SyncCreateCounter", [counter, UInt32(value >> 32), UInt32(truncatingIfNeeded: value)])
    // SyncSetCounter: COUNTER, INT64.
    case .syncSetCounter(let counter, let value):
      (.sync, 3, true, "SyncSetCounter", [counter, UInt32(value >> 32), UInt32(truncatingIfNeeded: value)])
    // SyncDestroyCounter: COUNTER.
    case .syncDestroyCounter(let counter): (.sync, 6, true, "SyncDestroyCounter", [counter])
    // XIQueryVersion: CARD16 major, CARD16 minor.
    case .inputQueryVersion(let major, let minor):
      (.input, 47, false, "XIQueryVersion", [UInt32(major) | UInt32(minor) << 16])
    // XISelectEvents: WINDOW, CARD16 number of masks, 2 unused; each: CARD16 device, CARD16 length, CARD32s.
    case .inputSelectEvents(let window, let device, let mask):
      (.input, 46, true, "XISelectEvents", [window, 1, UInt32(device) | 1 << 16, mask])
    // XIQueryDevice: CARD16 device, 2 unused.
    case .inputQueryDevice(let device): (.input, 48, false, "XIQueryDevice", [UInt32(device)])
    case _: surfaceLayout
    }
  }

  /// Layouts: fixesproto.txt section 11, "MIT-SHM" (shmproto.h), presentproto.txt section 7.
  private var surfaceLayout: Layout {
    switch self {
    // XFixesCreateRegion, XFixesSetRegion: REGION, LISTofRECTANGLE.
    case .fixesCreateRegion(let region, let rects):
      (.fixes, 5, true, "XFixesCreateRegion", [region] + Self.rectangles(rects))
    case .fixesDestroyRegion(let region): (.fixes, 10, true, "XFixesDestroyRegion", [region])
    case .fixesSetRegion(let region, let rects):
      (.fixes, 11, true, "XFixesSetRegion", [region] + Self.rectangles(rects))
    case .shmQueryVersion: (.shm, 0, false, "ShmQueryVersion", [])
    case .shmDetach(let segment): (.shm, 2, true, "ShmDetach", [segment])
    // ShmAttachFd (1.2): SHMSEG, BOOL read-only, 3 unused.
    case .shmAttachFd(let segment, let isReadOnly):
      (.shm, 6, true, "ShmAttachFd", [segment, isReadOnly ? 1 : 0])
    // ShmCreatePixmap: PIXMAP, DRAWABLE, CARD16 width, height, CARD8 depth, 3 unused, SHMSEG, CARD32 offset.
    case .shmCreatePixmap(let pixmap, let drawable, let size, let depth, let segment, let offset):
      (
        .shm, 5, true, "ShmCreatePixmap",
        [pixmap, drawable, Self.pair(size.width, size.height), UInt32(depth), segment, offset]
      )
    // ShmPutImage: DRAWABLE, GCONTEXT, CARD16 total width, height, source x, y, width, height, INT16 x, y,
    // CARD8 depth, format (ZPixmap 2), BOOL send-event, 1 unused, SHMSEG, CARD32 offset.
    case .shmPutImage(let image):
      (
        .shm, 3, true, "ShmPutImage",
        [
          image.drawable, image.context, Self.pair(image.total.width, image.total.height),
          Self.pair(image.part.origin.x, image.part.origin.y),
          Self.pair(image.part.size.width, image.part.size.height),
          Self.pair(image.part.origin.x, image.part.origin.y),
          UInt32(image.depth) | 2 << 8 | (image.wantsEvent ? 1 << 16 : 0), image.segment, 0,
        ]
      )
    case .presentQueryVersion(let major, let minor): (.present, 0, false, "PresentQueryVersion", [major, minor])
    // PresentPixmap: WINDOW, PIXMAP, CARD32 serial, REGION valid, update, INT16 x, y, CRTC, wait and idle FENCE,
    // CARD32 options (PresentOptionAsync 1), 4 unused, CARD64 target-msc, divisor, remainder.
    case .presentPixmap(let what):
      (
        .present, 1, true, "PresentPixmap",
        [
          what.window, what.pixmap, what.serial, 0, what.update, 0, 0, 0, 0, what.isImmediate ? 1 : 0, 0,
          0, 0, 0, 0, 0, 0,
        ]
      )
    // PresentNotifyMSC: WINDOW, CARD32 serial, 4 unused, CARD64 target-msc, divisor, remainder.
    case .presentNotifyMSC(let window, let serial, let target, let divisor):
      (
        .present, 2, true, "PresentNotifyMSC",
        [window, serial, 0] + Self.words(target) + Self.words(divisor) + [0, 0]
      )
    // PresentSelectInput: EVENTID, WINDOW, CARD32 mask.
    case .presentSelectInput(let event, let window, let mask):
      (.present, 3, true, "PresentSelectInput", [event, window, mask])
    case _: (.shm, 0, true, "", [])
    }
  }

  /// Two 16-bit values in the order of this machine's memory.
  private static func pair(_ first: Int, _ second: Int) -> UInt32 {
    let (first, second) = (UInt32(UInt16(truncatingIfNeeded: first)), UInt32(UInt16(truncatingIfNeeded: second)))
    return 1.littleEndian == 1 ? first | second << 16 : second | first << 16
  }

  private static func words(_ value: UInt64) -> [UInt32] {
    let (low, high) = (UInt32(truncatingIfNeeded: value), UInt32(value >> 32))
    return 1.littleEndian == 1 ? [low, high] : [high, low]
  }

  private static func rectangles(_ rects: [Rect]) -> [UInt32] {
    rects.flatMap { [pair($0.origin.x, $0.origin.y), pair($0.size.width, $0.size.height)] }
  }
}

/// The extensions that the platform knows, by their registered names.
enum ExtensionName: CaseIterable, Sendable {
  case randr, fixes, sync, screenSaver, input, shm, present

  var registered: String {
    switch self {
    case .randr: "RANDR"
    case .fixes: "XFIXES"
    case .sync: "SYNC"
    case .screenSaver: "MIT-SCREEN-SAVER"
    case .input: "XInputExtension"
    case .shm: "MIT-SHM"
    case .present: "Present"
    }
  }

  /// Those that only surfaces need, asked for with the first of them; and the others.
  static let forSurfaces: [ExtensionName] = [.shm, .present]
  static let atStart = allCases.filter { !forSurfaces.contains($0) }
}

/// Which extensions the server has, and how to send their requests.
@MainActor struct Extensions {
  /// libxcb keeps the address of an extension's record and writes an index into it: made once, never freed.
  private static let records: [ExtensionName: UnsafeMutablePointer<xcb_extension_t>] = {
    var records: [ExtensionName: UnsafeMutablePointer<xcb_extension_t>] = [:]
    for name in ExtensionName.allCases {
      let record = UnsafeMutablePointer<xcb_extension_t>.allocate(capacity: 1)
      record.initialize(to: xcb_extension_t(name: UnsafePointer(strdup(name.registered)), global_id: 0))
      records[name] = record
    }
    return records
  }()

  private let connection: Connection
  private var firstEvents: [ExtensionName: UInt8] = [:]
  private var majorOpcodes: [ExtensionName: UInt8] = [:]

  init(_ connection: Connection) { self.connection = connection }

  /// Asks for extensions; the answers come before that of any later request.
  func prefetch(_ names: [ExtensionName]) {
    for name in names { Self.records[name].map { xcb_prefetch_extension_data(connection.raw, $0) } }
  }

  /// Takes the answers.
  ///
  /// Called after a later request has been answered, so that nothing is waited for.
  mutating func load(_ names: [ExtensionName]) {
    for name in names {
      guard let record = Self.records[name], let data = xcb_get_extension_data(connection.raw, record),
        data.pointee.present != 0
      else { continue }
      firstEvents[name] = data.pointee.first_event
      majorOpcodes[name] = data.pointee.major_opcode
    }
  }

  func has(_ name: ExtensionName) -> Bool { firstEvents[name] != nil }

  /// The number that the extension's generic events carry (xgeproto).
  func majorOpcode(_ name: ExtensionName) -> UInt8? { majorOpcodes[name] }

  /// The number of the extension's first event.
  func firstEvent(_ name: ExtensionName) -> UInt8? { firstEvents[name] }

  /// Sends a request; does nothing where the server lacks the extension.
  ///
  /// Returns the sequence number, 0 if not sent.
  ///
  /// libxcb closes the connection for good when asked to send a request of an extension that is not there.
  ///
  /// The file descriptor, if there is one, goes with the request, and is libxcb's to close in any case.
  @discardableResult func send(
    _ request: ExtensionRequest, descriptor: Int32? = nil, onError: RequestNote.OnError = .report
  ) -> UInt32 {
    let layout = request.layout
    guard has(layout.extension), let record = Self.records[layout.extension], !connection.isLost else {
      descriptor.map { _ = close($0) }
      return 0
    }
    let form = xcb_protocol_request_t(count: 2, ext: record, opcode: layout.opcode, isvoid: layout.isVoid ? 1 : 0)
    let sequence = Self.send(layout.words, form, descriptor, on: connection.raw)
    if layout.isVoid {
      connection.sent(xcb_void_cookie_t(sequence: sequence), layout.name, layout.words.first ?? 0, onError)
    }
    return sequence
  }

  /// Sends the words after a header; isolated to nobody, so that no closure asks where it runs.
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
