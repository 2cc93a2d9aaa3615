import ProsceniumCore
import ProsceniumJSON
import ProsceniumTesting
import ProsceniumTrace
import SceneLifecycle
import Testing

/// What scenes and observers hear when the screens change.
@MainActor @Suite("Surroundings of a scene", .serialized) struct SurroundingsTests {
  private let laptop = DisplayProgram.laptop
  private let beamer = DisplayProgram.beamer
  private let turned = DisplayProgram.laptop.with {
    $0.frame.size = Size(width: 1080, height: 1920)
    $0.visibleFrame = $0.frame
    $0.rotation = .left
  }

  private func frame(_ program: DisplayProgram, _ change: (inout Rect) -> Void) throws -> WindowGeometry {
    let id = try #require(program.canvas?.id)
    var rect = try #require(program.platform.windows[id]?.frame)
    change(&rect)
    return WindowGeometry(frame: rect)
  }

  @Test("A screen that is turned is told first, then the geometry, then the scene, which is laid out once")
  func turning() throws {
    let program = DisplayProgram().launch(laptop)
    let canvas = try #require(program.canvas)
    #expect(program.scene?.interfaceOrientation == .landscapeRight)
    let draws = canvas.draws
    let geometry = try frame(program) { $0.size = Size(width: 500, height: 700) }
    let heard = program.heard(turned, also: .geometry(try #require(canvas.id), geometry))
    #expect(
      heard == ["=LAPTOP", "#LAPTOP", "Main didUpdateEffectiveGeometry", "Main didUpdate 640x480 landscapeRight 1.0"])
    #expect(program.scene?.interfaceOrientation == .portrait)
    program.platform.advance(by: 100)
    #expect(canvas.draws == draws + 1)
    // Turned alone, the window as large as it was: laid out all the same, once.
    let inverted = program.heard(laptop.with { $0.rotation = .inverted })
    #expect(inverted == ["=LAPTOP", "#LAPTOP", "Main didUpdate 500x700 portrait 1.0"])
    program.platform.advance(by: 100)
    #expect(canvas.draws == draws + 2)
    // And the same again is nothing.
    #expect(program.heard(laptop.with { $0.rotation = .inverted }) == [])
    program.platform.advance(by: 100)
    #expect(canvas.draws == draws + 2)
  }

  @Test("A program that supports some orientations gets the nearest of them, and hears of no turn between two of one")
  func supported() {
    let program = DisplayProgram()
    program.supported = .portrait
    program.launch(laptop)
    #expect(program.scene?.interfaceOrientation == .portrait)
    #expect(program.scene?.screen?.interfaceOrientation == .landscapeRight)
    #expect(program.heard(turned) == ["=LAPTOP", "#LAPTOP"])
    #expect(program.scene?.interfaceOrientation == .portrait)
    program.supported = []
    #expect(program.heard(laptop) == ["=LAPTOP", "#LAPTOP", "Main didUpdate 640x480 portrait 1.0"])
    #expect(program.scene?.interfaceOrientation == .landscapeRight)
  }

  @Test("Another place on the screen is geometry alone; another screen, size or scale is told to the scene, once")
  func moves() throws {
    // It has room for the window at each scale.
    let beamer = beamer.with {
      $0.frame.size = Size(width: 3840, height: 2160)
      $0.visibleFrame = $0.frame
    }
    let program = DisplayProgram().launch(laptop, beamer)
    let canvas = try #require(program.canvas)
    let id = try #require(canvas.id)
    #expect(
      program.heard { program.platform.move(id, to: Rect(x: 10, y: 10, width: 640, height: 480)) } == [
        "Main didUpdateEffectiveGeometry"
      ])
    let other = program.heard { program.platform.move(id, to: Rect(x: 2000, y: 10, width: 640, height: 480)) }
    #expect(other == ["Main didUpdateEffectiveGeometry", "Main didUpdate 640x480 landscapeRight 1.0"])
    #expect(program.scene?.screen?.name == "BEAMER")
    // At another scale the window has fewer points for a moment, until it has got the size for them.
    #expect(
      program.heard { program.platform.send(.scale(id, 2)) } == [
        "Main didUpdateEffectiveGeometry", "Main didUpdate 640x480 landscapeRight 1.0",
        "Main didUpdateEffectiveGeometry", "Main didUpdate 320x240 landscapeRight 2.0",
      ])
    #expect(program.scene?.coordinateSpace.bounds.size == Size(width: 640, height: 480))
    #expect(program.scene?.traitCollection == TraitCollection(displayScale: 2))
    let scaled = program.heard(laptop.with { $0.scale = 2 }, beamer.with { $0.scale = 3 }, also: .scale(id, 3))
    #expect(
      scaled == [
        "=LAPTOP", "=BEAMER", "Main didUpdateEffectiveGeometry", "Main didUpdate 640x480 landscapeRight 2.0",
        "Main didUpdateEffectiveGeometry", "Main didUpdate 427x320 landscapeRight 3.0",
      ])
    // The window goes with its monitor.
    let moved = try frame(program) { $0.origin.x = 100 }
    let gone = program.heard(laptop.with { $0.scale = 2 }, also: .geometry(id, moved), .scale(id, 2))
    #expect(
      gone == [
        "-BEAMER", "Main didUpdateEffectiveGeometry", "Main didUpdateEffectiveGeometry",
        "Main didUpdate 640x480 landscapeRight 3.0", "Main didUpdateEffectiveGeometry",
        "Main didUpdate 960x720 landscapeRight 2.0",
      ])
    #expect(program.scene?.coordinateSpace.bounds.size == Size(width: 640, height: 480))
  }

  @Test("In the background it is told, too")
  func background() throws {
    let program = DisplayProgram().launch(laptop)
    program.platform.minimize(try #require(program.canvas?.id))
    program.platform.advance(by: 1000)
    #expect(program.heard(turned) == ["=LAPTOP", "#LAPTOP", "Main didUpdate 640x480 landscapeRight 1.0"])
  }

  @Test("Scenes hear of their state before the screens of the same batch, and of themselves after them")
  func order() throws {
    let program = DisplayProgram().launch(laptop)
    let id = try #require(program.canvas?.id)
    let levels = WindowLevels(visible: true, visibleCause: "viewable")
    var heard = program.heard(turned, also: .levels(id, levels))
    program.platform.advance(by: 500)
    #expect(heard == ["=LAPTOP", "#LAPTOP", "Main didUpdate 640x480 landscapeRight 1.0"])
    // What is held falls later; what acts at once comes first.
    heard = program.heard(laptop, also: .levels(id, WindowLevels(visible: true, focused: true)))
    #expect(heard.first != "Main didUpdate 640x480 portrait 1.0")
    #expect(Array(heard.suffix(3)) == ["=LAPTOP", "#LAPTOP", "Main didUpdate 640x480 portrait 1.0"])
  }

  @Test("The work area has a notification of its own, and no scene is laid out for it")
  func workArea() throws {
    let program = DisplayProgram().launch(laptop)
    let panel = laptop.with { $0.visibleFrame = Rect(x: 0, y: 30, width: 1920, height: 1050) }
    #expect(program.heard(panel) == ["#LAPTOP"])
    #expect(program.program.application.screens[0].visibleFrame.origin.y == 30)
    #expect(program.heard(panel) == [])
    #expect(program.heard(laptop) == ["#LAPTOP"])
  }

  #if !WITHOUT_Memory
    @Test("The first change after a session has been reconnected is told, too")
    func reconnected() throws {
      let program = DisplayProgram().launch(laptop, beamer)
      let id = try #require(program.canvas?.id)
      program.platform.minimize(id)
      program.platform.advance(by: 1000)
      program.program.application.reclaimPolicy.maximumBackgroundScenes = 0
      program.platform.advance(by: 10_000)
      let reconnected = program.heard { program.platform.restore(id) }
      #expect(reconnected.contains("Main sceneWillConnect") && program.canvas?.id == id)
      let moved = program.heard { program.platform.move(id, to: Rect(x: 2000, y: 10, width: 640, height: 480)) }
      #expect(moved == ["Main didUpdateEffectiveGeometry", "Main didUpdate 640x480 landscapeRight 1.0"])
    }
  #endif

  @Test("What panels leave is asked for when the first scene has come to the foreground, once")
  func followed() {
    let program = DisplayProgram()
    program.platform.windowManager.screens = [laptop]
    program.program.launch(program)
    func asked() -> Int { program.platform.commands.count { $0 == .followScreens } }
    // After everything else that the launch asks for, when there is nothing to do
    #expect(asked() == 1 && program.platform.commands.last == .followScreens)
    program.program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.platform.advance(by: 3000)
    #expect(asked() == 1)
  }

  @Test("The trace has one line for each change of the screens, and none for those that were there")
  func traced() {
    let whole = ScreenDescription(
      name: "screen", frame: Rect(x: 0, y: 0, width: 2944, height: 1080), isPrimary: true, isProvisional: true)
    let program = DisplayProgram().launch(whole)
    func lines() -> [TraceRecord] { program.program.entries.filter { $0.text("name") == "screens" } }
    _ = program.heard(laptop, beamer)
    #expect(lines().isEmpty)
    _ = program.heard(turned)
    #expect(lines().count == 1)
    let names = lines()[0].fields.fields.compactMap { field -> String? in
      guard case .array(let names) = field.value else { return nil }
      return "\(field.key) \(names.compactMap(\.text).joined(separator: ","))"
    }
    #expect(names == ["disconnected BEAMER", "changed LAPTOP", "visibleFrame LAPTOP"])
    _ = program.heard(turned)
    #expect(lines().count == 1)
  }

  #if !WITHOUT_Suspension
    @Test("While the program is suspended each screen's changes are kept as one of each kind, and told first")
    func suspended() throws {
      let program = DisplayProgram()
      program.manifest.suspensionPolicy = .whenAllInBackground
      program.launch(laptop, beamer)
      let id = try #require(program.canvas?.id)
      program.platform.minimize(id)
      program.platform.advance(by: 12_000)
      #expect(program.platform.isSuspended)
      let television = beamer.with { $0.name = "TELEVISION" }
      // Three modes, one panel that comes and goes, one monitor for another that goes too, and one that stays
      let heard = program.heard {
        _ = program.heard(laptop.with { $0.scale = 2 }, beamer)
        _ = program.heard(turned, television)
        _ = program.heard(turned.with { $0.visibleFrame.size.height -= 40 })
        _ = program.heard(turned, television)
      }
      #expect(heard == [] && program.platform.isSuspended)
      let woken = program.heard { program.platform.restore(id) }.filter { $0 != "Main didUpdateEffectiveGeometry" }
      #expect(
        woken == [
          "-BEAMER", "+TELEVISION", "=LAPTOP", "#LAPTOP", "Main didUpdate 640x480 landscapeRight 1.0",
          "Main sceneWillEnterForeground", "Main sceneDidBecomeActive",
        ])
    }
  #endif
}
