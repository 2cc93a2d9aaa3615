import CProscenium
import Dispatch
import FoundationEssentials
import Glibc
import ProsceniumC
import ProsceniumCore
import ProsceniumTesting
import ProsceniumTrace
import Synchronization
import TestSupport
import Testing

/// The functions of proscenium.h, called as a program in C calls them, on a desk in memory.
@MainActor @Suite("The interface for C in memory", .serialized) struct CInterfaceTests {
  /// What the functions pointed to by the application have noted: they cannot capture.
  @MainActor private enum Notes {
    static var calls: [String] = []
    static var scenes: [psc_scene] = []
    static var sessions: [psc_session] = []
    static var xid: UInt32 = 0x0f00_0000
    static var closeReply = Int32(PSC_REPLY_NOW)
    static var endReply = Int32(PSC_REPLY_NOW)
    static var onCall: (() -> Void)?

    static func note(_ call: String) {
      calls.append(call)
      onCall?()
    }

    static func reset() {
      (calls, scenes, sessions, onCall) = ([], [], [], nil)
      (closeReply, endReply) = (Int32(PSC_REPLY_NOW), Int32(PSC_REPLY_NOW))
    }
  }

  private static func note(_ call: String) { MainActor.assumeIsolated { Notes.note(call) } }

  /// The application of the tests, all of whose functions are set.
  private static func description(_ identifier: UnsafePointer<CChar>?, _ manifest: UnsafePointer<CChar>? = nil)
    -> psc_application
  {
    var application = psc_application()
    application.size = MemoryLayout<psc_application>.size
    (application.identifier, application.manifest) = (identifier, manifest)
    application.did_finish_launching = { _ in CInterfaceTests.note("launched") }
    application.did_receive_second_launch = { _, count, _, _ in CInterfaceTests.note("second \(count)") }
    application.did_receive_memory_warning = { _ in CInterfaceTests.note("memory") }
    application.did_discard_session = { _, session in CInterfaceTests.note("discarded \(session)") }
    application.should_terminate_after_last_scene_closed = { _ in 0 }
    application.should_terminate = { _ in
      CInterfaceTests.note("end?")
      return MainActor.assumeIsolated { Notes.endReply }
    }
    application.will_terminate = { _ in CInterfaceTests.note("end") }
    application.request_failed = { _, message in
      CInterfaceTests.note("failed \(message.map { String(cString: $0) } ?? "")")
    }
    application.scene_will_connect = { _, scene, connection in
      let options = connection?.pointee
      let urls = (0..<(options?.url_count ?? 0)).compactMap { options?.urls[$0].map { String(cString: $0) } }
      let activity = options?.activity_json.map { String(cString: $0) } ?? "-"
      MainActor.assumeIsolated {
        Notes.scenes.append(scene)
        Notes.sessions.append(options?.session ?? 0)
        Notes.xid += 1
        var owner = CInterfaceTests.owner
        #expect(psc_window_adopt(scene, Notes.xid, &owner) == PSC_OK)
        Notes.note("connect \(options?.is_reconnect ?? -1) \(options?.reason ?? -1) \(urls) \(activity)")
      }
    }
    application.scene_will_enter_foreground = { _, _ in CInterfaceTests.note("foreground") }
    application.scene_did_become_active = { _, _ in CInterfaceTests.note("active") }
    application.scene_will_resign_active = { _, _ in CInterfaceTests.note("resign") }
    application.scene_did_enter_background = { _, _ in CInterfaceTests.note("background") }
    application.scene_did_disconnect = { _, _ in CInterfaceTests.note("disconnect") }
    application.scene_should_close = { _, _ in
      CInterfaceTests.note("close?")
      return MainActor.assumeIsolated { Notes.closeReply }
    }
    application.scene_save_state = { _, scene in CInterfaceTests.note("save") }
    application.scene_open_urls = { _, _, count, _ in CInterfaceTests.note("urls \(count)") }
    application.scene_continue_activity = { _, _, type, json in
      CInterfaceTests.note(
        "continue \(type.map { String(cString: $0) } ?? "") \(json.map { String(cString: $0) } ?? "")")
    }
    return application
  }

  private static var owner: psc_window_owner {
    var owner = psc_window_owner()
    owner.size = MemoryLayout<psc_window_owner>.size
    owner.set_hidden = { _, _, isHidden in CInterfaceTests.note(isHidden != 0 ? "hide" : "show") }
    owner.destroy = { _, _ in CInterfaceTests.note("destroy") }
    return owner
  }

