/// The functions of OpenGL ES 2.0 that the demo needs, from libGLESv2, which is loaded at run time.
///
/// Declared as in Khronos' gl2.h. All work on the context that is current.
struct GLES {
  static let triangles: UInt32 = 0x0004
  static let float: UInt32 = 0x1406
  static let colorBuffer: UInt32 = 0x4000
  static let arrayBuffer: UInt32 = 0x8892
  static let staticDraw: UInt32 = 0x88E4
  static let fragmentShader: UInt32 = 0x8B30
  static let vertexShader: UInt32 = 0x8B31
  static let linkStatus: UInt32 = 0x8B82

  let createShader: @convention(c) (UInt32) -> UInt32
  let shaderSource: @convention(c) (UInt32, Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?) -> Void
  let compileShader: @convention(c) (UInt32) -> Void
  let deleteShader: @convention(c) (UInt32) -> Void
  let createProgram: @convention(c) () -> UInt32
  let attachShader: @convention(c) (UInt32, UInt32) -> Void
  let bindAttribute: @convention(c) (UInt32, UInt32, UnsafePointer<CChar>?) -> Void
  let linkProgram: @convention(c) (UInt32) -> Void
  let getProgram: @convention(c) (UInt32, UInt32, UnsafeMutablePointer<Int32>?) -> Void
  let useProgram: @convention(c) (UInt32) -> Void
  let uniformLocation: @convention(c) (UInt32, UnsafePointer<CChar>?) -> Int32
  let setUniform: @convention(c) (Int32, Float, Float) -> Void
  let makeBuffers: @convention(c) (Int32, UnsafeMutablePointer<UInt32>?) -> Void
  let bindBuffer: @convention(c) (UInt32, UInt32) -> Void
  let bufferData: @convention(c) (UInt32, Int, UnsafeRawPointer?, UInt32) -> Void
  let enableAttribute: @convention(c) (UInt32) -> Void
  let attributePointer: @convention(c) (UInt32, Int32, UInt32, UInt8, Int32, UnsafeRawPointer?) -> Void
  let viewport: @convention(c) (Int32, Int32, Int32, Int32) -> Void
  let clearColor: @convention(c) (Float, Float, Float, Float) -> Void
  let clear: @convention(c) (UInt32) -> Void
  let drawArrays: @convention(c) (UInt32, Int32, Int32) -> Void
  let finish: @convention(c) () -> Void

  init(_ library: Library) throws(Failure) {
    createShader = try library.function("glCreateShader")
    shaderSource = try library.function("glShaderSource")
    compileShader = try library.function("glCompileShader")
    deleteShader = try library.function("glDeleteShader")
    createProgram = try library.function("glCreateProgram")
    attachShader = try library.function("glAttachShader")
    bindAttribute = try library.function("glBindAttribLocation")
    linkProgram = try library.function("glLinkProgram")
    getProgram = try library.function("glGetProgramiv")
    useProgram = try library.function("glUseProgram")
    uniformLocation = try library.function("glGetUniformLocation")
    setUniform = try library.function("glUniform2f")
    makeBuffers = try library.function("glGenBuffers")
    bindBuffer = try library.function("glBindBuffer")
    bufferData = try library.function("glBufferData")
    enableAttribute = try library.function("glEnableVertexAttribArray")
    attributePointer = try library.function("glVertexAttribPointer")
    viewport = try library.function("glViewport")
    clearColor = try library.function("glClearColor")
    clear = try library.function("glClear")
    drawArrays = try library.function("glDrawArrays")
    finish = try library.function("glFinish")
  }
}
