import Glibc

/// What is used of libSM and libICE, which are loaded at run time, and only where there is a session manager.
///
/// Never unloaded: libICE keeps tables of its own for as long as the process lives.
struct SessionLibrary: Sendable {
  typealias Open =
    @convention(c) (
      UnsafeMutablePointer<CChar>?, UnsafeMutableRawPointer?, Int32, Int32, UInt, UnsafeMutableRawPointer?,
      UnsafePointer<CChar>?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, Int32, UnsafeMutablePointer<CChar>?
    ) -> OpaquePointer?
  typealias Close = @convention(c) (OpaquePointer?, Int32, UnsafeMutableRawPointer?) -> Int32
  typealias Related = @convention(c) (OpaquePointer?) -> OpaquePointer?
  typealias Number = @convention(c) (OpaquePointer?) -> Int32
  typealias SetProperties = @convention(c) (OpaquePointer?, Int32, UnsafeMutableRawPointer?) -> Void
  typealias Notify = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void
  typealias RequestInteraction =
    @convention(c) (OpaquePointer?, Int32, Notify, UnsafeMutableRawPointer?) -> Int32
  typealias SetFlag = @convention(c) (OpaquePointer?, Int32) -> Void
  typealias Process = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>?) -> Int32
  /// `SmcErrorHandler` and `IceErrorHandler`: connection, swap, opcode, sequence, class, severity, values.
  typealias ErrorHandler =
    @convention(c) (OpaquePointer?, Int32, Int32, UInt, Int32, Int32, UnsafeMutableRawPointer?) -> Void
  typealias IOErrorHandler = @convention(c) (OpaquePointer?) -> Void
  typealias SetErrorHandler = @convention(c) (ErrorHandler) -> UnsafeMutableRawPointer?
  typealias SetIOErrorHandler = @convention(c) (IOErrorHandler) -> UnsafeMutableRawPointer?

  let open: Open
  let close: Close
  let iceConnection: Related
  let descriptor: Number
  let setProperties: SetProperties
  let requestInteraction: RequestInteraction
  let finishInteraction: SetFlag
  let finishSave: SetFlag
  let process: Process
  let setShutdownNegotiation: SetFlag
  let setClientErrorHandler: SetErrorHandler
  let setErrorHandler: SetErrorHandler
  let setIOErrorHandler: SetIOErrorHandler

  /// nil where the libraries, or one of their functions, are missing.
  init?() {
    // libSM stands on libICE: the lookup of a name goes on there, so that both are of one kind.
    guard let library = dlopen("libSM.so.6", RTLD_NOW | RTLD_LOCAL) else { return nil }
    func function<Function>(_ name: String, as type: Function.Type) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: type) }
    }
    guard let open = function("SmcOpenConnection", as: Open.self),
      let close = function("SmcCloseConnection", as: Close.self),
      let iceConnection = function("SmcGetIceConnection", as: Related.self),
      let descriptor = function("IceConnectionNumber", as: Number.self),
      let setProperties = function("SmcSetProperties", as: SetProperties.self),
      let requestInteraction = function("SmcInteractRequest", as: RequestInteraction.self),
      let finishInteraction = function("SmcInteractDone", as: SetFlag.self),
      let finishSave = function("SmcSaveYourselfDone", as: SetFlag.self),
      let process = function("IceProcessMessages", as: Process.self),
      let setShutdownNegotiation = function("IceSetShutdownNegotiation", as: SetFlag.self),
      let setClientErrorHandler = function("SmcSetErrorHandler", as: SetErrorHandler.self),
      let setErrorHandler = function("IceSetErrorHandler", as: SetErrorHandler.self),
      let setIOErrorHandler = function("IceSetIOErrorHandler", as: SetIOErrorHandler.self)
    else { return nil }
    self.open = open
    self.close = close
    self.iceConnection = iceConnection
    self.descriptor = descriptor
    self.setProperties = setProperties
    self.requestInteraction = requestInteraction
    self.finishInteraction = finishInteraction
    self.finishSave = finishSave
    self.process = process
    self.setShutdownNegotiation = setShutdownNegotiation
    self.setClientErrorHandler = setClientErrorHandler
    self.setErrorHandler = setErrorHandler
    self.setIOErrorHandler = setIOErrorHandler
  }
}
