import FoundationEssentials
import Glibc
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

/// A window that is drawn by hand and has something to hide.
@MainActor private final class PaintedWindow: Window {
  static let secret: UInt32 = 0xFF12_34AB
  var showsSecret = true { didSet { setNeedsDisplay() } }
  private(set) var draws = 0
  var onDraw: () -> Void = {}

  override func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
    draws += 1
    onDraw()
    for rect in damage { buffer.fill(rect, with: Color(rgb: 0xEEEEEE)) }
    if showsSecret { buffer.fill(Rect(x: 10, y: 20, width: 30, height: 5), with: Color(rgb: Self.secret)) }
  }
}

@MainActor private final class PaintedScene: Responder, WindowSceneDelegate {
  static var last: PaintedScene?
  static var hides = false
  static var drawsByItself = false
  static var onBackground: (PaintedScene) -> Void = { _ in }
  static var onConnect: (PaintedScene) -> Void = { _ in }
  var window: PaintedWindow?
  var calls: [String] = []

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    Self.last = self
    guard let scene = scene as? WindowScene else { return }
    let window = PaintedWindow(windowScene: scene)
    window.frame = Rect(x: 0, y: 0, width: 200, height: 100)
    if !Self.drawsByItself { window.setNeedsDisplay() }
    self.window = window
    Self.onConnect(self)
    window.makeKeyAndVisible()
  }
  func sceneDidEnterBackground(_ scene: Scene) {
    if Self.hides { window?.showsSecret = false }
    Self.onBackground(self)
  }
  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    UserActivity(activityType: "org.proscenium.painted")
  }
}

@MainActor private final class PaintedDelegate: Responder, ApplicationDelegate {
  var manifest = ApplicationManifest(
    sceneConfigurations: [SceneConfiguration(name: "Main", delegate: PaintedScene.init)])
}

/// One run with windows that are painted by hand, on a disk in memory.
@MainActor private final class PaintedRun {
  let program: HeadlessProgram
  let disk: CuttableDisk
  let store: SessionStore
  let delegate = PaintedDelegate()
  var platform: HeadlessPlatform { program.platform }
  var scene: PaintedScene? { PaintedScene.last }
  var session: SceneSession? { program.application.openSessions.first }

  init(
    _ disk: CuttableDisk = CuttableDisk(), hides: Bool = false, drawsByItself: Bool = false, arguments: [String] = []
  ) {
    PaintedScene.hides = hides
    PaintedScene.drawsByItself = drawsByItself
    PaintedScene.onBackground = { _ in }
    PaintedScene.onConnect = { _ in }
    self.disk = disk
    store = SessionStore(files: disk, runsInline: true)
    program = HeadlessProgram(store: .given(store))
    program.launch(delegate, arguments: arguments)
    platform.advance(by: 500)
  }

  func minimize() {
    if let window = scene?.window { program.desk.minimize(window) }
    platform.advance(by: 1000)
  }

  func disconnect() {
    session.map { program.application.requestSceneDisconnection($0) }
    platform.advance(by: 3000)
  }

  var name: String { "\(session?.persistentIdentifier ?? "").qoi" }
  var file: [UInt8]? { try? disk.read(name, limit: 1 << 24) }
  /// What the file shows.
  func kept() throws -> Picture { try #require(SnapshotFile.read(file ?? [])).picture }
}

extension Picture {
  fileprivate func holds(_ pixel: UInt32) -> Bool {
    (0..<size.height).contains { y in (0..<size.width).contains { self[$0, y] == pixel } }
  }
}

extension HeadlessProgram {
  /// The trace's lines by name.
  fileprivate var names: [String] { entries.compactMap { $0.text("name") } }
}

@Suite("Snapshots", .serialized) @MainActor struct SnapshotTests {
  @Test(
    "What the window shows is kept; what the callback hid is not, though no frame was drawn since",
    arguments: [false, true])
  func secret(_ hides: Bool) throws {
    let run = PaintedRun(hides: hides)
    let frames = run.platform.drawCount
    #expect(run.file == nil)
    run.minimize()
    #expect(run.platform.drawCount == frames)
    let kept = try run.kept()
    #expect(kept.size == Size(width: 200, height: 100))
    #expect(kept.holds(PaintedWindow.secret) == !hides && kept[0, 0] == 0xFFEE_EEEE)
  }

