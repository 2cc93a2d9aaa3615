import ProsceniumCore
import ProsceniumStore
import ProsceniumTesting
import ProsceniumTrace
import SceneLifecycle
import Testing

/// Scenes of displays beside the main one.
@MainActor @Suite("External displays", .serialized) struct ExternalDisplayTests {
  private let laptop = DisplayProgram.laptop
  private let beamer = DisplayProgram.beamer

  @Test("A display that is connected gets a scene, full screen on it and never active, until it goes")
  func comesAndGoes() throws {
    let program = DisplayProgram(showsOnDisplays: true).launch(laptop)
    #expect(
      program.heard(laptop, beamer) == ["+BEAMER", "Display sceneWillConnect", "Display sceneWillEnterForeground"])
    let scene = try #require(program.display)
    let window = try #require(scene.windows.first?.id)
    let description = try #require(program.platform.windows[window]?.description)
    #expect(description.placement?.frame == beamer.frame && description.placement?.isFullScreen == true)
    #expect(!description.isInteractive)
    #expect(scene.screen?.name == "BEAMER" && scene.isFullScreen)
    #expect(program.platform.commands.contains(.show(window, .quiet)))
    #expect(!program.platform.commands.contains(.show(window, .activated)))
    // Focused and clicked it stays where it is, and hears nothing
    let press = InputEvent(
      .button(PointerButton(number: 1, isDown: true, location: Point(x: 1, y: 1))), time: 1)
    #expect(program.heard { program.platform.focus(window) }.filter { $0.name == "Display" } == [])
    #expect(program.heard { program.platform.send(.input(window, press)) } == [])
    #expect(scene.activationState == .foregroundInactive)
    program.platform.focus(program.canvas?.id)
    program.platform.advance(by: 1000)
    // When it goes
    let gone = program.heard(laptop)
    #expect(gone == ["-BEAMER", "Display sceneDidEnterBackground", "Display sceneDidDisconnect displayDisconnected"])
    #expect(program.platform.windows[window] == nil)
    #expect(program.program.application.openSessions.count == 2)
    // Then its session is that of the next one
    let session = scene.session
    let television = beamer.with { $0.name = "TELEVISION" }
    #expect(
      program.heard(laptop, television) == [
        "+TELEVISION", "Display sceneWillConnect", "Display sceneWillEnterForeground",
      ])
    #expect(program.display?.session === session && program.display !== scene)
    #expect(program.program.application.openSessions.count == 2)
  }

  @Test("Displays that are there at launch get theirs when the first scene has come to the foreground")
  func launch() {
    let program = DisplayProgram(showsOnDisplays: true).launch(laptop, beamer)
    let order = program.calls.filter { ["sceneWillEnterForeground", "sceneWillConnect"].contains($0.details) }
    #expect(
      order == [
        "Main sceneWillConnect", "Main sceneWillEnterForeground", "Display sceneWillConnect",
        "Display sceneWillEnterForeground",
      ])
    let hidden = DisplayProgram(showsOnDisplays: true).launch(laptop, beamer, arguments: ["--background"])
    #expect(hidden.calls == [])
    hidden.program.application.activateSceneSession(for: SceneSessionActivationRequest())
    hidden.platform.advance(by: 1000)
    #expect(hidden.display != nil)
  }

  @Test("Without a configuration for the role nothing is asked, and nothing connects")
  func undeclared() {
    let program = DisplayProgram().launch(laptop)
    let errors = program.program.entries.count { $0.kind == "error" }
    #expect(program.heard(laptop, beamer) == ["+BEAMER"])
    #expect(program.program.entries.count { $0.kind == "error" } == errors)
    #expect(program.program.application.openSessions.count == 1)
  }

  @Test("A delegate that returns a configuration for another role declines, until the display comes again")
  func declined() {
    @MainActor final class Asked: Responder, ApplicationDelegate {
      var roles: [SceneSession.Role] = []
      func application(
        _ application: Application, configurationForConnecting session: SceneSession, options: Scene.ConnectionOptions
      ) -> SceneConfiguration {
        roles.append(session.role)
        let configuration = SceneConfiguration(name: nil, sessionRole: .windowApplication) { Shown() }
        return configuration
      }
    }
    final class Shown: Responder, WindowSceneDelegate {
      var window: Window?
      func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
        window = (scene as? WindowScene).map { Window(windowScene: $0) }
        window?.makeKeyAndVisible()
      }
    }
    let program = HeadlessProgram(store: .none)
    let delegate = Asked()
    program.platform.windowManager.screens = [laptop]
    program.launch(delegate)
    program.platform.advance(by: 3000)
    program.platform.send(.screens([laptop, beamer]))
    #expect(delegate.roles == [.windowApplication, .windowExternalDisplayNonInteractive])
    #expect(program.application.openSessions.count == 1)
    #expect(program.entries.filter { $0.kind == "error" }.isEmpty)
    let declined = program.entries.filter { $0.text("name") == "connectExternalDisplay" }
    #expect(declined.map { $0.text("outcome") } == ["declined"])
    // Not asked again for a mode, but for the next time that it comes
    program.platform.send(.screens([laptop, beamer.with { $0.scale = 2 }]))
    #expect(delegate.roles.count == 2)
    program.platform.send(.screens([laptop]))
    program.platform.send(.screens([laptop, beamer]))
    #expect(delegate.roles.count == 3)
  }

  @Test("A scene that the user closes is discarded, and comes back with the display only")
  func closed() throws {
    let program = DisplayProgram(showsOnDisplays: true).launch(laptop, beamer)
    let window = try #require(program.display?.windows.first?.id)
    let heard = program.heard { program.platform.requestClose(window) }
    #expect(
      heard == [
        "Display sceneDidEnterBackground", "Display sceneDidDisconnect closedByUser", "didDiscardSceneSessions 1",
      ])
    #expect(program.heard(laptop, beamer.with { $0.scale = 2 }) == ["=BEAMER"])
    _ = program.heard(laptop)
    #expect(
      program.heard(laptop, beamer) == ["+BEAMER", "Display sceneWillConnect", "Display sceneWillEnterForeground"])
  }

  #if !WITHOUT_Memory
    @Test(
      "So is one that is closed, by the user or the program, while its scene is reclaimed", arguments: [true, false])
    func closedWhileReclaimed(byUser: Bool) throws {
      let program = DisplayProgram(showsOnDisplays: true).launch(laptop, beamer)
      let window = try #require(program.display?.windows.first?.id)
      let session = try #require(program.display?.session)
      program.platform.minimize(window)
      program.platform.advance(by: 3000)
      program.program.application.reclaimPolicy.maximumBackgroundScenes = 0
      program.platform.advance(by: 3000)
      #expect(session.scene == nil && program.platform.windows[window] != nil)
      program.program.application.reclaimPolicy.maximumBackgroundScenes = nil
      if byUser {
        program.platform.requestClose(window)
      } else {
        program.program.application.requestSceneSessionDestruction(session)
        program.platform.deliver()
      }
      #expect(!program.program.application.openSessions.contains(session))
      let main = try #require(program.canvas?.id)
      let heard = program.heard {
        program.platform.minimize(main)
        program.platform.advance(by: 3000)
        program.platform.restore(main)
        program.platform.advance(by: 3000)
      }
      #expect(heard.contains("Main sceneWillEnterForeground") && !heard.contains("Display sceneWillConnect"))
      _ = program.heard(laptop)
      #expect(program.heard(laptop, beamer).contains("Display sceneWillConnect"))
    }
  #endif

  @Test("Displays that change places change scenes: the one that is the main screen now has none")
  func swapped() throws {
    let program = DisplayProgram(showsOnDisplays: true).launch(laptop, beamer)
    let heard = program.heard(laptop.with { $0.isPrimary = false }, beamer.with { $0.isPrimary = true })
    #expect(heard.count { $0 == "Display sceneWillConnect" } == 1)
    #expect(heard.filter { $0.name.hasPrefix("=") }.count == 2)
    #expect(heard.contains("Display sceneDidDisconnect displayDisconnected"))
    #expect(program.display?.screen?.name == "LAPTOP")
  }

  @Test(
    "A display that takes another's place at once gets the session that waits, also where there may be one scene alone",
    arguments: [true, false])
  func replaced(supportsMultipleScenes: Bool) throws {
    let program = DisplayProgram(showsOnDisplays: true)
    program.manifest.supportsMultipleScenes = supportsMultipleScenes
    program.launch(laptop, beamer)
    let session = try #require(program.display?.session)
    let heard = program.heard(laptop, beamer.with { $0.name = "TELEVISION" })
    #expect(
      heard.suffix(4) == [
        "Display sceneDidEnterBackground", "Display sceneDidDisconnect displayDisconnected", "Display sceneWillConnect",
        "Display sceneWillEnterForeground",
      ])
    #expect(program.display?.session === session && program.display?.screen?.name == "TELEVISION")
    #expect(program.program.application.openSessions.count == 2)
    // So does the one that was the main screen
    _ = program.heard(
      laptop.with { $0.isPrimary = false },
      beamer.with {
        $0.name = "TELEVISION"
        $0.isPrimary = true
      })
    #expect(program.display?.session === session && program.display?.screen?.name == "LAPTOP")
    #expect(program.program.application.openSessions.count == 2)
  }

  @Test("In a program of one scene a second display waits until the first one goes, or its scene is closed")
  func waits() throws {
    let program = DisplayProgram(showsOnDisplays: true)
    program.manifest.supportsMultipleScenes = false
    let third = ScreenDescription(
      name: "THIRD", frame: Rect(x: 3000, y: 0, width: 800, height: 600), isPrimary: false)
    program.launch(laptop, beamer, third)
    #expect(program.scenes["Display"]?.map { $0.screen?.name } == ["BEAMER"])
    _ = program.heard(laptop, third)
    #expect(program.scenes["Display"]?.last?.screen?.name == "THIRD")
    _ = program.heard(laptop, beamer, third)
    #expect(program.scenes["Display"]?.count == 2)
    let session = try #require(program.display?.session)
    program.program.application.requestSceneSessionDestruction(session)
    program.platform.advance(by: 3000)
    #expect(program.scenes["Display"]?.count == 3 && program.display?.screen?.name == "BEAMER")
  }

  @Test("Each display has a scene of its own, and none of them keeps the program running")
  func several() throws {
    let program = DisplayProgram(showsOnDisplays: true)
    let third = ScreenDescription(
      name: "THIRD", frame: Rect(x: 3000, y: 0, width: 800, height: 600), isPrimary: false)
    program.launch(laptop, beamer, third)
    #expect(program.scenes["Display"]?.map { $0.screen?.name } == ["BEAMER", "THIRD"])
    program.platform.requestClose(try #require(program.canvas?.id))
    program.platform.advance(by: 3000)
    #expect(program.platform.quitStatus == 0)
  }

  @Test("A session of the last run waits for a display, and is no window without one")
  func restored() throws {
    let disk = CuttableDisk()
    func run() -> DisplayProgram {
      DisplayProgram(store: .given(SessionStore(files: disk, runsInline: true)), showsOnDisplays: true)
    }
    let first = run().launch(laptop, beamer)
    let session = try #require(first.display?.session.persistentIdentifier)
    first.platform.send(.signal(15))
    first.platform.advance(by: 3000)
    let second = run().launch(laptop)
    #expect(second.display == nil && second.scenes["Main"]?.count == 1)
    #expect(second.platform.windows.count == 1)
    #expect(second.program.application.openSessions.count == 2)
    _ = second.heard(laptop, beamer)
    #expect(second.display?.session.persistentIdentifier == session)
  }

  @Test("A display's session that was connecting when the program died does not keep the first scene away")
  func died() throws {
    let disk = CuttableDisk()
    func run() -> DisplayProgram {
      let program = DisplayProgram(
        store: .given(SessionStore(files: disk, runsInline: true)), showsOnDisplays: true)
      program.manifest.sceneConfigurations[0].restorePolicy = .never
      return program
    }
    // Given a display's scene that has never been seen when the program dies
    let first = run().launch(laptop)
    first.platform.windowManager.showsAtOnce = false
    #expect(first.heard(laptop, beamer).contains("Display sceneWillConnect"))
    first.platform.advance(by: 2000)
    let session = try #require(first.display?.session.persistentIdentifier)
    first.program.kill()
    // Then the next run has a window, and the display its session
    let second = run().launch(laptop)
    #expect(second.canvas != nil && second.scene?.activationState == .foregroundActive)
    #expect(second.heard(laptop, beamer).contains("Display sceneWillConnect"))
    #expect(second.display?.session.persistentIdentifier == session)
  }
}
