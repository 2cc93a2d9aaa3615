import FoundationEssentials
import ProsceniumCore
import ProsceniumJSON
import Testing

@testable import ProsceniumTesting
@testable import ProsceniumTrace

/// Dialogs that the desktop shows for a scene: `WindowScene.openFiles(_:)` and its like.
@MainActor @Suite("Dialogs", .serialized) struct DialogTests {
  /// A content that shows dialogs itself.
  @MainActor private final class Content: WindowContent, FileDialogPresenter {
    struct Trouble: Error {}
    var answers: [[URL]] = []
    private(set) var asked: [FileDialogKind] = []
    private(set) var wasCancelled = false

    func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {}

    func presentFileDialog(_ kind: FileDialogKind, options: FileDialogOptions) async throws -> [URL] {
      asked.append(kind)
      if kind == .folder { throw Trouble() }
      if let answer = answers.popLast() { return answer }
      while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
      wasCancelled = true
      throw CancellationError()
    }
  }

  @MainActor private final class Run {
    let program: HeadlessProgram
    let delegate = RecordingDelegate()
    /// What the calls have returned or thrown, in order.
    private(set) var results: [String] = []

    init(suspends: Bool = false) {
      #if !WITHOUT_Suspension
        if suspends { delegate.manifest.suspensionPolicy = .whenAllInBackground }
      #endif
      program = HeadlessProgram(delegate: { [delegate] in delegate })
      program.launch()
      program.advance(by: .seconds(3))
    }

    var scene: WindowScene? { delegate.sessions.first?.scene as? WindowScene }

    @discardableResult func ask(_ body: @escaping @MainActor (WindowScene) async throws -> String) -> Task<Void, Never>
    {
      let scene = scene
      return Task {
        do {
          guard let scene else { throw CancellationError() }
          results.append(try await body(scene))
        } catch {
          results.append(error is CancellationError ? "gone" : "\(error)")
        }
      }
    }

    @discardableResult func open(_ options: FileDialogOptions = FileDialogOptions()) -> Task<Void, Never> {
      ask { try await $0.openFiles(options).map(\.path).joined(separator: " ") }
    }

    func waits(until condition: () -> Bool) async -> Bool {
      for _ in 0..<4000 {
        program.advance(by: .zero)
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(1))
      }
      return false
    }

    /// Waits for the only result since the last one.
    func result() async -> String {
      #expect(await waits { !results.isEmpty })
      defer { results = [] }
      return results.joined(separator: ", ")
    }

