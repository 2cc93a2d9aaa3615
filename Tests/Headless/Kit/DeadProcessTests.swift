import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

/// What a test, or a task, still has of a process that is dead, and what its surroundings still have of it.
@MainActor @Suite("Objects of a dead process", .serialized) struct DeadProcessTests {
  /// Uses an object of a process when that has been killed, and when the next one runs; nothing comes of it.
  private func useDead(_ make: (Application) -> @MainActor () -> Void) throws -> HeadlessProgram {
    let (program, _) = try KitProgram.launched()
    let use = make(program.application)
    program.kill()
    use()
    program.relaunch()
    program.advance(by: .seconds(1))
    program.ignoreLines()
    let count = program.trace.count
    use()
    program.advance(by: .seconds(1))
    #expect(program.trace.count == count)
    return program
  }

  #if !WITHOUT_UserNotifications
    @Test("Notices of a dead process are not shown")
    func notices() throws {
      let program = try useDead { _ in
        let center = UserNotificationCenter.current
        let content = UserNotificationContent(title: "Title")
        return {
          center.add(UserNotificationRequest(identifier: "now", content: content))
          center.add(UserNotificationRequest(identifier: "later", content: content, trigger: .after(.seconds(60))))
          center.removePendingNotificationRequests(withIdentifiers: ["later"])
          #expect(center.pendingNotificationRequests.isEmpty)
          center.removeAllDelivered()
          center.add(UserNotificationRequest(identifier: "last", content: content))
        }
      }
      #expect(program.machine.deliveredNotifications.isEmpty)
    }
  #endif

  #if !WITHOUT_Power && !WITHOUT_Sensors
    @Test("The device of a dead process knows nothing")
    func device() throws {
      _ = try useDead { _ in
        let device = Device.current
        return {
          device.isBatteryMonitoringEnabled = true
          device.beginGeneratingDeviceOrientationNotifications()
          #expect(device.batteryLevel == -1)
          _ = device.orientation
          device.endGeneratingDeviceOrientationNotifications()
        }
      }
    }
  #endif

  #if !WITHOUT_RemoteControl
    @Test("A dead process is no player")
    func player() throws {
      let program = try useDead { application in
        let center = RemoteControlCenter.current
        application.beginReceivingRemoteControlEvents()
        return { center.commands = [.play] }
      }
      #expect(!program.machine.showsPlayer)
    }
  #endif

  #if !WITHOUT_RemoteNotifications
    @Test("A dead process registers for no pushed messages")
    func push() async throws {
      let center = OptionalBox<RemoteNotificationCenter>()
      let program = try useDead { _ in
        let current = RemoteNotificationCenter.current
        center.value = current
        return {
          current.register()
          current.unregister()
        }
      }
      #expect(await center.value?.distributors() == [])
      withExtendedLifetime(program) {}
    }
  #endif

  #if !WITHOUT_Accessories
    @Test("Accessories are not followed for a dead process")
    func accessories() throws {
      _ = try useDead { _ in
        let manager = AccessoryManager.shared
        return {
          manager.registerForLocalNotifications()
          #expect(manager.connectedAccessories.isEmpty)
          manager.unregisterForLocalNotifications()
        }
      }
    }
  #endif

  #if !WITHOUT_Accounts
    @Test("A dead process has no accounts")
    func accounts() throws {
      _ = try useDead { _ in
        let store = AccountStore.shared
        return { #expect(store.accounts.isEmpty && !store.isKnown) }
      }
    }
  #endif

  #if !WITHOUT_Handoff
    @Test("A dead process finds no activities")
    func handoff() throws {
      _ = try useDead { _ in
        let center = HandoffCenter.shared
        return { center.activities { #expect($0.isEmpty) } }
      }
    }
  #endif

  #if !WITHOUT_Preferences
    @Test("What a dead process prefers is set nowhere")
    func preferences() throws {
      let key = PreferenceKey("size", default: 12)
      _ = try useDead { application in
        let preferences = application.preferences
        return {
          preferences[key] = 14
          preferences.remove(key)
          #expect(!preferences.contains(key))
        }
      }
    }
  #endif

  #if !WITHOUT_RemoteControl && !WITHOUT_Dialogs
    enum End: CaseIterable { case kill, exit }

    @Test("When a process ends, its surroundings have nothing of it any more", arguments: End.allCases)
    func surroundings(_ end: End) async throws {
      let (program, window) = try KitProgram.launched()
      program.machine.startScreenReader()
      program.application.beginReceivingRemoteControlEvents()
      program.advance(by: .seconds(1))
      let answer = OptionalBox<[URL]>()
      let scene = try #require(window.windowScene)
      let asking = Task { answer.value = try? await scene.openFiles() }
      #expect(await program.waits { !program.dialogs.shown.isEmpty })
      #expect(program.machine.showsPlayer)
      switch end {
      case .kill: program.kill()
      case .exit:
        program.application.terminate()
        program.advance(by: .seconds(1))
      }
      #expect(!program.isRunning && !program.machine.showsPlayer && program.dialogs.shown.isEmpty)
      #expect(program.machine.accessibleWindows.isEmpty)
      program.dialogs.choose(URL(filePath: "/tmp/chosen"))
      for _ in 0..<10 { await Task.yield() }
      #expect(answer.value ?? [] == [])
      asking.cancel()
    }
  #endif

  #if !WITHOUT_UserNotifications
    @Test("A notice that the user chooses after an exit stays, as after a kill: nobody would hear of it")
    func noticeAfterExit() throws {
      let (program, _) = try KitProgram.launched()
      let request = UserNotificationRequest(identifier: "n", content: UserNotificationContent(title: "Title"))
      UserNotificationCenter.current.add(request)
      program.advance(by: .seconds(1))
      program.application.terminate()
      program.advance(by: .seconds(1))
      program.machine.choose(notification: "n")
      #expect(program.exitStatus == 0 && program.machine.deliveredNotifications.count == 1)
    }
  #endif

  @Test("Without power there are no scenes")
  func cut() throws {
    let (program, _) = try KitProgram.launched()
    program.disk.cutPower(afterWrites: 0)
    program.scenes.first?.session.userInfo = ["page": 1]
    program.advance(by: .seconds(3))
    #expect(program.disk.isCut && program.scenes.isEmpty && program.windows.isEmpty)
  }
}

/// A value that a task sets.
@MainActor private final class OptionalBox<Value> { var value: Value? }
