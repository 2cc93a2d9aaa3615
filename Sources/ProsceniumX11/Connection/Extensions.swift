import CXCB
import Glibc

/// The requests of extensions that the platform sends, laid out here, so that only libxcb itself is linked.
///
/// One line of the table is one request: its minor opcode and what follows the 4-byte header, as 32-bit words.
/// Layouts: randrproto.txt section 7 and appendix A, fixesproto.txt section 12, "X Synchronization Extension
/// Protocol" section 4 (encoding), "MIT-SCREEN-SAVER" (saver.h, saverproto.h).
enum ExtensionRequest: Hashable {
  case randrQueryVersion(major: UInt32, minor: UInt32)
  case randrSelectInput(window: UInt32, mask: UInt16)
  case randrGetMonitors(window: UInt32, activeOnly: Bool)
  case fixesQueryVersion(major: UInt32, minor: UInt32)
  case fixesSelectSelectionInput(window: UInt32, selection: UInt32, mask: UInt32)
  case screenSaverQueryVersion(major: UInt8, minor: UInt8)
  case screenSaverSelectInput(window: UInt32, mask: UInt32)
  case syncInitialize(major: UInt8, minor: UInt8)
  case syncCreateCounter(UInt32, value: UInt64)
  case syncSetCounter(UInt32, value: UInt64)
  case syncDestroyCounter(UInt32)

  var layout: (extension: ExtensionName, opcode: UInt8, isVoid: Bool, name: StaticString, words: [UInt32]) {
    switch self {
    // RRQueryVersion: CARD32 major, CARD32 minor.
    case .randrQueryVersion(let major, let minor): (.randr, 0, false, "RRQueryVersion", [major, minor])
    // RRSelectInput: WINDOW, CARD16 mask, 2 unused.
    case .randrSelectInput(let window, let mask): (.randr, 4, true, "RRSelectInput", [window, UInt32(mask)])
    // RRGetMonitors (1.5): WINDOW, BOOL get_active, 3 unused.
    case .randrGetMonitors(let window, let active):
      (.randr, 42, false, "RRGetMonitors", [window, active ? 1 : 0])
    // XFixesQueryVersion: CARD32 major, CARD32 minor.
    case .fixesQueryVersion(let major, let minor): (.fixes, 0, false, "XFixesQueryVersion", [major, minor])
    // XFixesSelectSelectionInput: WINDOW, ATOM, CARD32 mask.
    case .fixesSelectSelectionInput(let window, let selection, let mask):
      (.fixes, 2, true, "XFixesSelectSelectionInput", [window, selection, mask])
    // ScreenSaverQueryVersion: CARD8 major, CARD8 minor, 2 unused.
    case .screenSaverQueryVersion(let major, let minor):
      (.screenSaver, 0, false, "ScreenSaverQueryVersion", [UInt32(major) | UInt32(minor) << 8])
    // ScreenSaverSelectInput: DRAWABLE, CARD32 mask.
    case .screenSaverSelectInput(let window, let mask):
      (.screenSaver, 2, true, "ScreenSaverSelectInput", [window, mask])
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
    }
  }
}

/// The extensions that the platform knows, by their registered names.
enum ExtensionName: String, CaseIterable, Sendable {
  case randr = "RANDR"
  case fixes = "XFIXES"
  case sync = "SYNC"
  case screenSaver = "MIT-SCREEN-SAVER"
}

/// Which extensions the server has, and how to send their requests.
@MainActor struct Extensions {
  /// libxcb keeps the address of an extension's record and writes an index into it: made once, never freed.
  private static let records: [ExtensionName: UnsafeMutablePointer<xcb_extension_t>] = {
    var records: [ExtensionName: UnsafeMutablePointer<xcb_extension_t>] = [:]
    for name in ExtensionName.allCases {
      let record = UnsafeMutablePointer<xcb_extension_t>.allocate(capacity: 1)
      record.initialize(to: xcb_extension_t(name: UnsafePointer(strdup(name.rawValue)), global_id: 0))
      records[name] = record
    }
    return records
  }()

  private let connection: Connection
  private var firstEvents: [ExtensionName: UInt8] = [:]

  init(_ connection: Connection) { self.connection = connection }

  /// Asks for the extensions; the answers come with the start-up's batch.
  func prefetch() {
    for record in Self.records.values { xcb_prefetch_extension_data(connection.raw, record) }
  }

  /// Takes the answers.
  ///
  /// Called after the batch, so that nothing is waited for.
  mutating func load() {
    for (name, record) in Self.records {
      guard let data = xcb_get_extension_data(connection.raw, record), data.pointee.present != 0 else { continue }
      firstEvents[name] = data.pointee.first_event
    }
  }

  func has(_ name: ExtensionName) -> Bool { firstEvents[name] != nil }

  /// The number of the extension's first event.
  func firstEvent(_ name: ExtensionName) -> UInt8? { firstEvents[name] }

  /// Sends a request; does nothing where the server lacks the extension.
  ///
  /// Returns the sequence number, 0 if not sent.
  ///
  /// libxcb closes the connection for good when asked to send a request of an extension that is not there.
  @discardableResult func send(_ request: ExtensionRequest, onError: RequestNote.OnError = .report) -> UInt32 {
    let layout = request.layout
    guard has(layout.extension), let record = Self.records[layout.extension], !connection.isLost else { return 0 }
    // The header's four bytes are filled in by libxcb: major opcode, minor opcode, length.
    var words: [UInt32] = [0] + layout.words
    var protocolRequest = xcb_protocol_request_t(
      count: 1, ext: record, opcode: layout.opcode, isvoid: layout.isVoid ? 1 : 0)
    let flags = layout.isVoid ? 0 : Int32(XCB_REQUEST_CHECKED.rawValue)
    let sequence = words.withUnsafeMutableBytes { bytes in
      // Two vectors before the first are libxcb's own (xcbext.h, xcb_send_request).
      withUnsafeTemporaryAllocation(of: iovec.self, capacity: 4) { vectors in
        vectors.initialize(repeating: iovec())
        vectors[2] = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        guard let base = vectors.baseAddress else { return UInt32(0) }
        return xcb_send_request(connection.raw, flags, base + 2, &protocolRequest)
      }
    }
    if layout.isVoid {
      connection.sent(xcb_void_cookie_t(sequence: sequence), layout.name, layout.words.first ?? 0, onError)
    }
    return sequence
  }
}
