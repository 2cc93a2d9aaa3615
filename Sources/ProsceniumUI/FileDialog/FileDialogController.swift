import FoundationEssentials
import Glibc
import ProsceniumCore

/// A dialog for files in a window of its scene, for desktops without one.
///
/// Folders are read, and paths are looked at, by other threads. What the user wants next ends what is on its way.
final class FileDialogController: ViewController {
  private let kind: FileDialogKind
  private let options: FileDialogOptions
  private let home: String
  private let lastFolder = LastFolder()
  let views: FileDialogViews
  private var arrangement: FolderArrangement
  private(set) var page = FolderPage(path: "/")
  /// Reads a folder, or looks at paths.
  private var work: Task<Void, Never>?
  private var modal: ModalWindow?
  private weak var alert: AlertController?
  /// Nil once the dialog has ended.
  private var continuation: MainActorContinuation<[URL]>?

  init(_ kind: FileDialogKind, _ options: FileDialogOptions) {
    (self.kind, self.options) = (kind, options)
    home =
      getenv("HOME").flatMap { String(validatingCString: $0) }.flatMap {
        $0.hasPrefix("/") ? FilePath.typed($0, in: "/", home: "/") : nil
      } ?? "/"
    views = FileDialogViews(kind, options)
    arrangement = FolderArrangement(kind: kind, filter: options.filters.first)
    super.init()
    title = options.title.isEmpty ? Self.title(kind) : options.title
  }

  private static func title(_ kind: FileDialogKind) -> String {
    switch kind {
    case .open: "Open"
    case .save: "Save As"
    case .folder: "Choose Folder"
    }
  }

  // MARK: The dialog's life

  /// Shows the dialog until the user, or the end of the task, ends it.
  /// - Returns: What is chosen; nothing where the user does not want it.
  /// - Throws: `CancellationError` where the task is cancelled, or the window belongs to no scene.
  func choose(above parent: Window) async throws -> [URL] {
    try Task.checkCancellation()
    guard let modal = ModalWindow(above: parent, size: Size(width: 760, height: 480), isResizable: true) else {
      throw CancellationError()
    }
    let urls = await withTaskCancellationHandler {
      await withMainActorContinuation { continuation in
        self.continuation = continuation
        show(modal, above: parent)
      }
    } onCancel: {
      Task { @MainActor in end([]) }
    }
    try Task.checkCancellation()
    return urls
  }

  private func show(_ modal: ModalWindow, above parent: Window) {
    self.modal = modal
    modal.window.title = title
    let size = modal.window.frame.size
    modal.window.minimumSize = Size(width: min(420, size.width), height: min(280, size.height))
    modal.window.overrideAppearance = parent.overrideAppearance
    modal.show(self) {
      guard kind == .save else { return _ = views.table.becomeFirstResponder() }
      views.name.becomeFirstResponder()
      views.name.selectedRange = 0..<FilePath.stem(of: views.name.text).count
    }
    let start = options.directory.flatMap {
      $0.isFileURL && ["", "localhost"].contains($0.host() ?? "") ? $0.path : nil
    }
    enter([start, home, "/"].compactMap { $0 }, recalls: options.directory == nil)
    // They need no look at a disk, which may not answer.
    views.places.show(FilePlace.all(home: home, folders: [], mounts: ""))
    Task { [weak self, home] in
      let places = await FileWork.run { _ in FilePlace.all(home: home) }
      self?.views.places.show(places)
    }
  }

  private func end(_ paths: [String]) {
    guard let continuation = continuation.take() else { return }
    work?.cancel()
    // The folder that is shown is what a folder is chosen in.
    if let first = paths.first { lastFolder.remember(kind == .folder ? page.path : FilePath.parent(of: first) ?? "/") }
    alert?.dismiss()
    modal?.close()
    modal = nil
    continuation.resume(
      returning: paths.map { URL(filePath: $0, directoryHint: kind == .folder ? .isDirectory : .notDirectory) })
  }

