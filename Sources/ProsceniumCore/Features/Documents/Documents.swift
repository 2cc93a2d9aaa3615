internal import Dispatch
import FoundationEssentials
import ProsceniumLoop
import ProsceniumStore

/// Saves documents in time, and watches their files.
final class Documents: FeatureBase, Feature {
  enum Message: Equatable {
    /// Changes have waited long enough.
    case save
    /// Other programs may be done with the files that they have touched.
    case look
    /// A write may take too long.
    case keep
  }

  final class SceneState: SceneFeatureState {
    /// The document that the scene shows.
    var document: Document?
    /// Whether what is to be restored has been: from then on the session is to come back with the document.
    var isConnected = false
    /// Another session has the document that the scene was to show: this one is being destroyed.
    var hasYielded = false
  }

  /// The longest time that changes wait, so that many of them are saved at once.
  private static let delay = Duration.seconds(1)
  /// The time until a write that has failed is tried again.
  private static let retryDelay = Duration.seconds(5)
  /// The longest time between an editor's first and last change of a file.
  private static let lookDelay = Duration.milliseconds(50)
  /// The time from a change until its write is looked at, and from then on.
  private static let slowDelay = Duration.seconds(5)
  /// The time limit of writes at the end.
  private static let endLimit = Duration.seconds(5)
  /// The time limit for the list of recent documents at the end.
  private static let recentLimit = Duration.seconds(1)
  /// The part of a time limit in which versions are kept of what has not been written.
  private static let keepTime = Duration.milliseconds(1500)

  /// The open documents, with the place of each one's file: until it is closed.
  private var open: [(document: Document, place: DocumentPlace?)] = []
  /// The watches of their folders, by the bytes of the path; one each, because a user has few of them (inotify(7)).
  private var watches: [[UInt8]: FolderWatch] = [:]
  /// Whether the deadline is the one of a new try.
  private var isWaitingForRetry = false
  /// Documents whose folder has been touched.
  private var touched: Set<ObjectIdentifier> = []

  var documents: [Document] { open.map(\.document) }

  /// The documents without a file of scenes that are disconnected, and not discarded with what they showed: at the end
  /// of the program, or because the window is lost.
  private var left: [Document] = []

  /// The documents that are or were in scenes and have no file: new ones whose first save is under way, or has failed.
  private var new: [Document] {
    var found: Set<Document> = []
    return (roster.ordered.compactMap { knownState(of: $0)?.document } + left)
      .filter { $0.machine.isWithoutFile && found.insert($0).inserted }
  }

  /// What is under way holds the program by its background task, whose time is limited.
  override var keepsRunning: Bool { open.contains { $0.document.machine.isUrgent && !$0.document.jobs.isBusy } }

  /// What a document without a file has is in its scene and nowhere else.
  ///
  /// So is what can be neither saved nor kept: the session's next scene would have another document of the file.
  override func keepsConnected(_ record: SceneRecord) -> Bool {
    knownState(of: record)?.document.map { $0.machine.isWithoutFile || $0.machine.isNowhere } ?? false
  }

  override func protects(_ record: SceneRecord) -> Bool {
    knownState(of: record)?.document.map { $0.protection != .none } ?? false
  }

  // MARK: The documents

  private var recentDocuments: RecentDocuments { RecentDocuments(application: application) }

  /// A document has been opened, or has another file now.
  func opened(_ document: Document) {
    if !open.contains(where: { $0.document === document }) { open.append((document, nil)) }
    placed(document)
    for record in roster.ordered where knownState(of: record)?.document === document {
      record.scene?.bind(to: document)
    }
    if document.isNotedAsRecent {
      recentDocuments.note(document.fileURL, type: document.fileType)
    }
  }

  /// A document has been saved, or read again: a link may lead to another file by now.
  func placed(_ document: Document) {
    watchTime()
    guard let index = open.firstIndex(where: { $0.document === document }), let place = document.known?.place,
      open[index].place != place
    else { return }
    open[index].place = place
    unwatchFolders()
    let folder = Array(place.folder.utf8)
    // One that has failed may succeed by now.
    if watches[folder].map({ $0.failure != nil }) ?? true {
      watches[folder] = FolderWatch(place.folder, host: conductor) { [weak self] in self?.touched(folder, $0) }
    }
    if let failure = watches[folder]?.failure {
      conductor.log("Changes of “\(place.name)” by other programs are not seen at once: \(failure).")
    }
  }

  func closed(_ document: Document) {
    open.removeAll { $0.document === document }
    unwatchFolders()
  }

  /// Ends the watches of folders that no document is in any more.
  private func unwatchFolders() {
    let folders = Set(open.compactMap { $0.place.map { Array($0.folder.utf8) } })
    for (folder, watch) in watches where !folders.contains(folder) {
      watch.stop()
      watches[folder] = nil
    }
  }

  /// Closes a document that could not be closed before; not one that a scene shows, in which the user may go on.
  func closeIfPossible(_ document: Document) {
    if document.closesOnceSaved, !isShown(document) { document.jobs.enqueue(.closeUnlessShown) }
  }

  /// A document is protected from now on, or no longer: so is what is stored of the scenes that show it.
  func protectionChanged(_ document: Document) {
    for record in roster.ordered where knownState(of: record)?.document === document {
      conductor.announce(.protectionChanged(record))
    }
  }

  func isShown(_ document: Document) -> Bool {
    roster.contains { knownState(of: $0)?.document === document }
  }

  private func touched(_ folder: [UInt8], _ names: Set<String>?) {
    for case (let document, let place?) in open
    where place.folder.utf8.elementsEqual(folder) && names?.contains(place.name) != false {
      touched.insert(ObjectIdentifier(document))
    }
    guard !touched.isEmpty, !conductor.isSet(.documentLook) else { return }
    conductor.set(.documentLook, after: Self.lookDelay, AnyMessage(Documents.self, .look))
  }

