import ProsceniumLoop

/// Writes the program's preferences in time, and reads them again when the file has been edited.
final class PreferencesFeature: FeatureBase, Feature {
  enum Message: Equatable {
    /// The directory, which could not be used, is tried again.
    case open
    /// The file may have changed.
    case reread
    /// Choices have waited long enough, or a write that has failed is tried again.
    case write
  }

  /// How long a disk may delay the suspension.
  private static let suspensionLimit = Duration.seconds(2)

  /// Nil where the program has used none.
  private var preferences: Preferences? { application.value(PreferencesKey.self) }

  override func join(_ lists: inout FeatureLists) { lists.answer(.handle, .whileSuspended, by: self) }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    event == .preferencesEdited ? [.afterSettling([send(.reread)])] : []
  }

  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    event == .preferencesEdited ? .kept(kind: "preferences", rank: 3) : nil
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .open: preferences?.openFile(of: conductor)
    case .reread: preferences?.reread()
    case .write: preferences?.write()
    }
    return []
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .saving(.sleep): preferences?.write()
    case .awaitingDisk(_, let end):
      preferences?.finishWriting(milliseconds: Int(max(0, end - conductor.platform.now) * 1000))
    case .suspended: preferences?.writeInSilence(milliseconds: Self.suspensionLimit.milliseconds)
    case .resumed: preferences?.writing?.hurry()
    case .ended: preferences?.end()
    default: break
    }
    return []
  }
}

/// Choices are written.
extension Deadline { static let preferences = Deadline("preferences") }

extension Application {
  /// The user's preferences; see ``Preferences``.
  ///
  /// In tests they are in memory alone.
  public var preferences: Preferences {
    if let preferences = value(PreferencesKey.self) { return preferences }
    let preferences = Preferences(self)
    setValue(preferences, PreferencesKey.self)
    return preferences
  }
}

/// The preferences, once they have been used.
private enum PreferencesKey: ValueKey { static var initial: Preferences? { nil } }