  override func windowWasHidden() {
    if modal?.isGone == true { end([]) }
  }

  /// A program that is started again asks again.
  override var restorationState: [String: any Sendable] {
    get { [:] }
    set {}
  }

  // MARK: Views

  override func loadView() {
    view = views.root(kind)
    views.table.register({ FileCell() }, forCellReuseIdentifier: "file")
    (views.table.dataSource, views.table.delegate) = (self, self)
    views.name.addAction(for: .primaryActionTriggered) { [weak self] in self?.accept() }
    views.path.addAction(for: .primaryActionTriggered) { [weak self] in self?.enterTypedPath() }
    views.parent.addAction(for: .primaryActionTriggered) { [weak self] in self?.enterParent(nil) }
    views.cancel.addAction(for: .primaryActionTriggered) { [weak self] in self?.cancel(nil) }
    views.accept.addAction(for: .primaryActionTriggered) { [weak self] in self?.accept() }
    views.filter.addAction(for: .valueChanged) { [weak self] in self?.rearrange() }
    views.hidden.addAction(for: .valueChanged) { [weak self] in self?.rearrange() }
    views.header.pressed = { [weak self] in self?.sort(by: $0) }
    views.places.chosen = { [weak self] in self?.enter([$0.path]) }
  }

  override var keyCommands: [KeyCommand] {
    [
      KeyCommand(symbol: KeySymbol.escape, action: Action(FileDialogController.cancel)),
      KeyCommand(symbol: KeySymbol.up, modifiers: .alternate, action: Action(FileDialogController.enterParent)),
      KeyCommand(input: "h", action: Action(FileDialogController.toggleHidden)),
      KeyCommand(input: "l", action: Action(FileDialogController.editPath)),
    ]
  }

  func cancel(_ sender: AnyObject?) { end([]) }

  func toggleHidden(_ sender: AnyObject?) {
    views.hidden.isOn.toggle()
    rearrange()
  }

  func editPath(_ sender: AnyObject?) {
    views.path.becomeFirstResponder()
    views.path.selectAll()
  }

  // MARK: Folders

  func enterParent(_ sender: AnyObject?) {
    guard let parent = FilePath.parent(of: page.path) else { return }
    enter([parent], selecting: [FilePath.name(of: page.path)])
  }

  private func enterTypedPath() {
    guard let path = FilePath.typed(views.path.text, in: page.path, home: home) else { return }
    enter([path])
    views.table.becomeFirstResponder()
  }

  private func rearrange() {
    arrangement.showsHidden = views.hidden.isOn
    arrangement.filter = filter
    enter([page.path])
  }

  /// The kind of files that the user has chosen.
  private var filter: FileFilter? { views.filter.selectedIndex.map { options.filters[$0] } }

  private func sort(by column: FolderOrder.Column) {
    arrangement.order = arrangement.order.pressed(column)
    views.header.order = arrangement.order
    let names = views.table.indexPathsForSelectedRows.map { page.entries[$0.row].name }
    enter([page.path], selecting: Set(names))
  }

  /// Shows the first of several folders that can be read.
  /// - Parameters:
  ///   - paths: The folders.
  ///   - names: The files that are selected then.
  ///   - recalls: Whether the folder comes before them in which the user has chosen last.
  private func enter(_ paths: [String], selecting names: Set<String> = [], recalls: Bool = false) {
    take(FolderPage(path: paths.first ?? "/"), message: "Reading\u{2026}")
    let (arrangement, lastFolder) = (arrangement, recalls ? lastFolder : nil)
    perform {
      FolderPage(of: (lastFolder?.recall().map { [$0] } ?? []) + paths, arrangement, isWanted: $0)
    } then: { dialog, page in
      dialog.take(page, message: page.error?.message ?? (page.entries.isEmpty ? "Nothing to show." : ""))
      for (row, entry) in page.entries.enumerated() where names.contains(entry.name) {
        dialog.views.table.selectRow(at: IndexPath(row: row, section: 0), scrollPosition: .middle)
      }
    }
  }

