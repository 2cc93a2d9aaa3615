import CXCB
import Glibc
import ProsceniumLoop

/// The extensions that the server has, and the sending of their requests.
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

  /// Those that only surfaces need, asked for with the first of them.
  static let forSurfaces: [ExtensionName] = [.shm, .present]
  static let atStart = allCases.filter { !forSurfaces.contains($0) }
}
