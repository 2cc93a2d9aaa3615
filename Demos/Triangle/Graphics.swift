import Glibc
import Proscenium

/// EGL on the framework's connection: one display for all windows.
@MainActor final class Graphics {
  let egl: EGL
  let gl: GLES
  private var display: EGL.Handle?
  private var handle: X11Handle?

  /// Loads the libraries; nothing is asked of the X server yet.
  init() throws(Failure) {
    egl = try EGL(Library("libEGL.so.1", package: "libegl1"))
    gl = try GLES(Library("libGLESv2.so.2", package: "libgles2"))
  }

  /// The display that a window's connection leads to, made for the first one.
  func open(_ handle: X11Handle) throws(Failure) -> EGL.Handle {
    if let display { return display }
    // Without a display: the extensions of the library itself (EGL_EXT_client_extensions).
    let known = egl.queryString(nil, EGL.extensions).map { String(cString: $0) } ?? ""
    guard known.split(separator: " ").contains("EGL_EXT_platform_xcb") else {
      throw Failure("EGL knows no xcb windows (EGL_EXT_platform_xcb). Install libgl1-mesa-dri and libegl-mesa0.")
    }
    let attributes = [EGL.platformXCBScreen, handle.screen, EGL.none]
    guard
      let display = egl.getPlatformDisplay(
        EGL.platformXCB, UnsafeMutableRawPointer(handle.connection), attributes)
    else { throw egl.failure("EGL takes no xcb connection") }
    guard egl.initialize(display, nil, nil) != 0 else { throw egl.failure("EGL cannot be used on this X server") }
    guard egl.bindAPI(EGL.openGLES) != 0 else { throw egl.failure("EGL has no OpenGL ES") }
    self.display = display
    self.handle = handle
    LostServer.watch(handle.connection)
    return display
  }

  /// The configuration whose pixels are those of the window's visual.
  func configuration(for visual: UInt32, _ display: EGL.Handle) throws(Failure) -> EGL.Handle {
    // EGL_SURFACE_TYPE EGL_WINDOW_BIT, EGL_RENDERABLE_TYPE EGL_OPENGL_ES2_BIT.
    let wanted: [Int32] = [0x3033, 4, 0x3040, 4, Int32(EGL.none)]
    var configurations = [EGL.Handle?](repeating: nil, count: 256)
    var count: Int32 = 0
    guard egl.chooseConfig(display, wanted, &configurations, Int32(configurations.count), &count) != 0 else {
      throw egl.failure("EGL has no configuration for windows")
    }
    for case let configuration? in configurations.prefix(Int(count)) {
      var native: Int32 = 0
      _ = egl.getConfigAttribute(display, configuration, EGL.nativeVisual, &native)
      if UInt32(bitPattern: native) == visual { return configuration }
    }
    throw Failure("EGL has no configuration for the window's visual 0x\(String(visual, radix: 16)).")
  }

  /// Frees all resources; does nothing where the server has gone, which a driver would still call.
  func close() {
    if let display, handle?.isConnected == true { _ = egl.terminate(display) }
    display = nil
  }
}