    var outcomes: [String] {
      program.entries.compactMap {
        guard case .request(let request) = $0, request.name == "dialog" else { return nil }
        return [request.details["kind"]?.text ?? "nothing", request.outcome ?? "nothing"].joined(separator: " ")
      }
    }
  }

  @Test("The user's answer is the result, and so is none")
  func answers() async {
    let run = Run()
    let filters = [FileFilter("Text", extensions: ["txt"])]
    run.open(FileDialogOptions(title: "Import", filters: filters, allowsMultipleSelection: true))
    #expect(await run.waits { run.program.dialogs.shown.count == 1 })
    guard case .files(.open, let options) = run.program.dialogs.shown[0] else { return #expect(Bool(false)) }
    #expect(options.title == "Import" && options.filters == filters && options.allowsMultipleSelection)
    run.program.dialogs.choose(URL(filePath: "/a"), URL(filePath: "/b"))
    #expect(await run.result() == "/a /b")
    run.open()
    #expect(await run.waits { run.program.dialogs.shown.count == 1 })
    run.program.dialogs.cancel()
    #expect(await run.result() == "")
    for kind in [FileDialogKind.save, .folder] {
      for isAnswered in [true, false] {
        run.ask { scene in
          let url = kind == .save ? try await scene.saveFile() : try await scene.chooseFolder()
          return url?.path ?? "none"
        }
        let dialog = HeadlessDialogs.Dialog.files(kind, FileDialogOptions())
        #expect(await run.waits { run.program.dialogs.shown == [dialog] })
        if isAnswered { run.program.dialogs.choose(URL(filePath: "/x")) } else { run.program.dialogs.cancel() }
        #expect(await run.result() == (isAnswered ? "/x" : "none"))
      }
    }
    run.open()
    #expect(await run.waits { run.program.dialogs.shown.count == 1 })
    run.program.dialogs.lose()
    #expect(await run.result() == "The dialog has no answer: the desktop's portal has ended.")
    // Without names of files.
    #expect(
      run.outcomes == [
        "openFiles answered", "openFiles cancelled", "saveFile answered", "saveFile cancelled", "chooseFolder answered",
        "chooseFolder cancelled", "openFiles the desktop's portal has ended",
      ])
  }

  @Test("Dialogs for files begin at the file that the scene shows, unless their options say where")
  func representedFile() async throws {
    let run = Run()
    func shown(
      _ kind: FileDialogKind, _ options: FileDialogOptions = FileDialogOptions()
    ) async -> FileDialogOptions? {
      run.ask { scene in
        switch kind {
        case .open: try await scene.openFiles(options).first?.path ?? "none"
        case .save: try await scene.saveFile(options)?.path ?? "none"
        case .folder: try await scene.chooseFolder(options)?.path ?? "none"
        }
      }
      #expect(await run.waits { run.program.dialogs.shown.count == 1 })
      defer { run.program.dialogs.cancel() }
      guard case .files(kind, let options) = run.program.dialogs.shown.first else { return nil }
      return options
    }
    run.scene?.representedURL = URL(filePath: "/there/a.txt")
    for kind in FileDialogKind.allCases {
      let options = await shown(kind)
      #expect(options?.directory?.path == "/there" && options?.suggestedName == (kind == .save ? "a.txt" : ""))
      let other = await shown(kind, FileDialogOptions(directory: URL(filePath: "/here")))
      #expect(other?.directory?.path == "/here" && other?.suggestedName == "")
    }
    let named = await shown(.save, FileDialogOptions(suggestedName: "b.txt"))
    #expect(named?.directory?.path == "/there" && named?.suggestedName == "b.txt")
    run.scene?.representedURL = URL(string: "https://example.org/a.txt")
    let remote = await shown(.open)
    #expect(remote == FileDialogOptions())
  }

  @Test("A colour, a picture of the screen and a printed file have their answers")
  func others() async {
    let run = Run()
    let pdf = URL(filePath: "/a.pdf")
    let asks: [(HeadlessDialogs.Dialog, answer: () -> Void, result: String, cancelled: String)] = [
      (.color, { run.program.dialogs.pick(Color(rgb: 0x12_3456)) }, "123456", "none"),
      (.screenshot(isInteractive: true), { run.program.dialogs.choose(URL(filePath: "/a.png")) }, "/a.png", "none"),
      (.print(pdf, title: "A"), { run.program.dialogs.print() }, "true", "false"),
    ]
    for (purpose, answer, result, cancelled) in asks {
      for isAnswered in [true, false] {
        run.ask { scene in
          switch purpose {
          case .color: try await scene.pickColor().map { String($0.rgb, radix: 16) } ?? "none"
          case .screenshot: try await scene.takeScreenshot()?.path ?? "none"
          case _: "\(try await scene.printFile(at: pdf, title: "A"))"
          }
        }
        #expect(await run.waits { run.program.dialogs.shown == [purpose] })
        if isAnswered { answer() } else { run.program.dialogs.cancel() }
        #expect(await run.result() == (isAnswered ? result : cancelled))
      }
    }
    // No toolkit is asked for them.
    run.program.dialogs.isAvailable = false
    run.scene?.windows.first?.content = Content()
    run.ask { "\(try await $0.printFile(at: pdf, title: "A"))" }
    #expect(await run.result() == "No dialog can be shown: the desktop has no portal.")
  }

  @Test("A dialog goes with its task, with its window and with its scene")
  func cancellation() async {
    let run = Run()
    let task = run.open()
    #expect(await run.waits { run.program.dialogs.shown.count == 1 })
    task.cancel()
    #expect(await run.result() == "gone")
    #expect(run.program.dialogs.shown.isEmpty)
    // One that is cancelled before it begins is not shown.
    run.open().cancel()
    #expect(await run.result() == "gone")
    // A window above the first one is closed.
    guard let scene = run.scene else { return #expect(Bool(false)) }
    let panel = Window(windowScene: scene)
    panel.makeKeyAndVisible()
    run.program.advance(by: .seconds(1))
    #expect(scene.keyWindow === panel)
    run.open()
    #expect(await run.waits { run.program.dialogs.shown.count == 1 })
    panel.windowScene = nil
    run.program.advance(by: .zero)
    #expect(run.program.dialogs.shown.isEmpty)
    #expect(await run.result() == "gone")
    run.open()
    run.open()
    #expect(await run.waits { run.program.dialogs.shown.count == 2 })
    run.delegate.endsAfterLastScene = false
    run.program.application.requestSceneSessionDestruction(scene.session)
    run.program.advance(by: .zero)
    #expect(run.program.dialogs.shown.isEmpty)
    #expect(await run.waits { run.results.count == 2 })
    #expect(await run.result() == "gone, gone")
    // A scene that has no connection has no dialogs.
    run.ask { _ in try await scene.openFiles().description }
    #expect(await run.result() == "gone")
  }

  @Test("Without a portal the window's content shows the dialog, if it can")
  func ownDialog() async {
    let run = Run()
    run.program.dialogs.isAvailable = false
    run.open()
    #expect(await run.result().contains("No dialog can be shown: the desktop has no portal."))
    let content = Content()
    content.answers = [[], [URL(filePath: "/a")]]
    run.scene?.windows.first?.content = content
    run.open()
    #expect(await run.result() == "/a")
    run.open()
    #expect(await run.result() == "")
    run.ask { try await $0.chooseFolder()?.path ?? "none" }
    #expect(await run.result().contains("Trouble"))
    run.open()
    #expect(await run.waits { content.asked.count == 4 })
    #expect(content.asked == [.open, .open, .folder, .open])
    run.delegate.endsAfterLastScene = false
    if let session = run.scene?.session { run.program.application.requestSceneSessionDestruction(session) }
    #expect(await run.result() == "gone")
    #expect(await run.waits { content.wasCancelled })
  }

  #if !WITHOUT_Suspension
    @Test("While a dialog is open its program is not suspended")
    func suspension() async {
      let run = Run(suspends: true)
      run.open()
      #expect(await run.waits { run.program.dialogs.shown.count == 1 })
      run.program.desk.minimize(run.program.windows[0])
      run.program.advance(by: .seconds(10))
      #expect(!run.program.platform.isSuspended)
      run.program.dialogs.cancel()
      #expect(await run.result() == "")
      run.program.advance(by: .seconds(10))
      #expect(run.program.platform.isSuspended)
    }
  #endif
}
