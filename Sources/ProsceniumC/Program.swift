package import CProscenium
import FoundationEssentials
package import Proscenium
package import ProsceniumCore

/// The application of a program in C: the delegate that calls the functions of its `psc_application`, and the tables of
/// its handles.
@MainActor package final class Program: Responder {
  /// The one of the process, from its attachment to its end.
  private(set) static var current: Program?

  /// What the name of the only scene configuration is.
  private static let configuration = "Main"

  let callbacks: psc_application
  package let manifest: ApplicationManifest
  /// The attachment; nil while the launch is on its way.
  var attachment: LoopAttachment?
  /// Whether the launch has come to its callbacks.
  private(set) var hasLaunched = false
  private var scenes = HandleTable<SceneDelegate>()
  private var sessions = HandleTable<SceneSession>()
  private var windows: [UInt32: WindowOwner] = [:]

  /// Makes the application of the process, in place of an earlier one.
  /// - Parameter description: The program's description.
  /// - Returns: The application's delegate.
  /// - Throws: What of the description cannot be used.
  package static func make(_ description: UnsafePointer<psc_application>?) throws(Failure) -> Program {
    let program = try Program(description)
    current = program
    return program
  }

  private init(_ description: UnsafePointer<psc_application>?) throws(Failure) {
    var callbacks = try copy(description, "psc_application")
    guard let identifier = try text(callbacks.identifier, "identifier"), !identifier.isEmpty else {
      throw Failure(PSC_ERROR_ARGUMENT, "The psc_application has no identifier: set it, such as to org.example.Editor.")
    }
    var manifest = ApplicationManifest(
      applicationIdentifier: identifier,
      sceneConfigurations: [
        SceneConfiguration(name: Self.configuration) { session in
          SceneDelegate(Program.current, session)
        }
      ])
    if let text = try text(callbacks.manifest, "manifest") {
      let problems = manifest.replaceValues(of: Array(text.utf8), named: "of the psc_application")
      guard problems.isEmpty else { throw Failure(PSC_ERROR_ARGUMENT, problems.joined(separator: " ")) }
    }
    if let problem = manifest.identifierProblem { throw Failure(PSC_ERROR_ARGUMENT, problem) }
    self.manifest = manifest
    // They are the caller's.
    (callbacks.identifier, callbacks.manifest) = (nil, nil)
    self.callbacks = callbacks
    super.init()
  }

  /// The application that runs.
  static func running() throws(Failure) -> Program {
    guard let current, current.attachment?.exitStatus == nil, Application.sharedIfLaunched?.delegate === current else {
      throw .noApplication
    }
    return current
  }

  /// The process has no application any more: its launch has failed.
  static func forget() { current = nil }

  // MARK: Handles

  func handle(_ scene: SceneDelegate) -> psc_scene { scenes.handle(scene) }
  func handle(_ session: SceneSession) -> psc_session { sessions.handle(session) }
  func forget(_ scene: SceneDelegate) { scenes.remove(scene) }

  func scene(_ handle: psc_scene) throws(Failure) -> (SceneDelegate, WindowScene) {
    guard let delegate = scenes[handle], let scene = delegate.scene else {
      throw Failure(PSC_ERROR_GONE, "There is no scene \(handle): it is disconnected, or has never been.")
    }
    return (delegate, scene)
  }

  func session(_ handle: psc_session) throws(Failure) -> SceneSession {
    guard let session = sessions[handle] else {
      throw Failure(PSC_ERROR_GONE, "There is no session \(handle): it is closed, or has never been.")
    }
    return session
  }

  func window(_ xid: UInt32) throws(Failure) -> Window {
    guard let window = windows[xid]?.window else {
      throw Failure(PSC_ERROR_GONE, "The window \(xid) has not been adopted, or belongs to no scene any more.")
    }
    return window
  }

  /// Adds a toolkit's window to a scene.
  func adopt(_ xid: UInt32, _ scene: WindowScene, _ owner: WindowOwner) throws(Failure) {
    do throws(WindowAdoptionError) {
      owner.window = try Window(adopting: xid, in: scene, owner: owner)
    } catch {
      let code = error == .noX11Window ? PSC_ERROR_NOT_X11 : PSC_ERROR_STATE
      throw Failure(code, Wording.forC(error.description))
    }
    windows = windows.filter { $0.value.window != nil }
    windows[xid] = owner
  }

  /// Reports that something has come for which the program has no callback: an error of the program.
  func reportLoss(of content: String, without callback: String) {
    Application.shared.conductor?.report("\(content) lost: set \(callback) in the psc_application.")
  }

  /// Passes the failure of a request on.
  func requestFailed(_ error: any Error) { requestFailed("\(error)") }

  func requestFailed(_ message: String) {
    guard let call = callbacks.request_failed else { return Application.report("A request has failed: \(message)") }
    worded(message).withCString { call(callbacks.data, $0) }
  }
}

extension Program: ApplicationDelegate {
  package func applicationDidFinishLaunching(_ application: Application) {
    hasLaunched = true
    callbacks.did_finish_launching?(callbacks.data)
  }

  package func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch) {
    guard let call = callbacks.did_receive_second_launch else {
      if let content = launch.contentForProgram(application) {
        reportLoss(of: content, without: "did_receive_second_launch")
      }
      return
    }
    withTexts(launch.arguments) { count, texts in
      (launch.directory ?? "").withCString { call(callbacks.data, Int32(clamping: count), texts, $0) }
    }
  }

  package func applicationDidReceiveMemoryWarning(_ application: Application) {
    callbacks.did_receive_memory_warning?(callbacks.data)
  }

  package func application(_ application: Application, didDiscardSceneSessions discarded: Set<SceneSession>) {
    for session in discarded {
      callbacks.did_discard_session?(callbacks.data, handle(session))
      sessions.remove(session)
    }
  }

  package func applicationShouldTerminate(_ application: Application) -> TerminateReply {
    switch Int(callbacks.should_terminate?(callbacks.data) ?? Int32(PSC_REPLY_NOW)) {
    case PSC_REPLY_CANCEL: .cancel
    case PSC_REPLY_LATER: .later
    default: .now
    }
  }

  package func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool {
    callbacks.should_terminate_after_last_scene_closed.map { $0(callbacks.data) != 0 } ?? true
  }

  package func applicationWillTerminate(_ application: Application) { callbacks.will_terminate?(callbacks.data) }
}

/// Numbers of objects for C, which are not used again; an object is not kept by its number.
@MainActor struct HandleTable<Object: AnyObject> {
  private struct Entry { weak var object: Object? }

  private var entries: [UInt64: Entry] = [:]
  private var last: UInt64 = 0

  subscript(handle: UInt64) -> Object? { entries[handle]?.object }

  /// The number of an object; a new one for an object without.
  mutating func handle(_ object: Object) -> UInt64 {
    if let entry = entries.first(where: { $0.value.object === object }) { return entry.key }
    entries = entries.filter { $0.value.object != nil }
    last += 1
    entries[last] = Entry(object: object)
    return last
  }

  mutating func remove(_ object: Object) { entries = entries.filter { $0.value.object !== object } }
}