  private func look() {
    let touched = exchange(&touched, with: [])
    for document in documents where touched.contains(ObjectIdentifier(document)) { document.jobs.enqueue(.look) }
  }

  // MARK: Saving

  /// Saves a document's changes within a moment: at once in the background, where no moment may follow.
  func saveSoon(_ document: Document) {
    watchTime()
    let isRetry = document.machine.trouble == .failed || document.machine.isStuck
    // Another document's new try is no reason to wait.
    guard !conductor.isSet(.documents) || isWaitingForRetry && !isRetry else { return }
    isWaitingForRetry = isRetry
    let delay = isRetry ? Self.retryDelay : application.applicationState == .background ? .zero : Self.delay
    conductor.set(.documents, after: delay, AnyMessage(Documents.self, .save))
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .save: save()
    case .look: look()
    case .keep:
      for document in documents where document.jobs.isSlow { document.jobs.keepMeanwhile() }
      watchTime()
    }
    return []
  }

  /// Sees to it that changes are kept whose write takes too long.
  func watchTime() {
    if !open.contains(where: { $0.document.machine.isUrgent }) {
      conductor.cancel(.slowDocuments)
    } else if !conductor.isSet(.slowDocuments) {
      conductor.set(.slowDocuments, after: Self.slowDelay, AnyMessage(Documents.self, .keep))
    }
  }

  private func save() {
    for document in documents where document.machine.next != .nothing { document.jobs.enqueue(.autosave) }
  }

  private func save(_ record: SceneRecord) {
    if let document = knownState(of: record)?.document, document.machine.next != .nothing {
      document.jobs.enqueue(.autosave)
    }
  }

  /// Saves, and returns when all is on the disk, or after this time; what hangs is kept elsewhere in the end of it.
  private func finish(_ time: Duration) {
    let start = DispatchTime.now()
    func after(_ time: Duration) -> DispatchTime { start + .nanoseconds(Int(max(.zero, time) / .nanoseconds(1))) }
    // All of them at once: one that hangs takes no other one's time.
    save()
    let hanging = (documents + new).filter { !$0.jobs.finish(until: after(time - Self.keepTime)) }
    for document in hanging { document.jobs.keepMeanwhile() }
    for document in hanging { document.jobs.keepMeanwhile(until: after(time)) }
  }

  /// The same at the end of the program.
  private func finishAtEnd() { conductor.feature(Termination.self)?.wait(atMost: Self.endLimit) { finish($0) } }

  /// Says what the program ends without.
  private func reportWhatIsLost() {
    for document in documents + new
    where document.machine.isNowhere || document.machine.isWithoutFile
      || document.hasUnsavedChanges && document.jobs.isKeeping
    {
      let reason = document.error.map { " \($0)" } ?? ""
      conductor.report(
        "The program ends, and changes of “\(document.fileURL.path)” are lost: they could neither be saved nor kept."
          + reason)
    }
  }

  // MARK: Moments

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.protects, .keepsConnected, .keepsRunning, by: self)
    lists.observe(
      after: [.sceneWillConnect, .sceneDidBecomeActive, .sceneWillResignActive, .sceneDidDisconnect], by: self)
    lists.observe(moments: .applicationStateSet, .leftForeground, by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .after(.sceneWillConnect, let record):
      state(of: record).isConnected = true
      if let document = state(of: record).document { record.scene?.bind(to: document) }
    // File systems of the network report no changes.
    case .after(.sceneDidBecomeActive, let record): state(of: record).document?.jobs.enqueue(.look)
    case .after(.sceneWillResignActive, let record): save(record)
    case .leftForeground(let record): save(record)
    case .after(.sceneDidDisconnect, let record): disconnected(record)
    case .applicationStateSet where application.applicationState == .background: save()
    case .saving: save()
    case .protectedDataChanged(let state): protectedDataChanged(state)
    case .awaitingDisk(_, let end): finish(.milliseconds(Int(1000 * (end - conductor.platform.now))) + Self.keepTime)
    case .suspended: for watch in watches.values { watch.pause() }
    case .resumed: for watch in watches.values { watch.resume() }
    case .terminating: finishAtEnd()
    // What was changed in the last callback.
    case .ended:
      finishAtEnd()
      reportWhatIsLost()
      conductor.feature(Termination.self)?.wait(atMost: Self.recentLimit) {
        recentDocuments.writer.finish(until: .now() + .milliseconds($0.milliseconds))
      }
    default: break
    }
    return []
  }

  /// What is protected is saved before its key goes, and what has been changed without it afterwards.
  private func protectedDataChanged(_ state: ProtectedDataMachine.State) {
    switch state {
    case .closing: save()
    case .unavailable: break
    case .available:
      for document in documents where document.protection != .none {
        document.reduce(.available)
        document.jobs.enqueue(.look)
      }
    }
  }

  /// A document that no other scene shows is closed with its scene.
  private func disconnected(_ record: SceneRecord) {
    state(of: record).isConnected = false
    guard let document = state(of: record).document.take(), !isShown(document) else { return }
    left.removeAll { !$0.machine.isWithoutFile }
    if document.machine.isWithoutFile, record.ending?.discards != true { left.append(document) }
    document.jobs.enqueue(.saveForClosing)
    document.jobs.enqueue(.closeUnlessShown)
  }
}

/// Changes of documents are saved.
extension Deadline { static let documents = Deadline("documents") }
/// Files of documents that have been touched are looked at.
extension Deadline { fileprivate static let documentLook = Deadline("documentLook") }
/// Documents whose writes take too long are kept.
extension Deadline { fileprivate static let slowDocuments = Deadline("slowDocuments") }
