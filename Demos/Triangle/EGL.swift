import Glibc

/// The functions of EGL 1.5 that the demo needs, from libEGL, which is loaded at run time.
///
/// Declared as in Khronos' egl.h and eglext.h; displays, contexts, surfaces and configurations are opaque pointers.
struct EGL {
  typealias Handle = UnsafeMutableRawPointer

  static let none = 0x3038
  /// `EGL_EXT_platform_xcb`: windows of an `xcb_connection_t`.
  static let platformXCB: UInt32 = 0x31DC
  static let platformXCBScreen = 0x31DE
  static let openGLES: UInt32 = 0x30A0
  static let extensions: Int32 = 0x3055
  static let nativeVisual: Int32 = 0x302E
  static let contextVersion: Int32 = 0x3098

  let getError: @convention(c) () -> Int32
  let queryString: @convention(c) (Handle?, Int32) -> UnsafePointer<CChar>?
  let getPlatformDisplay: @convention(c) (UInt32, UnsafeMutableRawPointer?, UnsafePointer<Int>?) -> Handle?
  let initialize: @convention(c) (Handle?, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?) -> UInt32
  let terminate: @convention(c) (Handle?) -> UInt32
  let bindAPI: @convention(c) (UInt32) -> UInt32
  let chooseConfig:
    @convention(c) (
      Handle?, UnsafePointer<Int32>?, UnsafeMutablePointer<Handle?>?, Int32, UnsafeMutablePointer<Int32>?
    ) -> UInt32
  let getConfigAttribute: @convention(c) (Handle?, Handle?, Int32, UnsafeMutablePointer<Int32>?) -> UInt32
  let createContext: @convention(c) (Handle?, Handle?, Handle?, UnsafePointer<Int32>?) -> Handle?
  let destroyContext: @convention(c) (Handle?, Handle?) -> UInt32
  let createPlatformWindowSurface:
    @convention(c) (Handle?, Handle?, UnsafeMutableRawPointer?, UnsafePointer<Int>?) -> Handle?
  let destroySurface: @convention(c) (Handle?, Handle?) -> UInt32
  let makeCurrent: @convention(c) (Handle?, Handle?, Handle?, Handle?) -> UInt32
  let swapInterval: @convention(c) (Handle?, Int32) -> UInt32
  let swapBuffers: @convention(c) (Handle?, Handle?) -> UInt32

  init(_ library: Library) throws(Failure) {
    getError = try library.function("eglGetError")
    queryString = try library.function("eglQueryString")
    getPlatformDisplay = try library.function("eglGetPlatformDisplay")
    initialize = try library.function("eglInitialize")
    terminate = try library.function("eglTerminate")
    bindAPI = try library.function("eglBindAPI")
    chooseConfig = try library.function("eglChooseConfig")
    getConfigAttribute = try library.function("eglGetConfigAttrib")
    createContext = try library.function("eglCreateContext")
    destroyContext = try library.function("eglDestroyContext")
    createPlatformWindowSurface = try library.function("eglCreatePlatformWindowSurface")
    destroySurface = try library.function("eglDestroySurface")
    makeCurrent = try library.function("eglMakeCurrent")
    swapInterval = try library.function("eglSwapInterval")
    swapBuffers = try library.function("eglSwapBuffers")
  }

  /// A failure with EGL's error.
  func failure(_ what: String) -> Failure { Failure("\(what) (EGL error 0x\(String(getError(), radix: 16))).") }
}
