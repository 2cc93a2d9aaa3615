import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// The functions of sd-bus that are used, from whichever library has them (sd-bus(3)).
///
/// None of them takes a variable number of arguments, and none waits for an answer. Unchecked because a function of C's is
/// not known to be sendable; there is nothing else in here, and nothing changes.
struct BusLibrary: @unchecked Sendable {
  /// `sd_bus *` and `sd_bus_message *`.
  typealias Pointer = OpaquePointer
  /// What is called with each message; answers whether it has been handled.
  typealias Handler = @convention(c) (Pointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32

  typealias Make = @convention(c) (UnsafeMutablePointer<Pointer?>?) -> Int32
  typealias SetText = @convention(c) (Pointer?, UnsafePointer<CChar>?) -> Int32
  typealias SetFlag = @convention(c) (Pointer?, Int32) -> Int32
  typealias Query = @convention(c) (Pointer?) -> Int32
  typealias Release = @convention(c) (Pointer?) -> Pointer?
  typealias Process = @convention(c) (Pointer?, UnsafeMutablePointer<Pointer?>?) -> Int32
  typealias AddFilter =
    @convention(c) (Pointer?, UnsafeMutablePointer<Pointer?>?, Handler?, UnsafeMutableRawPointer?) -> Int32
  typealias Send = @convention(c) (Pointer?, Pointer?, UnsafeMutablePointer<UInt64>?) -> Int32
  typealias MakeCall =
    @convention(c) (
      Pointer?, UnsafeMutablePointer<Pointer?>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?
    ) -> Int32
  typealias MakeSignal =
    @convention(c) (
      Pointer?, UnsafeMutablePointer<Pointer?>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?
    ) -> Int32
  typealias MakeReturn = @convention(c) (Pointer?, UnsafeMutablePointer<Pointer?>?) -> Int32
  typealias MakeError =
    @convention(c) (Pointer?, UnsafeMutablePointer<Pointer?>?, UnsafeRawPointer?) -> Int32
  typealias AppendBasic = @convention(c) (Pointer?, CChar, UnsafeRawPointer?) -> Int32
  /// Opens or enters.
  typealias OpenContainer = @convention(c) (Pointer?, CChar, UnsafePointer<CChar>?) -> Int32
  typealias PeekType =
    @convention(c) (Pointer?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Int32
  typealias ReadBasic = @convention(c) (Pointer?, CChar, UnsafeMutableRawPointer?) -> Int32
  typealias GetType = @convention(c) (Pointer?, UnsafeMutablePointer<UInt8>?) -> Int32
  typealias GetText = @convention(c) (Pointer?) -> UnsafePointer<CChar>?
  typealias GetNumber = @convention(c) (Pointer?, UnsafeMutablePointer<UInt64>?) -> Int32
  typealias GetError = @convention(c) (Pointer?) -> UnsafeRawPointer?

  let make: Make
  let setAddress: SetText
  let setIsClient: SetFlag
  let start: Query
  let close: @convention(c) (Pointer?) -> Void
  let unref: Release
  let descriptor: Query
  let events: Query
  let process: Process
  let addFilter: AddFilter
  let send: Send
  let makeCall: MakeCall
  let makeSignal: MakeSignal
  let makeReturn: MakeReturn
  let makeError: MakeError
  let refMessage: Release
  let unrefMessage: Release
  let appendBasic: AppendBasic
  let openContainer: OpenContainer
  let closeContainer: Query
  let peekType: PeekType
  let readBasic: ReadBasic
  let enterContainer: OpenContainer
  let exitContainer: Query
  let type: GetType
  let sender: GetText
  let path: GetText
  let interface: GetText
  let member: GetText
  let replyCookie: GetNumber
  let error: GetError

  /// The library of systemd, elogind or basu; nil where there is none of them, or one that lacks a function.
  static let shared = ["libsystemd.so.0", "libelogind.so.0", "libbasu.so.0"].lazy.compactMap { BusLibrary($0) }.first

  /// Loads the library on another thread; whoever needs it before waits.
  static func prepare() { _ = DetachedThread.run { _ = shared } }

  private init?(_ name: String) {
    // Never closed: what it has registered for the end of a thread would be gone then.
    guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
    func function<Function>(_ name: String, as type: Function.Type = Function.self) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: type) }
    }
    guard let make: Make = function("sd_bus_new"), let setAddress: SetText = function("sd_bus_set_address"),
      let setIsClient: SetFlag = function("sd_bus_set_bus_client"), let start: Query = function("sd_bus_start"),
      let close: @convention(c) (Pointer?) -> Void = function("sd_bus_close"),
      let unref: Release = function("sd_bus_unref"), let descriptor: Query = function("sd_bus_get_fd"),
      let events: Query = function("sd_bus_get_events"), let process: Process = function("sd_bus_process"),
      let addFilter: AddFilter = function("sd_bus_add_filter"), let send: Send = function("sd_bus_send"),
      let makeCall: MakeCall = function("sd_bus_message_new_method_call"),
      let makeSignal: MakeSignal = function("sd_bus_message_new_signal"),
      let makeReturn: MakeReturn = function("sd_bus_message_new_method_return"),
      let makeError: MakeError = function("sd_bus_message_new_method_error"),
      let refMessage: Release = function("sd_bus_message_ref"),
      let unrefMessage: Release = function("sd_bus_message_unref"),
      let appendBasic: AppendBasic = function("sd_bus_message_append_basic"),
      let openContainer: OpenContainer = function("sd_bus_message_open_container"),
      let closeContainer: Query = function("sd_bus_message_close_container"),
      let peekType: PeekType = function("sd_bus_message_peek_type"),
      let readBasic: ReadBasic = function("sd_bus_message_read_basic"),
      let enterContainer: OpenContainer = function("sd_bus_message_enter_container"),
      let exitContainer: Query = function("sd_bus_message_exit_container"),
      let type: GetType = function("sd_bus_message_get_type"),
      let sender: GetText = function("sd_bus_message_get_sender"),
      let path: GetText = function("sd_bus_message_get_path"),
      let interface: GetText = function("sd_bus_message_get_interface"),
      let member: GetText = function("sd_bus_message_get_member"),
      let replyCookie: GetNumber = function("sd_bus_message_get_reply_cookie"),
      let error: GetError = function("sd_bus_message_get_error")
    else { return nil }
    self.make = make
    self.setAddress = setAddress
    self.setIsClient = setIsClient
    self.start = start
    self.close = close
    self.unref = unref
    self.descriptor = descriptor
    self.events = events
    self.process = process
    self.addFilter = addFilter
    self.send = send
    self.makeCall = makeCall
    self.makeSignal = makeSignal
    self.makeReturn = makeReturn
    self.makeError = makeError
    self.refMessage = refMessage
    self.unrefMessage = unrefMessage
    self.appendBasic = appendBasic
    self.openContainer = openContainer
    self.closeContainer = closeContainer
    self.peekType = peekType
    self.readBasic = readBasic
    self.enterContainer = enterContainer
    self.exitContainer = exitContainer
    self.type = type
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.replyCookie = replyCookie
    self.error = error
  }
}

/// `sd_bus_error`, as the library lays it out.
struct BusErrorRecord {
  var name: UnsafePointer<CChar>?
  var message: UnsafePointer<CChar>?
  var needsFree: Int32 = 0
}
