import ProsceniumCore
import ProsceniumTesting
import Testing

/// Drawing that obeys the scene's state.
@MainActor @Suite("Drawing", .serialized) struct DisplayTests {
  final class Canvas: Window {
    var draws: [[Rect]] = []
    override func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
      draws.append(damage)
      for rect in damage { buffer.fill(rect, with: Color(rgb: 0x123456)) }
    }
  }
  final class CanvasScene: Responder, WindowSceneDelegate {
    static var last: Canvas?
    var window: Canvas?
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      let window = Canvas(windowScene: scene)
      window.setNeedsDisplay()
      window.makeKeyAndVisible()
      self.window = window
      Self.last = window
    }
  }
  final class Delegate: Responder, ApplicationDelegate {
    let manifest = ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(name: "Main", delegate: CanvasScene.init)])
    func act(_ sender: AnyObject?) {}
  }

  private func launch() throws -> (HeadlessProgram, Canvas) {
    let program = HeadlessProgram()
    program.launch(Delegate())
    program.advance(by: 100)
    return (program, try #require(CanvasScene.last))
  }

  private let whole = Rect(x: 0, y: 0, width: 640, height: 480)

  @Test("The first frame draws everything, later ones what was asked for, together")
  func damage() throws {
    let (program, window) = try launch()
    #expect(window.draws == [[whole]])
    for _ in 0..<100 { window.setNeedsDisplay(Rect(x: 10, y: 10, width: 20, height: 20)) }
    window.setNeedsDisplay(Rect(x: 12, y: 12, width: 2, height: 2))
    program.advance(by: 100)
    #expect(window.draws.count == 2)
    #expect(window.draws.last == [Rect(x: 10, y: 10, width: 20, height: 20)])
    let id = try #require(window.id)
    #expect(program.platform.surface(of: id)?[15, 15] == 0xFF12_3456)
  }

  @Test("In the background nothing is drawn and no frame link runs; the return costs one redraw")
  func background() throws {
    let (program, window) = try launch()
    var calls = 0
    let link = FrameLink(window: window) { _ in calls += 1 }
    program.advance(by: 1000)
    #expect((55...65).contains(calls))
    program.desk.minimize(window)
    program.advance(by: 3000)
    let id = try #require(window.id)
    #expect(program.platform.surface(of: id) == nil)
    let before = (window.draws.count, calls)
    let requests = program.platform.commands.count
    for _ in 0..<10_000 { window.setNeedsDisplay() }
    program.advance(by: 60_000)
    #expect(window.draws.count == before.0 && calls == before.1)
    #expect(program.platform.commands.count == requests)
    program.desk.restore(window)
    program.advance(by: 100)
    #expect(window.draws.count == before.0 + 1 && window.draws.last == [whole])
    #expect(calls > before.1)
    link.invalidate()
    let after = calls
    program.advance(by: 1000)
    #expect(calls == after)
  }

  @Test("A frame link slows down as it is told, and stops while it is paused")
  func rates() throws {
    let (program, window) = try launch()
    var calls = 0
    let link = FrameLink(window: window) { _ in calls += 1 }
    link.preferredFramesPerSecond = 10
    program.advance(by: 1000)
    #expect((9...12).contains(calls))
    // A slow link costs no frames in between.
    let requests = program.platform.commands.count
    program.advance(by: 1000)
    #expect(program.platform.commands.count - requests <= 40)
    calls = 0
    link.preferredFramesPerSecond = nil
    link.inactiveFramesPerSecond = 5
    program.desk.focus(nil)
    program.advance(by: 500)
    calls = 0
    program.advance(by: 1000)
    #expect((4...6).contains(calls))
    link.isPaused = true
    calls = 0
    program.advance(by: 1000)
    #expect(calls == 0)
    link.isPaused = false
    program.advance(by: 1000)
    #expect(calls > 0)
  }

  @Test(
    "A frame link whose rate changes goes on by the new one at once; 0 is the screen's rate, or rest while inactive")
  func changedRates() throws {
    let (program, window) = try launch()
    var calls = 0
    let link = FrameLink(window: window) { _ in calls += 1 }
    func count(in seconds: Int64) -> Int {
      calls = 0
      program.advance(by: .seconds(seconds))
      return calls
    }
    link.preferredFramesPerSecond = 0.01
    _ = count(in: 1)
    #expect(count(in: 2) == 0)
    link.preferredFramesPerSecond = 10
    #expect((9...12).contains(count(in: 1)))
    link.preferredFramesPerSecond = 0
    #expect((55...65).contains(count(in: 1)))
    program.desk.focus(nil)
    _ = count(in: 1)
    link.inactiveFramesPerSecond = 0
    _ = count(in: 1)
    #expect(count(in: 2) == 0)
    link.inactiveFramesPerSecond = 5
    #expect((4...6).contains(count(in: 1)))
    link.invalidate()
  }

  @Test("A window that leaves its scene takes the deadline of its slow frame link along")
  func slowLinkOfGoneWindow() throws {
    let (program, window) = try launch()
    let panel = Canvas(windowScene: try #require(window.windowScene))
    panel.makeKeyAndVisible()
    program.advance(by: .seconds(10))
    let conductor = try #require(program.application.conductor)
    let before = conductor.pendingDeadlines
    let link = FrameLink(window: panel) { _ in }
    link.preferredFramesPerSecond = 0.001
    program.advance(by: .seconds(2))
    #expect(conductor.pendingDeadlines == before + 1)
    panel.windowScene = nil
    program.advance(by: .seconds(10))
    #expect(conductor.pendingDeadlines == before)
    link.invalidate()
  }

  @Test("A frame link that another one ends in the same frame is not called any more")
  func endedLink() throws {
    let (program, window) = try launch()
    var (second, calls): (FrameLink?, Int) = (nil, 0)
    let first = FrameLink(window: window) { _ in second?.invalidate() }
    second = FrameLink(window: window) { _ in calls += 1 }
    program.advance(by: 100)
    #expect(calls == 0)
    first.invalidate()
  }

  @Test("Another size draws everything anew")
  func resize() throws {
    let (program, window) = try launch()
    program.platform.move(try #require(window.id), to: Rect(x: 0, y: 0, width: 200, height: 100))
    program.advance(by: 100)
    #expect(window.draws.last == [Rect(x: 0, y: 0, width: 200, height: 100)])
  }

  @Test("Who asks for everything with the largest numbers there are gets everything")
  func wildRectangles() throws {
    let (program, window) = try launch()
    window.setNeedsDisplay(Rect(x: 10, y: 10, width: .max, height: .max))
    window.setNeedsDisplay(Rect(x: .max, y: .min, width: .max, height: 5))
    window.setNeedsDisplay(Rect(x: .min, y: .min, width: .max, height: .max))
    program.advance(by: 100)
    #expect(window.draws.last == [Rect(x: 10, y: 10, width: 630, height: 470)])
    let far = Rect(x: .min, y: .min, width: 1, height: 1).union(Rect(x: .max, y: .max, width: .max, height: 1))
    #expect(far.size.width == .max)
  }

  @Test("A window that is drawn by hand and goes to another scene in the middle of a frame is drawn there")
  func anotherScene() throws {
    let (program, window) = try launch()
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: 100)
    let other = try #require(CanvasScene.last?.windowScene)
    try #require(other !== window.windowScene)
    window.setNeedsDisplay()
    window.draws = []
    window.windowScene = other
    program.advance(by: 100)
    #expect(window.draws.count == 1)
    window.setNeedsDisplay(Rect(x: 1, y: 1, width: 2, height: 2))
    program.advance(by: 100)
    #expect(window.draws.count == 2)
  }

  @Test("Input that comes in one batch with the end of its window is dropped")
  func lateInput() throws {
    final class Deaf: Window {
      var heard = 0
      override func sendEvent(_ event: Event) { if case .button = event.kind { take() } }
      private func take() {
        heard += 1
        windowScene = nil
      }
    }
    let (program, window) = try launch()
    let panel = Deaf(windowScene: try #require(window.windowScene))
    panel.makeKeyAndVisible()
    program.advance(by: 100)
    let id = try #require(panel.id)
    let press = PlatformEvent.input(
      id, InputEvent(.button(PointerButton(number: 1, isDown: true, location: Point(x: 1, y: 1))), time: 1))
    program.platform.send(press, press)
    #expect(panel.heard == 1)
  }

  @Test("Rectangles stay few, and never lose a pixel")
  func damageRects() {
    var damage = Damage()
    for index in 0..<100 { damage.add(Rect(x: index * 10, y: index % 7 * 30, width: 5, height: 5)) }
    #expect(damage.rects.count <= Damage.most)
    for index in 0..<100 {
      let rect = Rect(x: index * 10, y: index % 7 * 30, width: 5, height: 5)
      #expect(damage.rects.contains { $0.contains(rect) })
    }
    #expect(
      Damage([Rect(x: -5, y: -5, width: 10, height: 10)]).clipped(to: Size(width: 3, height: 3)).rects == [
        Rect(x: 0, y: 0, width: 3, height: 3)
      ])
  }
}

/// Actions, key commands, and who hears of keys first.
@MainActor @Suite("Actions and first responders", .serialized) struct ActionTests {
  final class Link: Responder {
    var after: Responder?
    var saved: [String] = []
    var refuses = false
    var heard: [String] = []
    init(_ after: Responder?) { self.after = after }
    override var next: Responder? { after }
    override var canBecomeFirstResponder: Bool { true }
    override func canPerformAction(_ action: Action, withSender sender: AnyObject?) -> Bool {
      !refuses && super.canPerformAction(action, withSender: sender)
    }
    override func handle(_ event: Event) -> Bool {
      if case .key(let key) = event.kind { heard.append(key.characters) }
      return true
    }
    override var keyCommands: [KeyCommand] { [KeyCommand(input: "s", action: Action(Link.save))] }
    func save(_ sender: AnyObject?) { saved.append("\(sender.map { "\(type(of: $0))" } ?? "nobody")") }
  }

  private func key(_ characters: String, _ symbol: UInt32, _ modifiers: ModifierFlags = []) -> InputEvent {
    InputEvent(
      .key(Key(code: 39, symbol: symbol, characters: characters, isDown: true, modifiers: modifiers)), time: 1)
  }

  @Test("An action without a target goes along the chain to the first who can perform it")
  func chain() {
    let application = Application()
    let last = Link(nil)
    let first = Link(last)
    #expect(application.sendAction(Action(Link.save), to: nil, from: first))
    #expect(first.saved == ["Link"] && last.saved == [])
    first.refuses = true
    #expect(application.sendAction(Action(Link.save), to: nil, from: first))
    #expect(last.saved == ["Link"])
    last.refuses = true
    #expect(!application.sendAction(Action(Link.save), to: nil, from: first))
  }

  @Test("A target that is given performs its actions also where it refuses them in the chain, and no other class's")
  func target() {
    let (application, target) = (Application(), Link(nil))
    target.refuses = true
    #expect(application.sendAction(Action(Link.save), to: target, from: application))
    #expect(target.saved == ["Application"])
    #expect(!application.sendAction(Action(DisplayTests.Delegate.act), to: target, from: application))
  }

  final class Editor: Responder {
    static let saving = Action(Editor.save, name: "save")
    static let closing = Action(Editor.close, name: "close")
    var isDirty = false
    var calls: [String] = []
    func save(_ sender: AnyObject?) { calls.append("save") }
    func close(_ sender: AnyObject?) { calls.append("close") }
    override func canPerformAction(_ action: Action, withSender sender: AnyObject?) -> Bool {
      if action.name == Self.saving.name { return isDirty }
      return super.canPerformAction(action, withSender: sender)
    }
  }

  @Test("Actions of one class are told apart by the names that they are given")
  func names() {
    let (application, editor) = (Application(), Editor())
    for isDirty in [false, true] {
      editor.isDirty = isDirty
      #expect(application.sendAction(Editor.saving, to: nil, from: editor) == isDirty)
      #expect(application.sendAction(Editor.closing, to: nil, from: editor))
    }
    #expect(editor.calls == ["close", "save", "close"])
    #expect(Action(Editor.save).name == Action(Editor.close).name)
  }

  @Test("Keys go to the first responder, key commands of its chain come before")
  func keys() throws {
    let program = HeadlessProgram()
    program.launch(DisplayTests.Delegate())
    program.advance(by: 100)
    let window = try #require(DisplayTests.CanvasScene.last)
    let responder = Link(window)
    #expect(responder.becomeFirstResponder() && responder.isFirstResponder)
    let id = try #require(window.id)
    program.platform.send(.input(id, key("a", 0x61)))
    #expect(responder.heard == ["a"])
    program.platform.send(.input(id, key("\u{13}", 0x73, [.control, .numericLock])))
    #expect(responder.saved.count == 1 && responder.heard == ["a"])
    program.platform.send(.input(id, key("\u{13}", 0x53, [.control, .shift])))
    #expect(responder.saved.count == 1)
    #expect(responder.resignFirstResponder() && window.firstResponder == nil)
  }
}