  private func take(_ new: FolderPage, message: String) {
    page = new
    views.path.text = new.path
    views.places.path = new.path
    views.parent.isEnabled = FilePath.parent(of: new.path) != nil
    views.say(message)
    views.table.reloadData()
  }

  /// Does something beside the main thread, in place of what is on its way.
  private func perform<Value: Sendable>(
    _ body: @escaping @Sendable (_ isWanted: @Sendable () -> Bool) -> Value,
    then: @escaping @MainActor (FileDialogController, Value) -> Void
  ) {
    work?.cancel()
    work = Task { [weak self] in
      let value = await FileWork.run(body)
      guard let self, !Task.isCancelled, continuation != nil else { return }
      then(self, value)
    }
  }

  // MARK: Choosing

  private func accept() {
    guard kind != .save else { return save(views.name.text) }
    let entries = views.table.indexPathsForSelectedRows.map { page.entries[$0.row] }
    let step = FileDialogStep.accepting(entries, kind, in: page.path)
    guard case .choose(let paths) = step else { return take(step) }
    perform { _ in
      step.checked(paths.map { Folder.kind(of: $0) })
    } then: { dialog, step in
      dialog.take(step)
    }
  }

  private func save(_ name: String) {
    let (typed, filter) = (FilePath.typed(name, in: page.path, home: home), filter)
    perform { _ in
      // A folder of this name is entered.
      let path = typed.map { Folder.kind(of: $0) == .folder ? $0 : filter?.completed($0) ?? $0 }
      let parent = path.flatMap { FilePath.parent(of: $0) } ?? "/"
      return FileDialogStep.saving(path, path.map { Folder.kind(of: $0) } ?? .nothing, parent: Folder.kind(of: parent))
    } then: { dialog, step in
      dialog.take(step)
    }
  }

  private func take(_ step: FileDialogStep) {
    switch step {
    case .enter(let path): enter([path])
    case .choose(let paths): end(paths)
    case .say(let text): views.say(text)
    case .confirm(let path):
      let alert = AlertController(
        title: "Replace \u{201C}\(FilePath.name(of: path))\u{201D}?",
        message: "There is a file of this name. Its content will be lost.")
      alert.addAction(AlertAction("Cancel", style: .cancel))
      alert.addAction(AlertAction("Replace", style: .destructive) { [weak self] in self?.end([path]) })
      self.alert = alert
      present(alert)
    }
  }
}

extension FileDialogController: TableViewDataSource, TableViewDelegate {
  func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { page.entries.count }

  func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "file", for: indexPath)
    (cell as? FileCell)?.show(page.entries[indexPath.row])
    return cell
  }

  func tableView(_ tableView: TableView, typeSelectTextForRowAt indexPath: IndexPath) -> String? {
    page.entries[indexPath.row].name
  }

  func tableView(_ tableView: TableView, textForCopyingRowAt indexPath: IndexPath) -> String? {
    let entry = page.entries[indexPath.row]
    return entry.isReachable ? FilePath.child(entry.name, of: page.path) : nil
  }

  func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath) {
    let entry = page.entries[indexPath.row]
    if kind == .save, !entry.isFolder, entry.isReachable { views.name.text = entry.name }
  }

  func tableView(_ tableView: TableView, performPrimaryActionForRowAt indexPath: IndexPath) {
    let entry = page.entries[indexPath.row]
    if entry.isFolder, entry.isReachable { return enter([FilePath.child(entry.name, of: page.path)]) }
    accept()
  }
}

extension ViewTree: FileDialogPresenter {
  func presentFileDialog(_ kind: FileDialogKind, options: FileDialogOptions) async throws -> [URL] {
    guard let window else { throw CancellationError() }
    return try await FileDialogController(kind, options).choose(above: window)
  }
}
