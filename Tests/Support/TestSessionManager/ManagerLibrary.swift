import Glibc

/// libSM's and libICE's side of a session manager, loaded at run time so that no headers are needed.
struct ManagerLibrary: Sendable {
  typealias Pointer = UnsafeMutableRawPointer
  typealias Text = UnsafeMutablePointer<CChar>
  typealias NewClient =
    @convention(c) (
      OpaquePointer?, Pointer?, UnsafeMutablePointer<UInt>?, UnsafeMutablePointer<Pointer?>?, Pointer?
    ) -> Int32
  typealias Act = @convention(c) (OpaquePointer?) -> Void
  typealias ErrorHandler = @convention(c) (OpaquePointer?, Int32, Int32, UInt, Int32, Int32, Pointer?) -> Void

  let initialize:
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, NewClient, Pointer?, @convention(c) (Text?) -> Int32, Int32, Text
    ) -> Int32
  let makeID: @convention(c) (OpaquePointer?) -> Text?
  let replyToRegistration: @convention(c) (OpaquePointer?, UnsafePointer<CChar>) -> Int32
  let saveYourself: @convention(c) (OpaquePointer?, Int32, Int32, Int32, Int32) -> Void
  let interact: Act
  let die: Act
  let complete: Act
  let cancel: Act
  let listen:
    @convention(c) (
      UnsafeMutablePointer<Int32>, UnsafeMutablePointer<UnsafeMutablePointer<OpaquePointer?>?>, Int32, Text
    ) -> Int32
  let addresses: @convention(c) (Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Text?
  let listenDescriptor: @convention(c) (OpaquePointer?) -> Int32
  let admitHosts: @convention(c) (OpaquePointer?, @convention(c) (Text?) -> Int32) -> Void
  let accept: @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int32>) -> OpaquePointer?
  let descriptor: @convention(c) (OpaquePointer?) -> Int32
  let process: @convention(c) (OpaquePointer?, Pointer?, Pointer?) -> Int32
  let close: @convention(c) (OpaquePointer?) -> Int32
  let setShutdownNegotiation: @convention(c) (OpaquePointer?, Int32) -> Void
  let setIOErrorHandler: @convention(c) (@convention(c) (OpaquePointer?) -> Void) -> Pointer?
  let setErrorHandler: @convention(c) (ErrorHandler) -> Pointer?
  let setIceErrorHandler: @convention(c) (ErrorHandler) -> Pointer?
  /// Called before listening: on this machine only.
  let forbid: (@convention(c) (UnsafePointer<CChar>) -> Int32)?

  init?() {
    guard let library = dlopen("libSM.so.6", RTLD_NOW) else { return nil }
    func optional<Function>(_ name: String) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
    }
    func function<Function>(_ name: String) throws -> Function {
      guard let function: Function = optional(name) else { throw Missing(name: name) }
      return function
    }
    do {
      initialize = try function("SmsInitialize")
      makeID = try function("SmsGenerateClientID")
      replyToRegistration = try function("SmsRegisterClientReply")
      saveYourself = try function("SmsSaveYourself")
      interact = try function("SmsInteract")
      die = try function("SmsDie")
      complete = try function("SmsSaveComplete")
      cancel = try function("SmsShutdownCancelled")
      listen = try function("IceListenForConnections")
      addresses = try function("IceComposeNetworkIdList")
      listenDescriptor = try function("IceGetListenConnectionNumber")
      admitHosts = try function("IceSetHostBasedAuthProc")
      accept = try function("IceAcceptConnection")
      descriptor = try function("IceConnectionNumber")
      process = try function("IceProcessMessages")
      close = try function("IceCloseConnection")
      setShutdownNegotiation = try function("IceSetShutdownNegotiation")
      setIOErrorHandler = try function("IceSetIOErrorHandler")
      setErrorHandler = try function("SmsSetErrorHandler")
      setIceErrorHandler = try function("IceSetErrorHandler")
    } catch { return nil }
    forbid = optional("_IceTransNoListen")
  }

  private struct Missing: Error { let name: String }
}