  /// Starts the program of the tests.
  private func start(
    disk: HeadlessDisk = HeadlessDisk(), _ change: @escaping @MainActor (inout psc_application) -> Void = { _ in }
  ) throws -> HeadlessProgram {
    Notes.reset()
    let headless = HeadlessProgram(
      delegate: {
        "org.example.C".withCString { identifier in
          var application = Self.description(identifier)
          change(&application)
          // It has an identifier.
          return (try? Program.make(&application)) ?? AppDelegateOfNothing()
        }
      }, disk: disk)
    headless.launch()
    headless.windows.first.map { headless.desk.focus($0) }
    headless.advance(by: .seconds(3))
    #expect(Notes.scenes.count == 1)
    return headless
  }

  private final class AppDelegateOfNothing: Responder, ApplicationDelegate {}

  private var message: String { String(cString: psc_error_message()) }

  @Test("A scene connects, has its states, and closes when it is said to")
  func life() throws {
    let headless = try start()
    let (scene, session) = (Notes.scenes[0], Notes.sessions[0])
    #expect(Notes.calls == ["launched", "connect 0 0 [] -", "foreground", "active"])
    #expect(psc_scene_state(scene) == PSC_SCENE_FOREGROUND_ACTIVE && psc_scene_session(scene) == session)
    #expect(psc_session_scene(session) == scene && psc_session_list(nil, 0) == 1)
    var listed: psc_session = 0
    #expect(psc_session_list(&listed, 1) == 1 && listed == session)
    #expect(psc_scene_data(scene) == nil && psc_scene_set_data(scene, UnsafeMutableRawPointer(bitPattern: 7)) == PSC_OK)
    #expect(psc_scene_data(scene) == UnsafeMutableRawPointer(bitPattern: 7))
    #expect(psc_scene_set_title(scene, "Title") == PSC_OK && headless.scenes[0].title == "Title")
    Notes.closeReply = Int32(PSC_REPLY_CANCEL)
    #expect(psc_window_perform_close(Notes.xid) == PSC_OK)
    headless.advance(by: .seconds(3))
    #expect(Notes.calls.suffix(1) == ["close?"] && psc_scene_state(scene) == PSC_SCENE_FOREGROUND_ACTIVE)
    Notes.closeReply = Int32(PSC_REPLY_LATER)
    #expect(psc_window_perform_close(Notes.xid) == PSC_OK)
    headless.advance(by: .seconds(3))
    Notes.calls = []
    #expect(psc_scene_reply_to_should_close(scene, 1) == PSC_OK)
    headless.advance(by: .seconds(3))
    #expect(
      Notes.calls.filter { $0 != "save" } == [
        "resign", "background", "disconnect", "destroy", "discarded \(session)",
      ])
    // Gone.
    #expect(psc_scene_state(scene) == PSC_ERROR_GONE && message.contains("no scene \(scene)"))
    #expect(psc_session_scene(session) == 0 && psc_window_perform_close(Notes.xid) == PSC_ERROR_GONE)
    #expect(psc_session_list(nil, 0) == 0)
  }

  @Test("A window is hidden and minimised at the program's request, and comes back with its session")
  func windows() throws {
    let headless = try start()
    let (scene, session) = (Notes.scenes[0], Notes.sessions[0])
    #expect(psc_window_is_hidden(Notes.xid) == 0)
    for isMinimized in [false, true] {
      Notes.calls = []
      #expect((isMinimized ? psc_window_minimize(Notes.xid) : psc_window_set_hidden(Notes.xid, 1)) == PSC_OK)
      #expect(psc_window_is_hidden(Notes.xid) == (isMinimized ? 0 : 1))
      headless.advance(by: .seconds(3))
      #expect(psc_scene_state(scene) == PSC_SCENE_BACKGROUND)
      #expect(Notes.calls.contains("hide") == !isMinimized, "\(Notes.calls)")
      #expect(psc_session_activate(session, nil, nil) == PSC_OK)
      headless.advance(by: .seconds(3))
      #expect(psc_scene_state(scene) == PSC_SCENE_FOREGROUND_ACTIVE && psc_window_is_hidden(Notes.xid) == 0)
      #expect(Notes.calls.contains("show") && Notes.calls.last == "active", "\(Notes.calls)")
    }
    for result in [psc_window_is_hidden(3), psc_window_set_hidden(3, 1), psc_window_minimize(3)] {
      #expect(result == PSC_ERROR_GONE && message.contains("window 3"))
    }
  }

  @Test("State, settings and activities come back after a crash")
  func restoration() throws {
    let disk = HeadlessDisk()
    let headless = try start(disk: disk)
    let session = Notes.sessions[0]
    var buffer = [UInt8](repeating: 0xFF, count: 64)
    #expect(psc_session_state(session, &buffer, 64) == PSC_ERROR_NOTHING)
    #expect(psc_session_set_state(session, [0, 1, 255] as [UInt8], 3) == PSC_OK)
    #expect(psc_session_set_settings(session, #"{"a": [1, 2.5, true], "b": {"c": "d"}}"#) == PSC_OK)
    headless.advance(by: .seconds(3))
    headless.crash()
    Notes.reset()
    headless.relaunch()
    headless.advance(by: .seconds(3))
    #expect(Notes.calls.contains("connect 1 2 [] -"))
    let restored = try #require(Notes.sessions.first)
    #expect(psc_session_state(restored, &buffer, 64) == 3 && buffer[..<4] == [0, 1, 255, 0xFF])
    // As much as fits.
    buffer = [9, 9, 9, 9]
    #expect(psc_session_state(restored, &buffer, 2) == 3 && buffer == [0, 1, 9, 9])
    #expect(psc_session_state(restored, nil, 0) == 3)
    var text = [CChar](repeating: 1, count: 64)
    let json = #"{"a":[1,2.5,true],"b":{"c":"d"}}"#
    #expect(psc_session_settings(restored, &text, 64) == Int64(json.utf8.count))
    #expect(text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) } == json)
    #expect(psc_session_settings(restored, &text, 3) == Int64(json.utf8.count) && text[2] == 0)
    #expect(
      psc_session_set_state(restored, nil, 0) == PSC_OK && psc_session_state(restored, nil, 0) == PSC_ERROR_NOTHING)
    #expect(psc_session_set_settings(restored, nil) == PSC_OK)
    #expect(psc_session_settings(restored, nil, 0) == PSC_ERROR_NOTHING)
    #expect(psc_session_activate(0, "org.example.open", #"{"n":1}"#) == PSC_OK)
    headless.advance(by: .seconds(3))
    #expect(Notes.calls.contains(#"connect 0 2 [] {"n":1}"#) || Notes.calls.contains(#"connect 0 0 [] {"n":1}"#))
    #expect(psc_session_activate(restored, "org.example.open", nil) == PSC_OK)
    headless.advance(by: .seconds(3))
    #expect(Notes.calls.contains("continue org.example.open {}"))
  }

  @Test("What cannot be is an error that says what to do")
  func errors() throws {
    var nothing = psc_application()
    #expect(throws: Failure.self) { try Program.make(nil) }
    #expect(throws: Failure.self) { try Program.make(&nothing) }
    nothing.size = MemoryLayout<psc_application>.size
    #expect(throws: Failure.self) { try Program.make(&nothing) }
    for bad in ["{", "[]", #"{"unknown": 1}"#, #"{"instancePolicy": 7}"#] {
      #expect(throws: Failure.self) {
        try "a.b".withCString { identifier in
          try bad.withCString {
            var application = Self.description(identifier, $0)
            _ = try Program.make(&application)
          }
        }
      }
    }
    let headless = try start()
    let (scene, session) = (Notes.scenes[0], Notes.sessions[0])
    var owner = psc_window_owner()
    #expect(
      psc_window_adopt(scene, 5, nil) == PSC_ERROR_ARGUMENT && psc_window_adopt(scene, 5, &owner) == PSC_ERROR_ARGUMENT)
    owner = Self.owner
    #expect(psc_window_adopt(scene, 0, &owner) == PSC_ERROR_NOT_X11 && message.contains("GDK_BACKEND=x11"))
    #expect(psc_window_adopt(scene, Notes.xid, &owner) == PSC_ERROR_STATE)
    #expect(psc_window_adopt(scene + 100, 5, &owner) == PSC_ERROR_GONE)
    #expect(psc_scene_set_title(scene, [CChar(bitPattern: 0xFF), 0]) == PSC_ERROR_ARGUMENT)
    #expect(psc_session_set_settings(session, "[1]") == PSC_ERROR_ARGUMENT)
    #expect(psc_session_set_settings(session, #"{"a":null}"#) == PSC_ERROR_ARGUMENT && message.contains("\"a\""))
    #expect(psc_session_set_settings(session, #"{"a":18446744073709551615}"#) == PSC_ERROR_ARGUMENT)
    #expect(psc_session_settings(session, nil, 0) == PSC_ERROR_NOTHING)
    for number in ["1e18", "1e19", "2e19", "1e300"] {
      #expect(psc_session_set_settings(session, #"{"a":\#(number)}"#) == PSC_OK, "\(number)")
    }
    #expect(psc_session_set_settings(session, nil) == PSC_OK)
    #expect(psc_session_set_state(session, nil, 3) == PSC_ERROR_ARGUMENT)
    let most = Int(PSC_MOST_STATE)
    #expect(
      [UInt8](repeating: 7, count: most).withUnsafeBytes { psc_session_set_state(session, $0.baseAddress, most) }
        == PSC_OK)
    #expect(
      [UInt8](repeating: 7, count: most + 1).withUnsafeBytes {
        psc_session_set_state(session, $0.baseAddress, most + 1)
      } == PSC_ERROR_ARGUMENT)
    #expect(psc_session_activate(0, nil, "{}") == PSC_ERROR_ARGUMENT)
    #expect(psc_session_activate(session + 100, nil, nil) == PSC_ERROR_GONE)
    #expect(psc_terminate(256) == PSC_ERROR_ARGUMENT && psc_terminate(-1) == PSC_ERROR_ARGUMENT)
    // A scene in the foreground is not disconnected; that comes later.
    Notes.calls = []
    #expect(psc_session_disconnect(session) == PSC_OK)
    headless.advance(by: .seconds(3))
    #expect(Notes.calls.contains { $0.hasPrefix("failed ") })
    // The program is not in a loop of another library here.
    #expect(
      psc_turn() == PSC_ERROR_STATE && psc_descriptor() == PSC_ERROR_STATE && psc_exit_status() == PSC_ERROR_STATE)
  }

  /// Why a description cannot be used; nil where it can.
  private func problem(_ identifier: String, manifest: String? = nil) -> String? {
    identifier.withCString { identifier in
      @MainActor func make(_ manifest: UnsafePointer<CChar>?) -> String? {
        var application = Self.description(identifier, manifest)
        do throws(Failure) {
          _ = try Program.make(&application)
          return nil
        } catch {
          #expect(error.code == PSC_ERROR_ARGUMENT)
          return error.message
        }
      }
      return manifest?.withCString { make($0) } ?? make(nil)
    }
  }

  @Test("An identifier that can name no directory is an error")
  func identifiers() {
    #expect(problem("org.example.Editor") == nil && problem(String(repeating: "a", count: 200)) == nil)
    for bad in ["", "a/b", "/", ".", "..", String(repeating: "a", count: 201)] {
      #expect(problem(bad) != nil, "\(bad)")
    }
    #expect(problem("a/b")?.contains("\"a/b\"") == true)
    #expect(problem("a.b", manifest: #"{"applicationIdentifier": "a/b"}"#)?.contains("\"a/b\"") == true)
  }

  @Test("A field that the library does not know has to be zero, and a size is near that of the struct")
  func laterVersions() throws {
    struct Later {
      var owner: psc_window_owner
      var field = 0
    }
    _ = try start()
    func adopt(_ later: Later, size: Int, _ xid: UInt32) -> Int32 {
      var later = later
      later.owner.size = size
      return withUnsafeMutablePointer(to: &later.owner) { psc_window_adopt(Notes.scenes[0], xid, $0) }
    }
    let size = MemoryLayout<Later>.size
    #expect(adopt(Later(owner: Self.owner), size: size, 0x0a00_0001) == PSC_OK)
    #expect(
      adopt(Later(owner: Self.owner, field: 1), size: size, 0x0a00_0002) == PSC_ERROR_ARGUMENT
        && message.contains("version"))
    for bad in [0, 1, MemoryLayout<psc_window_owner>.size - 1, 1 << 20, Int.max, -1] {
      #expect(
        adopt(Later(owner: Self.owner), size: bad, 0x0a00_0003) == PSC_ERROR_ARGUMENT && message.contains("sizeof"))
    }
  }

  @Test("A buffer that is NULL has no capacity, and none is larger than the memory")
  func buffers() throws {
    _ = try start()
    let session = Notes.sessions[0]
    #expect(psc_session_set_state(session, "a", 1) == PSC_OK && psc_session_set_settings(session, "{}") == PSC_OK)
    var buffer = [UInt8](repeating: 0, count: 8)
    let calls: [(UnsafeMutableRawPointer?, Int) -> Int64] = [
      { psc_session_state(session, $0, $1) },
      { psc_session_settings(session, $0?.assumingMemoryBound(to: CChar.self), $1) },
      { psc_session_identifier(session, $0?.assumingMemoryBound(to: CChar.self), $1) },
      { psc_session_list($0?.assumingMemoryBound(to: psc_session.self), $1) },
    ]
    for call in calls {
      #expect(call(nil, 0) > 0)
      #expect(call(nil, 8) == PSC_ERROR_ARGUMENT && message.contains("NULL"))
      #expect(buffer.withUnsafeMutableBytes { call($0.baseAddress, -1) } == PSC_ERROR_ARGUMENT)
      #expect(message.contains("\(UInt.max)"))
    }
    #expect(psc_session_set_state(session, "a", -1) == PSC_ERROR_ARGUMENT && message.contains("\(UInt.max)"))
    #expect(psc_session_set_state(session, nil, 1) == PSC_ERROR_ARGUMENT && message.contains("NULL"))
    #expect(psc_session_activate(session, "", nil) == PSC_ERROR_ARGUMENT && message.contains("type"))
  }

  @Test("Errors have the names of the header, and none of Swift's")
  func names() throws {
    let headless = try start {
      $0.scene_will_connect = { _, scene, connection in
        let session = connection?.pointee.session ?? 0
        MainActor.assumeIsolated {
          Notes.scenes.append(scene)
          Notes.sessions.append(session)
          // The second one has no window.
          var owner = CInterfaceTests.owner
          if Notes.scenes.count == 1 { #expect(psc_window_adopt(scene, Notes.xid + 1, &owner) == PSC_OK) }
        }
      }
    }
    let (scene, session) = (Notes.scenes[0], Notes.sessions[0])
    var messages: [String] = []
    var owner = Self.owner
    #expect(psc_task_end(77) == PSC_OK)
    #expect(psc_session_disconnect(session) == PSC_OK)
    #expect(psc_session_activate(0, nil, nil) == PSC_OK)
    headless.advance(by: .seconds(10))
    #expect(psc_task_begin("work", nil, nil) != 0)
    Notes.endReply = Int32(PSC_REPLY_LATER)
    headless.windows.first.map { headless.desk.minimize($0) }
    #expect(psc_terminate(0) == PSC_OK)
    Notes.onCall = {
      guard Notes.calls.last == "disconnect" else { return }
      #expect(psc_window_adopt(scene, 0x0a00_0001, &owner) < 0)
      messages.append(self.message)
    }
    headless.advance(by: .seconds(300))
    messages += Notes.calls.filter { $0.hasPrefix("failed ") }
    messages += headless.entries.filter { $0.kind == "error" }.compactMap { $0.text("message") }
    for name in ["psc_task_end()", "psc_window_adopt()", "scene_will_connect", "psc_reply_to_should_terminate()"] {
      #expect(messages.contains { $0.contains(name) }, "\(name): \(messages)")
    }
    for message in messages {
      #expect(
        message.firstMatch(of: /[A-Za-z]\((_|[a-z][A-Za-z]*):|Window\(|request[A-Z]|Handler/) == nil, "\(message)")
    }
  }

  @Test("What comes for a callback that the program has not is an error")
  func losses() throws {
    let headless = try start {
      ($0.did_receive_second_launch, $0.scene_open_urls, $0.scene_continue_activity) = (nil, nil, nil)
      $0.manifest = Self.manifestWithAction
    }
    func errors() -> [String] { headless.entries.filter { $0.kind == "error" }.compactMap { $0.text("message") } }
    #expect(psc_session_activate(Notes.sessions[0], "org.example.open", nil) == PSC_OK)
    headless.advance(by: .seconds(3))
    #expect(errors().count == 1 && errors()[0].contains("set scene_continue_activity"))
    let second = SecondLaunch(arguments: ["word"], directory: "/", process: nil, isBackground: false)
    headless.application.delegate?.application(headless.application, didReceiveSecondLaunch: second)
    #expect(errors().count == 2 && errors()[1].contains("\"word\""))
    headless.machine.performAction(for: ApplicationShortcutItem(type: "compose", localizedTitle: "Compose"))
    headless.advance(by: .seconds(3))
    #expect(errors().count == 3 && errors()[2].contains("compose") && errors()[2].contains("scene_continue_activity"))
  }

  @Test("A shortcut item comes as an activity, with the launch and later")
  func shortcuts() throws {
    let item = ApplicationShortcutItem(type: "compose", localizedTitle: "Compose", userInfo: ["kind": "letter"])
    let json = #"{"kind":"letter"}"#
    let headless = try start { $0.manifest = Self.manifestWithAction }
    headless.machine.performAction(for: item)
    headless.advance(by: .seconds(3))
    #expect(Notes.calls.last == "continue compose \(json)", "\(Notes.calls)")
    // And where a new scene is connected for it
    #expect(psc_window_perform_close(Notes.xid) == PSC_OK)
    headless.advance(by: .seconds(3))
    #expect(Notes.calls.contains("disconnect"))
    headless.machine.performAction(for: item)
    headless.advance(by: .seconds(3))
    #expect(Notes.calls.contains("connect 0 0 [] \(json)"), "\(Notes.calls)")
  }

  /// A text that is never freed, and in nobody's heap.
  private static func text(_ string: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  private static var manifestWithAction: UnsafePointer<CChar> {
    text(#"{"shortcutItems": [{"type": "compose", "title": "Compose"}]}"#)
  }

  @Test("What the machine and other programs tell comes to its callback, and the end waits for the reply")
  func told() throws {
    let headless = try start { $0.manifest = Self.text(#"{"openedURLSchemes": ["note"]}"#) }
    headless.machine.runShortOfMemory()
    headless.machine.open(try #require(URL(string: "note:1")), try #require(URL(string: "note:2")))
    headless.advance(by: .seconds(3))
    #expect(Notes.calls.contains("memory") && Notes.calls.contains("urls 2"), "\(Notes.calls)")
    let second = SecondLaunch(arguments: ["word", "other"], directory: "/", process: nil, isBackground: false)
    headless.application.delegate?.application(headless.application, didReceiveSecondLaunch: second)
    #expect(Notes.calls.last == "second 2")
    // A task that is not ended expires.
    #expect(psc_task_begin("work", { _ in CInterfaceTests.note("expired") }, nil) != 0)
    headless.windows.first.map { headless.desk.minimize($0) }
    headless.advance(by: .seconds(1))
    #expect(Notes.calls.contains("background") && !Notes.calls.contains("expired"), "\(Notes.calls)")
    headless.advance(by: .seconds(120))
    #expect(Notes.calls.contains("expired"), "\(Notes.calls)")
    headless.windows.first.map { headless.desk.restore($0) }
    headless.advance(by: .seconds(3))
    for (answer, ends) in [(Int32(0), false), (1, true)] {
      (Notes.calls, Notes.endReply) = ([], Int32(PSC_REPLY_LATER))
      headless.machine.endSession()
      headless.advance(by: .seconds(1))
      #expect(Notes.calls.contains("end?") && !Notes.calls.contains("end"), "\(Notes.calls)")
      #expect(psc_reply_to_should_terminate(answer) == PSC_OK)
      headless.advance(by: .seconds(1))
      #expect(Notes.calls.contains("end") == ends, "\(Notes.calls)")
    }
  }

  @Test("What fails without a callback for it, or after the last one, is reported")
  func failuresWithoutCallback() throws {
    let silent = try start { $0.request_failed = nil }
    #expect(psc_session_disconnect(Notes.sessions[0]) == PSC_OK)
    silent.advance(by: .seconds(3))
    let said = silent.entries.filter { $0.kind == "error" }.compactMap { $0.text("message") }
    #expect(said.contains { $0.hasPrefix("A request has failed: ") }, "\(silent.entries.suffix(10))")

    let headless = try start()
    let session = Notes.sessions[0]
    Notes.onCall = { if Notes.calls.last == "disconnect" { #expect(psc_session_destroy(session) == PSC_OK) } }
    #expect(psc_terminate(0) == PSC_OK)
    headless.advance(by: .seconds(3))
    #expect(Notes.calls.last == "end" && Notes.calls.contains { $0.hasPrefix("failed ") }, "\(Notes.calls)")
    #expect(psc_task_begin("work", nil, nil) == 0)
    #expect(message.contains("No background time is left"), "\(message)")
  }

  @Test("A value that could not be stored is refused, and not left out")
  func deepValues() throws {
    let headless = try start()
    let session = Notes.sessions[0]
    for (depth, isStored) in [(90, true), (101, false), (400, false)] {
      let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let result = psc_session_set_settings(session, "{\"deep\": \(deep), \"other\": 1}")
      #expect(result == (isStored ? PSC_OK : PSC_ERROR_ARGUMENT), "\(depth)")
      if !isStored { #expect(message.contains("nested too deeply at \"deep\""), "\(message)") }
    }
    #expect(headless.isRunning)
  }

  @Test("On another thread every function but those for any thread fails")
  func threads() throws {
    let headless = try start()
    let (scene, session) = (Notes.scenes[0], Notes.sessions[0])
    let found = Mutex<[Int32]>([])
    let isDone = DispatchSemaphore(value: 0)
    Thread.run {
      var results = [
        psc_turn(), psc_descriptor(), psc_terminate(0), psc_scene_state(scene),
        psc_session_set_state(session, nil, 0),
        psc_window_adopt(scene, 5, nil), psc_session_activate(0, nil, nil), psc_attach(nil, 0, nil),
        psc_window_is_hidden(5), psc_window_set_hidden(5, 0), psc_window_minimize(5),
      ]
      results.append(psc_scene_session(scene) == 0 && psc_scene_data(scene) == nil ? Int32(PSC_ERROR_THREAD) : 0)
      results.append(String(cString: psc_error_message()).contains("thread") ? Int32(PSC_ERROR_THREAD) : 0)
      let task = psc_task_begin("work", nil, nil)
      results.append(task != 0 && psc_task_end(task) == PSC_OK ? Int32(PSC_ERROR_THREAD) : 0)
      results.append(psc_background_time_remaining() > 0 ? Int32(PSC_ERROR_THREAD) : 0)
      found.withLock { [results] in $0 = results }
      isDone.signal()
    }
    // The main thread stays this test's meanwhile: the shared application is that of the program that ran last.
    isDone.wait()
    let results = found.withLock { $0 }
    #expect(results == results.map { _ in Int32(PSC_ERROR_THREAD) })
    #expect(psc_scene_state(scene) == PSC_SCENE_FOREGROUND_ACTIVE && headless.isRunning)
  }

  /// A thread of its own, which is none of libdispatch's.
  private enum Thread {
    static func run(_ body: @escaping @Sendable () -> Void) {
      var thread = pthread_t()
      let box = Unmanaged.passRetained(Body(body))
      let error = pthread_create(
        &thread, nil,
        { pointer in
          guard let pointer else { return nil }
          Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().body()
          return nil
        }, box.toOpaque())
      #expect(error == 0)
      pthread_detach(thread)
    }
    private final class Body: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
  }

  @Test("A caller that does everything in any order, in callbacks too, gets errors", arguments: 1...8)
  func fuzz(seed: UInt64) throws {
    let headless = try start()
    var numbers = SeededNumbers(seed)
    var handles: [UInt64] = [0, 1, 2, .max, 1 << 40]
    var failures = 0
    func handle() -> UInt64 { handles.randomElement(using: &numbers) ?? 0 }
    // The last one is no UTF-8.
    let texts = ["", "{}", "{\"a\":1}", "ä", "[", "org.example"].map { Array($0.utf8CString) } + [[-1, 0]]
    func text() -> [CChar]? { Int.random(in: 0...7, using: &numbers) == 0 ? nil : texts.randomElement(using: &numbers) }
    func bytes(_ body: (UnsafeMutablePointer<CChar>?, Int) -> Int64) -> Int64 {
      var buffer = [CChar](repeating: 7, count: 16)
      let capacity = [0, 1, 15].randomElement(using: &numbers) ?? 0
      let result = buffer.withUnsafeMutableBufferPointer {
        body(Bool.random(using: &numbers) ? nil : $0.baseAddress, capacity)
      }
      #expect(buffer[15] == 7)
      return result
    }
    func call() -> Int64 {
      let (first, second) = (text(), text())
      switch Int.random(in: 0..<32, using: &numbers) {
      case 0: return Int64(psc_scene_state(handle()))
      case 1: return psc_scene_session(handle()) == 0 ? Int64(PSC_ERROR_GONE) : 0
      case 2: return Int64(psc_scene_set_data(handle(), nil))
      case 3: return Int64(psc_scene_set_title(handle(), first))
      case 4: return Int64(psc_scene_invalidate_state(handle()))
      case 5: return Int64(psc_scene_reply_to_should_close(handle(), Int32.random(in: 0...1, using: &numbers)))
      case 6: return bytes { buffer, count in psc_session_identifier(handle(), buffer, count) }
      case 7: return bytes { buffer, count in psc_session_state(handle(), buffer, count) }
      case 8: return bytes { buffer, count in psc_session_settings(handle(), buffer, count) }
      case 9: return Int64(psc_session_set_settings(handle(), first))
      case 10:
        return Int64(
          psc_session_set_state(handle(), first, first.map { $0.count - 1 } ?? Int.random(in: 0...1, using: &numbers)))
      case 11: return Int64(psc_session_activate(handle(), first, second))
      case 12: return Int64(psc_session_destroy(handle()))
      case 13: return Int64(psc_session_disconnect(handle()))
      case 14:
        var owner = Self.owner
        let xid = Bool.random(using: &numbers) ? UInt32.random(in: 0...3, using: &numbers) : Notes.xid
        return Int64(
          Bool.random(using: &numbers)
            ? psc_window_adopt(handle(), xid, nil) : psc_window_adopt(handle(), xid, &owner))
      case 15: return Int64(psc_window_perform_close(Bool.random(using: &numbers) ? Notes.xid : 3))
      case 16: return psc_session_list(nil, Int.random(in: 0...3, using: &numbers))
      case 17: return psc_session_scene(handle()) == 0 ? Int64(PSC_ERROR_GONE) : 0
      case 18: return Int64(psc_task_end(psc_task_begin(first, nil, nil)))
      case 19: return Int64(psc_task_end(handle()))
      case 20: return Int64(psc_turn())
      case 21: return Int64(psc_reply_to_should_terminate(0))
      case 22: return Int64(psc_exit_status())
      case 23: return Int64(psc_window_is_hidden(Bool.random(using: &numbers) ? Notes.xid : 3))
      case 24:
        return Int64(psc_window_set_hidden(Notes.xid, Int32.random(in: 0...1, using: &numbers)))
      case 25: return Int64(psc_window_minimize(Bool.random(using: &numbers) ? Notes.xid : 3))
      case 26: return Int64(psc_attach(nil, Int32.random(in: -1...1, using: &numbers), nil))
      case 27: return Int64(psc_terminate([256, -1, .max, .min].randomElement(using: &numbers) ?? -1))
      case 28: return Int64(psc_descriptor())
      case 29: return psc_scene_data(handle()) == nil ? 0 : Int64(PSC_ERROR_STATE)
      case 30: return psc_background_time_remaining()
      default: return psc_time_to_next_turn()
      }
    }
    var depth = 0
    Notes.onCall = {
      handles += [Notes.scenes.last ?? 0, Notes.sessions.last ?? 0]
      guard depth < 2 else { return }
      depth += 1
      for _ in 0..<3 { _ = call() }
      depth -= 1
    }
    for _ in 0..<1500 {
      let result = call()
      if result < 0 {
        failures += 1
        #expect(result >= Int64(PSC_ERROR_NOTHING) && !message.isEmpty)
      }
      if Int.random(in: 0..<12, using: &numbers) == 0 { headless.advance(by: .milliseconds(700)) }
    }
    Notes.onCall = nil
    // Not all of them, and it goes on.
    #expect(failures > 100 && failures < 1500 && headless.isRunning)
    // Nor does the end of the program make a difference to what is safe.
    #expect(psc_terminate(0) == PSC_OK)
    headless.advance(by: .seconds(60))
    #expect(!headless.isRunning)
    for _ in 0..<300 where call() < 0 { #expect(!message.isEmpty) }
    #expect(!headless.isRunning)
  }
}
