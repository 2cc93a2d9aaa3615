import Glibc
import Proscenium
import ProsceniumGLib

/// A program of GTK 3 in GTK's own loop, whose windows are adopted.
///
/// Each has an entry with a text that its session keeps. `--scenes N` opens N at the first launch; the text `refuse`
/// keeps a window from being closed, `destroy` has GTK destroy it, and `hide` hide it, without asking anybody. With
/// `--keep` a close keeps the scene, and GTK shows the window again a second after it has hidden it.
@main @MainActor enum GuestProgram {
  static var gtk: GTK?

  static func main() {
    setenv("GDK_BACKEND", "x11", 1)
    guard let gtk = GTK() else {
      print("GTK 3 is missing")
      exit(2)
    }
    self.gtk = gtk
    do {
      let loop = try GLibLoop { _ in gtk.mainQuit() }
      let attachment = try Application.attach(to: loop) { GuestDelegate() }
      gtk.main()
      exit(attachment.exitStatus ?? 1)
    } catch let ended as LaunchEnded {
      exit(ended.status)
    } catch {
      print("\(error)")
      exit(2)
    }
  }
}

final class GuestDelegate: Responder {
  let manifest: ApplicationManifest = {
    var configuration = SceneConfiguration(name: "Main", delegate: GuestScene.init)
    if CommandLine.arguments.contains("--keep") { configuration.closePolicy = .background }
    return ApplicationManifest(
      applicationIdentifier: "org.proscenium.Guest", sceneConfigurations: [configuration])
  }()
}

extension GuestDelegate: ApplicationDelegate {
  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    let arguments = CommandLine.arguments
    guard application.openSessions.isEmpty, let place = arguments.firstIndex(of: "--scenes") else { return true }
    let count = arguments.dropFirst(place + 1).first.flatMap { Int($0) } ?? 1
    for _ in 1..<max(count, 1) { application.requestSceneSessionActivation(nil, userActivity: nil) }
    return true
  }
}

final class GuestScene: Responder {
  var window: Window?
  private var widget: GTK.Widget?
  private var entry: GTK.Widget?
  private weak var session: SceneSession?
}

extension GuestScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let gtk = GuestProgram.gtk, let scene = scene as? WindowScene, let widget = gtk.makeWindow(0),
      let entry = gtk.makeEntry()
    else { return }
    (self.widget, self.entry, self.session) = (widget, entry, session)
    gtk.setTitle(widget, "Guest")
    gtk.setDefaultSize(widget, 300, 120)
    gtk.add(widget, entry)
    gtk.setText(entry, session.userInfo?["text"] as? String ?? "")
    gtk.realize(widget)
    let own = Unmanaged.passUnretained(self).toOpaque()
    gtk.connect(widget, "delete-event", own) { _, _, data in
      GuestScene.from(data) { $0.window?.performClose() }
      // The scene's delegate decides.
      return 1
    }
    gtk.connect(entry, "changed", own) { _, data, _ in
      GuestScene.from(data) { $0.textChanged() }
      return 0
    }
    do throws(WindowAdoptionError) {
      window = try Window(adopting: gtk.xid(of: widget), in: scene, owner: self)
      gtk.showAll(widget)
    } catch {
      print("not adopted: \(error)")
    }
  }

  func sceneShouldClose(_ scene: Scene) -> SceneCloseReply { text == "refuse" ? .cancel : .now }

  private nonisolated static func from(
    _ data: UnsafeMutableRawPointer?, _ body: @MainActor (GuestScene) -> Void
  ) {
    guard let data else { return }
    let scene = Unmanaged<GuestScene>.fromOpaque(data).takeUnretainedValue()
    MainActor.assumeIsolated { body(scene) }
  }

  private var text: String { entry.flatMap { GuestProgram.gtk?.text($0) }.map { String(cString: $0) } ?? "" }

  private func textChanged() {
    session?.userInfo = ["text": text]
    // Without asking anybody.
    if text == "destroy", let widget = widget.take() { GuestProgram.gtk?.destroy(widget) }
    if text == "hide", let widget { GuestProgram.gtk?.hide(widget) }
  }
}

extension GuestScene: AdoptedWindowOwner {
  func setWindow(_ window: Window, isHidden: Bool) {
    guard let widget else { return }
    guard isHidden else { return GuestProgram.gtk?.showAll(widget) ?? () }
    GuestProgram.gtk?.hide(widget)
    guard CommandLine.arguments.contains("--keep") else { return }
    Task {
      try? await Task.sleep(for: .seconds(1))
      if let widget = self.widget { GuestProgram.gtk?.showAll(widget) }
    }
  }

  func destroyWindow(_ window: Window) {
    (self.window, entry) = (nil, nil)
    if let widget = widget.take() { GuestProgram.gtk?.destroy(widget) }
  }
}
