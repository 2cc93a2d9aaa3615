import Glibc

/// What the program uses of GLFW 3, Xlib and OpenGL, which are loaded as it runs: no header of theirs is needed.
@MainActor struct GLFW {
  typealias Window = OpaquePointer

  // GLFW's own constants.
  static let visible: Int32 = 0x0002_0004
  static let press: Int32 = 1
  static let (keySpace, keyN, keyQ): (Int32, Int32, Int32) = (32, 78, 81)
  // OpenGL's.
  static let colorBuffer: UInt32 = 0x4000
  static let (lines, lineLoop): (UInt32, UInt32) = (1, 2)

  let start: @convention(c) () -> Int32
  let hint: @convention(c) (Int32, Int32) -> Void
  let makeWindow: @convention(c) (Int32, Int32, UnsafePointer<CChar>, OpaquePointer?, OpaquePointer?) -> Window?
  let destroyWindow: @convention(c) (Window) -> Void
  let showWindow: @convention(c) (Window) -> Void
  let hideWindow: @convention(c) (Window) -> Void
  let setTitle: @convention(c) (Window, UnsafePointer<CChar>) -> Void
  let setShouldClose: @convention(c) (Window, Int32) -> Void
  let framebufferSize: @convention(c) (Window, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>) -> Void
  let makeCurrent: @convention(c) (Window) -> Void
  let swapInterval: @convention(c) (Int32) -> Void
  let swapBuffers: @convention(c) (Window) -> Void
  let pollEvents: @convention(c) () -> Void
  let x11Window: @convention(c) (Window) -> UInt
  let x11Display: @convention(c) () -> OpaquePointer?
  /// Xlib's: the descriptor of a display.
  let connectionNumber: @convention(c) (OpaquePointer) -> Int32
  /// Xlib's: how many events it has read, and not given yet.
  let pendingEvents: @convention(c) (OpaquePointer) -> Int32

  typealias Callback = @convention(c) (Window?) -> Void
  typealias KeyCallback = @convention(c) (Window?, Int32, Int32, Int32, Int32) -> Void
  let onClose: @convention(c) (Window, Callback?) -> Callback?
  let onRefresh: @convention(c) (Window, Callback?) -> Callback?
  let onKey: @convention(c) (Window, KeyCallback?) -> KeyCallback?

  let viewport: @convention(c) (Int32, Int32, Int32, Int32) -> Void
  let clearColor: @convention(c) (Float, Float, Float, Float) -> Void
  let clear: @convention(c) (UInt32) -> Void
  let color: @convention(c) (Float, Float, Float) -> Void
  let lineWidth: @convention(c) (Float) -> Void
  let begin: @convention(c) (UInt32) -> Void
  let vertex: @convention(c) (Float, Float) -> Void
  let end: @convention(c) () -> Void

  /// Loads them; nil where one is missing.
  init?() {
    let files: [String] = ["libglfw.so.3", "libX11.so.6", "libGL.so.1"]
    let libraries = files.compactMap { dlopen($0, RTLD_NOW) }
    guard libraries.count == 3 else { return nil }
    /// A function of any of them; the first that is missing is remembered, and what stands for it is not called.
    var isComplete = true
    func find<Function>(_ name: String) -> Function {
      for library in libraries {
        if let function = dlsym(library, name) { return unsafeBitCast(function, to: Function.self) }
      }
      isComplete = false
      let none: @convention(c) () -> Void = {}
      return unsafeBitCast(none, to: Function.self)
    }
    (start, hint, makeWindow) = (find("glfwInit"), find("glfwWindowHint"), find("glfwCreateWindow"))
    (destroyWindow, showWindow) = (find("glfwDestroyWindow"), find("glfwShowWindow"))
    (hideWindow, setTitle) = (find("glfwHideWindow"), find("glfwSetWindowTitle"))
    (setShouldClose, framebufferSize) = (find("glfwSetWindowShouldClose"), find("glfwGetFramebufferSize"))
    (makeCurrent, swapInterval) = (find("glfwMakeContextCurrent"), find("glfwSwapInterval"))
    (swapBuffers, pollEvents) = (find("glfwSwapBuffers"), find("glfwPollEvents"))
    (x11Window, x11Display) = (find("glfwGetX11Window"), find("glfwGetX11Display"))
    (connectionNumber, pendingEvents) = (find("XConnectionNumber"), find("XPending"))
    (onClose, onRefresh) = (find("glfwSetWindowCloseCallback"), find("glfwSetWindowRefreshCallback"))
    onKey = find("glfwSetKeyCallback")
    (viewport, clearColor, clear) = (find("glViewport"), find("glClearColor"), find("glClear"))
    (color, lineWidth, begin) = (find("glColor3f"), find("glLineWidth"), find("glBegin"))
    (vertex, end) = (find("glVertex2f"), find("glEnd"))
    guard isComplete else { return nil }
  }
}
