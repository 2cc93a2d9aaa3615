import Proscenium

/// Draws into one window: a permanent context, and a surface while the window is visible.
@MainActor final class Renderer {
  private let graphics: Graphics
  private let display: EGL.Handle
  private let configuration: EGL.Handle
  private let context: EGL.Handle
  private let handle: X11Handle
  private var surface: EGL.Handle?
  /// Where the shader's angle and aspect are; nil before the first frame.
  private var uniforms: (rotation: Int32, aspect: Int32)?

  private static let vertexShader = """
    attribute vec2 place; attribute vec3 color; uniform vec2 rotation; uniform vec2 aspect; varying vec3 shade;
    void main() {
      vec2 turned = vec2(place.x * rotation.x - place.y * rotation.y, place.x * rotation.y + place.y * rotation.x);
      gl_Position = vec4(turned * aspect, 0.0, 1.0);
      shade = color;
    }
    """
  private static let fragmentShader = """
    precision mediump float; varying vec3 shade;
    void main() { gl_FragColor = vec4(shade, 1.0); }
    """
  /// Three corners on a circle: place and colour.
  private static let corners: [Float] = [
    0, 0.8, 0.95, 0.35, 0.30, -0.693, -0.4, 0.25, 0.80, 0.45, 0.693, -0.4, 0.30, 0.45, 0.95,
  ]

  init(_ graphics: Graphics, _ handle: X11Handle) throws(Failure) {
    self.graphics = graphics
    display = try graphics.open(handle)
    configuration = try graphics.configuration(for: handle.visual, display)
    let attributes = [EGL.contextVersion, 2, Int32(EGL.none)]
    guard let context = graphics.egl.createContext(display, configuration, nil, attributes) else {
      throw graphics.egl.failure("EGL makes no context")
    }
    self.context = context
    self.handle = handle
  }

  /// Whether frames can be drawn.
  var isAwake: Bool { surface != nil }

  /// Allocates the memory that drawing needs.
  func wake() throws(Failure) {
    guard surface == nil, handle.isConnected else { return }
    let egl = graphics.egl
    var window = handle.window
    guard let surface = egl.createPlatformWindowSurface(display, configuration, &window, nil) else {
      throw egl.failure("EGL makes no surface for the window")
    }
    self.surface = surface
    do {
      try makeCurrent()
      // A frame never waits for the screen, because that would block the main loop. The frame link sets the pace.
      _ = egl.swapInterval(display, 0)
      if uniforms == nil { try setUp() }
    } catch {
      rest()
      throw error
    }
  }

  /// Finishes all submitted commands, and frees resources that can be made again.
  func rest() {
    guard let surface else { return }
    self.surface = nil
    guard handle.isConnected else { return }
    let (egl, gl) = (graphics.egl, graphics.gl)
    if egl.makeCurrent(display, surface, surface, context) != 0 { gl.finish() }
    _ = egl.makeCurrent(display, nil, nil, nil)
    _ = egl.destroySurface(display, surface)
  }

  /// Nothing can be drawn afterwards.
  func close() {
    rest()
    if handle.isConnected { _ = graphics.egl.destroyContext(display, context) }
  }

  /// Draws a frame; the rotation is the cosine and the sine of the angle.
  func draw(rotation: (Float, Float), size: Size) throws(Failure) {
    guard let surface, let uniforms else { return }
    let gl = graphics.gl
    // Each window has its own context, and one is current.
    try makeCurrent()
    let (width, height) = (Float(max(size.width, 1)), Float(max(size.height, 1)))
    gl.viewport(0, 0, Int32(clamping: size.width), Int32(clamping: size.height))
    gl.clearColor(0.07, 0.09, 0.12, 1)
    gl.clear(GLES.colorBuffer)
    // Mesa has asked the server for the window's size by now. Without an answer the frame has no size, and Mesa waits
    // for ever to show it, or crashes.
    guard handle.isConnected else { return }
    gl.setUniform(uniforms.rotation, rotation.0, rotation.1)
    gl.setUniform(uniforms.aspect, min(1, height / width), min(1, width / height))
    gl.drawArrays(GLES.triangles, 0, 3)
    guard graphics.egl.swapBuffers(display, surface) != 0 else {
      throw graphics.egl.failure("EGL does not show the frame")
    }
  }

  private func makeCurrent() throws(Failure) {
    guard graphics.egl.makeCurrent(display, surface, surface, context) != 0 else {
      throw graphics.egl.failure("EGL does not take the context")
    }
  }

  /// Makes the resources of the context, which outlive the surface.
  private func setUp() throws(Failure) {
    let gl = graphics.gl
    let program = gl.createProgram()
    for (kind, source) in [(GLES.vertexShader, Self.vertexShader), (GLES.fragmentShader, Self.fragmentShader)] {
      let shader = gl.createShader(kind)
      source.withCString { text in
        withUnsafePointer(to: Optional(text)) { gl.shaderSource(shader, 1, $0, nil) }
      }
      gl.compileShader(shader)
      gl.attachShader(program, shader)
      // It goes with the program.
      gl.deleteShader(shader)
    }
    gl.bindAttribute(program, 0, "place")
    gl.bindAttribute(program, 1, "color")
    gl.linkProgram(program)
    var isLinked: Int32 = 0
    gl.getProgram(program, GLES.linkStatus, &isLinked)
    guard isLinked != 0 else { throw Failure("The driver does not take the shaders.") }
    gl.useProgram(program)
    var buffer: UInt32 = 0
    gl.makeBuffers(1, &buffer)
    gl.bindBuffer(GLES.arrayBuffer, buffer)
    let size = MemoryLayout<Float>.stride
    gl.bufferData(GLES.arrayBuffer, Self.corners.count * size, Self.corners, GLES.staticDraw)
    gl.enableAttribute(0)
    gl.enableAttribute(1)
    gl.attributePointer(0, 2, GLES.float, 0, Int32(5 * size), nil)
    gl.attributePointer(1, 3, GLES.float, 0, Int32(5 * size), UnsafeRawPointer(bitPattern: 2 * size))
    uniforms = (gl.uniformLocation(program, "rotation"), gl.uniformLocation(program, "aspect"))
  }
}