  #if !WITHOUT_Documents
    @Test("Of a scene with a protected document none is kept, and an earlier one goes")
    func protected() throws {
      let run = PaintedRun()
      run.minimize()
      #expect(run.file != nil)
      let document = Document(fileURL: URL(filePath: "/nowhere/diary"))
      document.protection = .complete
      run.scene?.window?.windowScene?.document = document
      run.scene?.window.map { run.program.desk.restore($0) }
      run.platform.advance(by: 1000)
      run.scene?.window?.setNeedsDisplay()
      run.minimize()
      #expect(run.file == nil)
      // Nor one that the program has made
      run.scene?.window?.windowScene?.snapshotPicture = Picture(size: Size(width: 2, height: 2)) { _ in }
      run.scene?.window.map { run.program.desk.restore($0) }
      run.platform.advance(by: 1000)
      run.minimize()
      #expect(run.file == nil)
      document.protection = .none
      run.scene?.window.map { run.program.desk.restore($0) }
      run.platform.advance(by: 1000)
      run.minimize()
      #expect(run.file != nil)
    }
  #endif

  #if !WITHOUT_Documents
    @Test("The picture goes as soon as the scene has a protected document", arguments: [true, false])
    func protectedLater(isShown: Bool) throws {
      let run = PaintedRun()
      let document = Document(fileURL: URL(filePath: "/nowhere/diary"))
      if isShown { run.scene?.window?.windowScene?.document = document }
      run.minimize()
      #expect(run.file != nil)
      document.protection = .complete
      if !isShown { run.scene?.window?.windowScene?.document = document }
      run.platform.advance(by: 100)
      #expect(run.file == nil)
    }
  #endif

  @Test("The state is asked for, then the picture is taken, then the surface goes")
  func order() throws {
    let run = PaintedRun()
    run.minimize()
    let names = run.program.names.filter {
      ["sceneDidEnterBackground", "stateRestorationActivity", "snapshot"].contains($0)
    }
    #expect(names == ["sceneDidEnterBackground", "stateRestorationActivity", "snapshot"])
    #expect(run.platform.surface(of: try #require(run.scene?.window?.id)) == nil)
  }

  @Test("The state is with the writer before the picture is drawn, and is saved once")
  func savedFirst() throws {
    let run = PaintedRun()
    run.platform.advance(by: 2000)
    func writes() -> Int { run.disk.operations.count { "\($0)".contains("write") && "\($0)".contains(".session") } }
    var (inCallback, whenDrawn) = (0, 0)
    PaintedScene.onBackground = { _ in inCallback = writes() }
    run.scene?.window?.onDraw = { whenDrawn = writes() }
    run.minimize()
    #expect(run.file != nil && whenDrawn == inCallback + 1)
    run.platform.advance(by: 2000)
    #expect(writes() == whenDrawn)
  }

  @Test("What needed display before still does, and the picture is no frame")
  func noFrame() throws {
    let run = PaintedRun()
    let window = try #require(run.scene?.window)
    var fired = 0
    let link = FrameLink(window: window) { _ in fired += 1 }
    run.platform.advance(by: 100)
    run.minimize()
    let (calls, frames) = (fired, run.platform.drawCount)
    window.showsSecret = false
    #expect((window.windowScene)?.snapshot(afterUpdates: true)?.holds(PaintedWindow.secret) == false)
    run.platform.advance(by: 1000)
    #expect(fired == calls && run.platform.drawCount == frames)
    run.program.desk.restore(window)
    run.platform.advance(by: 100)
    #expect(run.platform.drawCount > frames && fired > calls)
    #expect(run.platform.surface(of: try #require(window.id))?.pixels.contains(PaintedWindow.secret) == false)
    link.invalidate()
  }

  @Test("A picture that is asked for while the window is being drawn is none")
  func reentry() throws {
    let run = PaintedRun()
    let scene = try #require(run.scene?.window?.windowScene)
    final class Asking: Window {
      var answers: [Bool] = []
      override func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {
        answers.append(display.picture(afterUpdates: true) == nil)
      }
    }
    let window = Asking(windowScene: scene)
    window.setNeedsDisplay()
    window.isHidden = false
    run.platform.advance(by: 100)
    _ = window.display.picture(afterUpdates: true)
    #expect(window.answers == [true, true])
  }

