internal import Dispatch
import ProsceniumLoop
import ProsceniumStore

/// A store that could not be opened at the launch: a full disk, one that fails for a while, a directory that the user
/// has to mend.
///
/// The program runs without it, and opens it when that is possible. What there is then is saved; sessions of earlier
/// runs wait for the next request from outside, as after a launch into the background.
extension Launch {
  /// How long the next try waits.
  private static let retryTime = Duration.seconds(1)

  var openStoreLater: FeatureAction { self.set(.store, after: Self.retryTime, .openStore) }

  /// Opens the store on a thread of its own: a disk that is ill may hang.
  func openLateStore() -> [FeatureAction] {
    guard let place = missingStore else { return [] }
    let isUnderWay = DetachedThread.run { [weak self] in
      let opened = try? place.open()
      DispatchQueue.main.async { self?.opened(opened) }
    }
    return isUnderWay ? [] : [openStoreLater]
  }

  private func opened(_ opened: StorePlace.Opened?) {
    guard !conductor.machine.phase.isEnding else { return }
    guard let opened else { return conductor.perform(openStoreLater) }
    missingStore = nil
    lateStore = SessionStore(opened)
    conductor.post(Self.self, .useStore)
  }

  func useLateStore() -> [FeatureAction] {
    conductor.feature(Saving.self)?.use(exchange(&lateStore, with: nil))
    conductor.reportSavingResumed("The stored sessions can be used again: those of this run are saved from now on.")
    return [.announce(.storeOpened)]
  }
}

/// The store is opened again.
extension Deadline { fileprivate static let store = Deadline("store") }
