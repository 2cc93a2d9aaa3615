import ProsceniumTesting
import SceneLifecycle
import Testing

@testable import ProsceniumCore

/// Which menu gets what the user does, and what dismisses menus and tooltips: without a display and without views.
@MainActor @Suite("Pop-up windows") struct PopUpTests {
  /// Writes down what it gets.
  final class Recorder: Responder, WindowContent {
    var heard: [String] = []
    var withheld = 0
    var handles = true
    var draws = true
    func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
      guard draws else { return }
      for rect in damage { buffer.fill(rect, with: .black) }
    }
    func responder(for event: Event) -> Responder? { self }
    func inputWithheld() { withheld += 1 }
    override func handle(_ event: Event) -> Bool {
      switch event.kind {
      case .key(let key): heard.append("key \(key.characters)")
      case .button(let button):
        heard.append("\(button.isDown ? "down" : "up") \(button.location.x),\(button.location.y)")
      case .motion(let motion): heard.append("\(motion.phase) \(motion.location.x),\(motion.location.y)")
      case .scroll: heard.append("scroll")
      case .touch, .remoteControl, .deviceMotion, .exposed, .resized: break
      }
      return handles
    }
  }

  final class Menu: PopUpWindow {
    let recorder = Recorder()
    var dismissals = 0
    var outside: [Event.Kind] = []
    override init(above owner: Window, kind: Kind) {
      super.init(above: owner, kind: kind)
      content = recorder
      setNeedsDisplay()
    }
    override func didDismiss() { dismissals += 1 }
    override func eventOutside(_ event: Event) {
      outside.append(event.kind)
      super.eventOutside(event)
    }
  }

  final class Main: Responder, WindowSceneDelegate {
    var windows: [Window] = []
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      for number in 0...1 {
        let window = Window(windowScene: scene)
        window.frame = Rect(x: 100 + 500 * number, y: 100, width: 300, height: 200)
        window.content = Recorder()
        window.makeKeyAndVisible()
        windows.append(window)
      }
      windows[0].makeKey()
    }
  }

  final class Delegate: Responder, ApplicationDelegate {
    let manifest = ApplicationManifest(sceneConfigurations: [SceneConfiguration(name: "Main", delegate: Main.init)])
  }

  let program = HeadlessProgram()
  let delegate = Delegate()
  let scene: WindowScene
  let window: Window
  let other: Window
  let menu: Menu
  let id: WindowID

  init() throws {
    program.launch(delegate)
    program.advance(by: 100)
    scene = try #require(program.application.connectedScenes.first as? WindowScene)
    let main = try #require(scene.delegate as? Main)
    (window, other) = (main.windows[0], main.windows[1])
    id = try #require(window.id)
    program.platform.focus(id)
    menu = Menu(above: window, kind: .menu)
  }

  private var recorder: Recorder? { window.content as? Recorder }

  private func send(_ kind: InputEvent.Kind, to window: Window? = nil) {
    program.platform.send(.input((window ?? self.window).id ?? id, InputEvent(kind, time: 1)))
  }
  private func key(_ symbol: UInt32, _ text: String) -> InputEvent.Kind {
    .key(Key(code: 30, symbol: symbol, characters: text, isDown: true))
  }
  private func press(_ x: Int, _ y: Int) -> InputEvent.Kind {
    .button(PointerButton(number: 1, isDown: true, location: Point(x: x, y: y)))
  }
  private func release(_ x: Int, _ y: Int) -> InputEvent.Kind {
    .button(PointerButton(number: 1, isDown: false, location: Point(x: x, y: y)))
  }
  private func move(_ x: Int, _ y: Int) -> InputEvent.Kind {
    .motion(Motion(phase: .moved, location: Point(x: x, y: y)))
  }

  private func presentMenu() {
    #expect(menu.present(at: Rect(x: 150, y: 250, width: 120, height: 200)))
    program.advance(by: 50)
  }

  /// Presents a menu as soon as it is active.
  private final class Presenting: Responder, WindowSceneDelegate {
    var window: Window?
    var menu: PopUpWindow?
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      window = (scene as? WindowScene).map { Window(windowScene: $0) }
      window?.makeKeyAndVisible()
    }
    func sceneDidBecomeActive(_ scene: Scene) {
      menu = window.map { PopUpWindow(above: $0, kind: .menu) }
      menu?.present(at: Rect(x: 10, y: 10, width: 100, height: 50))
    }
  }

  @Test("A menu is no window that is left of a session, in a program that is searched")
  func searched() throws {
    final class Delegate: Responder, ApplicationDelegate {
      let manifest = ApplicationManifest(
        sceneConfigurations: [SceneConfiguration(name: "Main", delegate: Presenting.init)])
    }
    let failure = HistoryTester(Delegate.init).failure(of: try History("launch; wait 6000; minimize 0; wait 6000"))
    #expect(failure == nil, "\(failure.map(\.description) ?? "")")
  }

  @Test("A menu is shown and drawn, and changes nothing about its scene")
  func shown() throws {
    let count = program.trace.count
    presentMenu()
    let popUp = try #require(menu.id)
    let shown = try #require(program.platform.windows[popUp])
    #expect(shown.isMapped && shown.frame == Rect(x: 150, y: 250, width: 120, height: 200))
    #expect(shown.description.popUp == .menu && shown.description.transientFor == id)
    #expect(program.platform.surface(of: popUp)?[5, 5] == 0xFF00_0000)
    #expect(menu.windowScene === scene && !menu.isKeyWindow && window.isKeyWindow)
    #expect(scene.windows == [window, other])
    #expect(program.platform.windowManager.pointer.holder == id && recorder?.withheld == 1)
    menu.dismiss()
    program.advance(by: 50)
    #expect(program.platform.windows[popUp] == nil && program.platform.windowManager.pointer.holder == nil)
    #expect(menu.dismissals == 1 && !menu.isPresented)
    // Nothing of it is a line of the trace.
    #expect(program.trace.count == count)
    // It may be presented anew.
    presentMenu()
    #expect(menu.isPresented)
  }

  @Test("The pointer is for the menu that it is over, in that menu's pixels, and for the first one elsewhere")
  func pointer() {
    presentMenu()
    let submenu = Menu(above: menu, kind: .menu)
    #expect(submenu.present(at: Rect(x: 260, y: 300, width: 100, height: 100)))
    send(move(60, 160))
    send(move(5, 7), to: menu)
    // Where both are it is the submenu's.
    send(move(165, 205))
    #expect(menu.recorder.heard == ["moved 10,10", "moved 5,7"])
    #expect(submenu.recorder.heard == ["moved 5,5"])
    send(move(0, 0))
    send(move(3, 3), to: other)
    #expect(menu.outside.count == 2 && submenu.outside.isEmpty && recorder?.heard == [])
    // A menu hears that the pointer has left it.
    send(.motion(Motion(phase: .exited, location: Point(x: -40, y: 0))), to: submenu)
    #expect(submenu.recorder.heard.last == "exited -40,0")
    send(press(1, 1), to: other)
    program.advance(by: 50)
    #expect(menu.dismissals == 1 && submenu.dismissals == 1)
    #expect((other.content as? Recorder)?.heard == [], "the press that dismisses is no press of a window")
    // Nor is its release; what follows is the window's again.
    send(release(1, 1))
    send(release(2, 2))
    #expect(recorder?.heard == ["up 2,2"])
  }

  @Test("After a press in another program, which has its release, a click in a window is whole")
  func releasedElsewhere() {
    presentMenu()
    send(press(-500, 20))
    program.advance(by: 50)
    #expect(menu.dismissals == 1 && recorder?.heard == [])
    // On the usual way to the next click a tooltip is shown, which the press ends.
    let tip = Menu(above: window, kind: .toolTip)
    #expect(tip.present(at: Rect(x: 120, y: 120, width: 50, height: 20)))
    send(press(5, 6))
    tip.dismiss()
    send(release(7, 8))
    #expect(recorder?.heard == ["down 5,6", "up 7,8"])
  }

  @Test("Keys are for the menu that was presented last, and Escape dismisses what does not handle it")
  func keys() {
    presentMenu()
    let submenu = Menu(above: menu, kind: .menu)
    submenu.present(at: Rect(x: 260, y: 300, width: 100, height: 100))
    send(key(0x61, "a"))
    #expect(submenu.recorder.heard == ["key a"] && menu.recorder.heard == [])
    send(key(KeySymbol.escape, "\u{1B}"))
    #expect(submenu.isPresented)
    submenu.recorder.handles = false
    send(key(KeySymbol.escape, "\u{1B}"))
    #expect(!submenu.isPresented && menu.isPresented)
    send(key(0x62, "b"))
    #expect(menu.recorder.heard == ["key b"] && recorder?.heard == [])
  }

  @Test("A key that comes with the press that presents a menu is the menu's")
  func oneBatch() {
    final class Opener: Responder, WindowContent {
      let menu: Menu
      init(_ menu: Menu) { self.menu = menu }
      func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {}
      func responder(for event: Event) -> Responder? { self }
      override func handle(_ event: Event) -> Bool { menu.present(at: Rect(x: 0, y: 0, width: 10, height: 10)) }
    }
    let opener = Opener(menu)
    window.content = opener
    program.platform.send(
      .input(id, InputEvent(press(5, 5), time: 1)), .input(id, InputEvent(key(0x61, "a"), time: 2)))
    #expect(menu.recorder.heard == ["key a"])
  }

  enum End: CaseIterable {
    case resigns, minimized, moved, closed, removed, hidden, destroyed, ownFocus, pointerTaken, saver, alert, locked
  }

  @Test("What ends a menu", arguments: End.allCases)
  func ends(end: End) {
    presentMenu()
    let submenu = Menu(above: menu, kind: .menu)
    submenu.present(at: Rect(x: 260, y: 300, width: 100, height: 100))
    let modal = Window(windowScene: scene)
    switch end {
    case .resigns: program.platform.focus(nil)
    case .minimized: program.platform.minimize(id)
    case .moved: program.platform.move(id, to: Rect(x: 110, y: 100, width: 300, height: 200))
    case .closed: program.platform.requestClose(id)
    case .removed: window.windowScene = nil
    case .hidden: window.isHidden = true
    case .destroyed: program.platform.destroyForeign(menu.id ?? id)
    case .ownFocus: other.id.map(program.platform.focus)
    case .pointerTaken: program.platform.takePointer()
    case .saver: program.platform.send(.screenSaver(isOn: true))
    case .alert: scene.modalWindows.append(modal)
    case .locked: program.machine.lock()
    }
    program.advance(by: 3000)
    #expect(!menu.isPresented && !submenu.isPresented && menu.dismissals == 1 && submenu.dismissals == 1)
    #expect(menu.id == nil && program.platform.windowManager.pointer.holder == nil)
    #expect(program.platform.windows.values.allSatisfy { $0.description.popUp == nil })
  }

  @Test("A menu is not presented without the pointer, in the background, or above a hidden window")
  func refused() {
    program.platform.windowManager.pointer.isFree = false
    #expect(menu.present(at: Rect(x: 0, y: 0, width: 10, height: 10)))
    program.advance(by: 50)
    #expect(!menu.isPresented && menu.dismissals == 1)
    program.platform.windowManager.pointer.isFree = true
    let hidden = Window(windowScene: scene)
    #expect(!Menu(above: hidden, kind: .menu).present(at: Rect(x: 0, y: 0, width: 10, height: 10)))
    program.platform.minimize(id)
    other.id.map(program.platform.minimize)
    program.advance(by: 3000)
    #expect(scene.activationState == .background)
    #expect(!menu.present(at: Rect(x: 0, y: 0, width: 10, height: 10)) && menu.dismissals == 1)
  }

  @Test("A tooltip takes no input and no pointer, and goes with its scene")
  func toolTip() {
    let tip = Menu(above: window, kind: .toolTip)
    #expect(tip.present(at: Rect(x: 120, y: 120, width: 50, height: 20)))
    send(key(0x61, "a"))
    send(press(25, 25))
    #expect(recorder?.heard == ["key a", "down 25,25"] && tip.recorder.heard == [] && tip.isPresented)
    #expect(program.platform.windowManager.pointer.holder == nil)
    // A menu takes its place.
    presentMenu()
    #expect(!tip.isPresented && tip.dismissals == 1)
    let next = Menu(above: window, kind: .toolTip)
    next.present(at: Rect(x: 120, y: 120, width: 50, height: 20))
    #expect(!menu.isPresented)
    program.platform.focus(nil)
    program.advance(by: 3000)
    #expect(next.dismissals == 1)
  }

  @Test("Any rectangle can be asked for")
  func rubbish() {
    for rect in [
      Rect(x: .min, y: .max, width: .max, height: .min), Rect(x: .max, y: .max, width: .max, height: .max),
      Rect(x: 0, y: 0, width: 0, height: -5),
    ] {
      let menu = Menu(above: window, kind: .menu)
      // Four gigabytes of pixels are not what is tried.
      menu.recorder.draws = false
      #expect(menu.present(at: rect))
      program.advance(by: 20)
      send(move(.max, .min))
      menu.dismiss()
    }
  }

  @Test("A window that stays where it is keeps its menu, whatever else is told of its place")
  func stays() throws {
    presentMenu()
    var geometry = try #require(program.platform.windows[id]?.geometry)
    geometry.normalFrame = Rect(x: 1, y: 2, width: 3, height: 4)
    geometry.desktop = 3
    program.platform.send(.geometry(id, geometry))
    #expect(menu.isPresented)
  }

  @Test("A menu that covers its window does not hide its scene")
  func covers() throws {
    scene.session.configuration.treatsOcclusionAsHidden = true
    presentMenu()
    var levels = try #require(program.platform.windows[id]?.levels)
    levels.occluded = true
    program.platform.send(.levels(id, levels))
    program.advance(by: 3000)
    #expect(scene.activationState == .foregroundActive && menu.isPresented)
  }
}