  @Test("A program that draws by its own means hands over a picture, or has none")
  func ownMeans() throws {
    let run = PaintedRun(drawsByItself: true)
    run.minimize()
    #expect(run.file == nil && run.scene?.window?.windowScene?.snapshot(afterUpdates: true) == nil)
    run.scene?.window.map(run.program.desk.restore)
    run.platform.advance(by: 100)
    PaintedScene.onBackground = { scene in
      scene.window?.windowScene?.snapshotPicture = Picture(size: Size(width: 2, height: 1), pixels: [1, 2])
    }
    run.minimize()
    #expect(try run.kept()[1, 0] == 0xFF00_0002 && run.scene?.window?.draws == 0)
    // Nothing that is out of date stays.
    run.scene?.window.map(run.program.desk.restore)
    run.platform.advance(by: 100)
    PaintedScene.onBackground = { $0.window?.windowScene?.snapshotPicture = nil }
    run.minimize()
    #expect(run.file == nil)
  }

  @Test("A window that is too large for a picture keeps none, and not an old one either")
  func tooLarge() throws {
    let run = PaintedRun()
    run.minimize()
    #expect(run.file != nil)
    let window = try #require(run.scene?.window)
    run.program.desk.restore(window)
    run.platform.advance(by: 100)
    run.platform.move(try #require(window.id), to: Rect(x: 0, y: 0, width: 32_000, height: 1_300))
    run.minimize()
    #expect(run.file == nil)
  }

  @Test("Work in the background that changed something to be seen renews the picture, other work does not")
  func work() throws {
    let run = PaintedRun()
    run.minimize()
    let before = run.program.names.count { $0 == "snapshot" }
    let conductor = try #require(run.program.application.conductor)
    conductor.announce(.workDone(nil))
    #expect(run.program.names.count { $0 == "snapshot" } == before)
    run.scene?.window?.showsSecret = false
    conductor.announce(.workDone(nil))
    #expect(run.program.names.count { $0 == "snapshot" } == before + 1)
    #expect(try !run.kept().holds(PaintedWindow.secret))
    conductor.announce(.workDone(run.session?.record))
    #expect(run.program.names.count { $0 == "snapshot" } == before + 1)
  }

  @Test("A refresh renews the picture of a scene in the background, connected or not; of one in sight it waits")
  func refresh() throws {
    let disk = CuttableDisk()
    let run = PaintedRun(disk)
    let session = try #require(run.session)
    run.program.application.requestSceneSessionRefresh(session)
    run.platform.advance(by: 100)
    #expect(run.file == nil)
    run.minimize()
    run.scene?.window?.showsSecret = false
    run.program.application.requestSceneSessionRefresh(session)
    run.platform.advance(by: 100)
    #expect(try !run.kept().holds(PaintedWindow.secret))
    run.disconnect()
    #expect(session.scene == nil)
    run.program.application.requestSceneSessionRefresh(session)
    run.platform.advance(by: 100)
    #expect(session.scene?.activationState == .background)
    #expect(try run.kept().holds(PaintedWindow.secret))
  }

  @Test("A refresh whose scene takes its time to come back gets its picture when it is there")
  func slowRefresh() throws {
    let disk = CuttableDisk()
    PaintedRun(disk).platform.send(.signal(15))
    let run = PaintedRun(disk, arguments: ["--background"])
    try disk.remove(run.name)
    PaintedScene.onConnect = { $0.window?.windowScene?.extendStateRestoration() }
    run.program.application.requestSceneSessionRefresh(try #require(run.session))
    run.platform.advance(by: 100)
    #expect(run.file == nil)
    run.scene?.window?.windowScene?.completeStateRestoration()
    run.platform.advance(by: 100)
    #expect(run.file != nil)
  }

  @Test("A disconnected session comes back with its picture, until its first frame")
  func disconnected() throws {
    let run = PaintedRun()
    let id = try #require(run.scene?.window?.id)
    run.minimize()
    run.disconnect()
    #expect(run.platform.pictures[id] == nil)
    // Seen before code of the program runs.
    var seen: Picture?
    PaintedScene.onConnect = { _ in seen = run.platform.pictures[id]?.picture }
    run.platform.restore(id)
    run.platform.deliver()
    run.platform.advance(by: 1000)
    #expect(seen?.holds(PaintedWindow.secret) == true)
    #expect(run.platform.pictures[id] == nil && run.platform.surface(of: id) != nil)
  }

  @Test("A restored session comes back with its picture, also where the program ended in sight")
  func restored() throws {
    let disk = CuttableDisk()
    PaintedRun(disk).platform.send(.signal(15))
    let run = PaintedRun(disk, drawsByItself: true)
    let id = try #require(run.scene?.window?.id)
    #expect(run.platform.pictures[id]?.picture.holds(PaintedWindow.secret) == true)
    run.scene?.window?.setNeedsDisplay()
    run.platform.advance(by: 100)
    #expect(run.platform.pictures[id] == nil)
  }

  @Test("A window that stays mapped shows the picture and not what was there; panels are covered too")
  func cover() throws {
    let run = PaintedRun(hides: true)
    let scene = try #require(run.scene?.window?.windowScene)
    let panel = PaintedWindow(windowScene: scene)
    panel.frame = Rect(x: 0, y: 0, width: 50, height: 40)
    panel.setNeedsDisplay()
    panel.isHidden = false
    run.platform.advance(by: 100)
    PaintedScene.onBackground = { _ in panel.showsSecret = false }
    run.platform.surfaces.isComposing = true
    let (id, panelID) = (try #require(run.scene?.window?.id), try #require(panel.id))
    run.platform.minimize(panelID)
    run.minimize()
    #expect(run.platform.pictures[id]?.picture.holds(PaintedWindow.secret) == false)
    #expect(run.platform.pictures[panelID]?.size == Size(width: 50, height: 40))
    #expect(run.platform.pictures[panelID]?.picture.holds(PaintedWindow.secret) == false)
    #expect(run.platform.surface(of: id) == nil)
  }

  @Test("The picture goes with the session, and one whose session is gone is not kept")
  func discarded() throws {
    let run = PaintedRun()
    run.minimize()
    let name = run.name
    run.program.application.requestSceneSessionDestruction(try #require(run.session))
    run.platform.advance(by: 100)
    #expect(throws: FileError.self) { try run.disk.read(name, limit: 1 << 24) }
    try run.disk.write("stray.qoi", [1, 2, 3])
    let next = PaintedRun(run.disk)
    #expect(throws: FileError.self) { try next.disk.read("stray.qoi", limit: 100) }
  }

  @Test("A scene that closes leaves no picture, not even for a moment")
  func closing() throws {
    let run = PaintedRun()
    run.scene?.window.map(run.program.desk.close)
    run.platform.advance(by: 1000)
    #expect(!run.program.names.contains("snapshot"))
    #expect(!run.disk.operations.contains { "\($0)".contains(".qoi") && !"\($0)".contains("remove") })
  }

  @Test("Rubbish in place of the picture is as good as none", arguments: [0, 7, 100, 5000])
  func rubbish(_ length: Int) throws {
    let disk = CuttableDisk()
    let first = PaintedRun(disk)
    first.platform.send(.signal(15))
    var bytes = try disk.read(first.name, limit: 1 << 24)
    bytes = length == 100 ? Array(bytes.prefix(100)) : (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try disk.write(first.name, bytes)
    let run = PaintedRun(disk)
    #expect(run.scene?.window != nil && run.platform.pictures.isEmpty)
    run.minimize()
    #expect(try run.kept().holds(PaintedWindow.secret))
  }

  @Test("A disk that fails costs the picture and nothing else, and the next one is kept again")
  func fullDisk() throws {
    let run = PaintedRun()
    run.minimize()
    #expect(run.file != nil)
    run.scene?.window.map(run.program.desk.restore)
    run.platform.advance(by: 2000)
    run.disk.fail(with: .system(ENOSPC))
    run.scene?.window?.showsSecret = false
    run.minimize()
    run.disk.fail(with: nil)
    run.scene?.window.map(run.program.desk.restore)
    run.platform.advance(by: 2000)
    run.minimize()
    #expect(try !run.kept().holds(PaintedWindow.secret))
    #expect(try !run.disk.names().contains { $0.hasSuffix(".tmp") })
  }

  /// An app-based program with one window, painted by hand or by its own means.
  private final class AppBased: Responder, ApplicationDelegate {
    var window: PaintedWindow?
    var drawsByItself = false
    func application(
      _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?
    ) -> Bool {
      let window = PaintedWindow()
      if !drawsByItself { window.setNeedsDisplay() }
      window.makeKeyAndVisible()
      self.window = window
      return true
    }
    func applicationDidEnterBackground(_ application: Application) {
      if !drawsByItself { window?.showsSecret = false }
    }
  }

  @Test("Launched into the background, an app-based program keeps its picture until it has been seen")
  func backgroundLaunch() throws {
    let disk = CuttableDisk()
    func pictures() throws -> Int { try disk.names().count { $0.hasSuffix(".qoi") } }
    func launch(_ arguments: [String], drawsByItself: Bool) -> (HeadlessProgram, AppBased) {
      let program = HeadlessProgram(store: .given(SessionStore(files: disk, runsInline: true)))
      let delegate = AppBased()
      delegate.drawsByItself = drawsByItself
      program.launch(delegate, arguments: arguments)
      program.advance(by: 1000)
      return (program, delegate)
    }
    // Given a picture of an earlier run
    launch([], drawsByItself: false).0.platform.send(.signal(15))
    #expect(try pictures() == 1)
    // When the next one, which has none to give, starts in the background
    let (program, delegate) = launch(["--background"], drawsByItself: true)
    #expect(program.application.applicationState == .background)
    #expect(try pictures() == 1)
    // Then it goes only after the window has been seen
    let session = try #require(program.application.openSessions.first)
    program.application.activateSceneSession(for: SceneSessionActivationRequest(session: session))
    program.advance(by: 1000)
    #expect(program.application.applicationState == .active)
    program.desk.minimize(try #require(delegate.window))
    program.advance(by: 1000)
    #expect(try pictures() == 0)
  }

  @Test("In the app-based model the picture is taken when the application's delegate has hidden what it wants")
  func appBased() throws {
    let disk = CuttableDisk()
    let program = HeadlessProgram(store: .given(SessionStore(files: disk, runsInline: true)))
    let delegate = AppBased()
    program.launch(delegate)
    program.advance(by: 500)
    program.desk.minimize(try #require(delegate.window))
    program.advance(by: 1000)
    let name = try #require(try disk.names().first { $0.hasSuffix(".qoi") })
    let kept = try #require(SnapshotFile.read(try disk.read(name, limit: 1 << 24)))
    #expect(!kept.picture.holds(PaintedWindow.secret) && kept.picture[0, 0] == 0xFFEE_EEEE)
  }

  @Test("Files are the user's alone, written whole, and their pictures are handed out while they wait")
  func files() throws {
    let directory = try TemporaryDirectory()
    let store = SessionStore(files: try PosixFiles(path: directory.path), runsInline: false)
    store.save(fullSession("a"))
    store.flush()
    for number in 0..<20 {
      let picture = try SnapshotFileTests.picture(Size(width: 300, height: 200), seed: UInt64(number))
      store.keep(picture, of: "a")
      let now = try #require(store.snapshot(of: "a"))
      #expect((0..<200).allSatisfy { now.picture[150, $0] == picture[150, $0] })
    }
    store.end(.quit)
    #expect(directory.mode("a.qoi") == 0o600)
    #expect(SnapshotFile.read(directory.bytes("a.qoi") ?? []) != nil)
    #expect(directory.names.isSubset(of: ["a.session", "a.qoi", "runs", "lock"]))
  }

  @Test("Pictures that come faster than they are written are left out, and take the old file with them")
  func tooMany() throws {
    let store = SessionStore(files: SlowFiles(), runsInline: false)
    let large = try #require(Picture(size: Size(width: 5000, height: 4000)) { _ in })
    for number in 0..<6 { store.keep(large, of: "\(number)") }
    #expect((0..<6).count { store.snapshot(of: "\($0)") != nil } <= 3)
    (store.files as? SlowFiles)?.release()
    store.end(.none)
  }
}

/// Files that cannot be written to until they are released.
private final class SlowFiles: StoreFiles, @unchecked Sendable {
  private let gate = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  init() { sem_init(gate, 0, 0) }
  deinit { gate.deallocate() }
  func release() { for _ in 0..<10_000 { sem_post(gate) } }
  func names() throws(FileError) -> [String] { [] }
  func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] { throw .missing }
  func write(_ name: String, _ bytes: [UInt8]) throws(FileError) { sem_wait(gate) }
  func append(_ name: String, _ bytes: [UInt8]) throws(FileError) {}
  func sync(_ name: String) throws(FileError) {}
  func rename(_ name: String, to new: String) throws(FileError) {}
  func renameNew(_ name: String, to new: String) throws(FileError) {}
  func remove(_ name: String) throws(FileError) { sem_wait(gate) }
  func syncDirectory() throws(FileError) {}
}
