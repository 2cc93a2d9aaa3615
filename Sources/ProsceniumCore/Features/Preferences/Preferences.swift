public import FoundationEssentials
import ProsceniumJSON
import ProsceniumLoop
import ProsceniumStore

/// The user's preferences: a file of values by name, `$XDG_CONFIG_HOME/<application id>/preferences.json`.
///
/// ```swift
/// let size = application.preferences[.fontSize]
/// application.preferences[.fontSize] = size + 1
/// ```
///
/// The application has one, ``Application/preferences``; for the main thread. A program that never reads or sets a
/// preference opens and watches nothing. The first use of one makes the directory and reads the file, which may have a
/// mebibyte; before `application(_:willFinishLaunchingWithOptions:)` every preference has its default, and values that
/// are set then are stored.
///
/// A value counts at once and is written a moment later by a separate thread, together with others that were set in
/// between: under another name, synced, and renamed. It is on disk before the program ends, also by SIGTERM, and before
/// it is suspended or the machine sleeps; a disk that takes longer than a few seconds is not waited for, and the
/// failure is written to standard error. A write that fails is tried again once a second, and for three seconds at the
/// end of the program. A file that the disk withholds is read again once a second for a minute. Such trouble is told
/// once, and so is its end. Only the keys that were set are changed in the file: keys
/// that this program does not know, and those that another instance of it has written, stay. Instances wait for each
/// other.
///
/// The file can be edited while the program runs, by hand or by other programs: ``DidChangeMessage`` lists the keys
/// with changed values. A file that is no JSON object, or too large, has no values at the launch, and changes nothing
/// while the program runs; it is renamed to `preferences.json.damaged` when something is set, after an editor that
/// writes the file in place has been waited for, for a second. The error is written to standard error. Of damaged files
/// the first three and the latest are kept.
///
/// The directory is followed when it is renamed, or removed, and made again. A `preferences.json` that is a symbolic
/// link is followed too: its target is read, watched, and replaced, and the link stays. A *directory* on the way that
/// is a link and is changed, or that is renamed with the program's own in it, is not detected before the next launch.
@MainActor public final class Preferences {
  /// Posted when values have changed: at once when the program sets one, and when another program has edited the file,
  /// all keys at once.
  ///
  /// A write of the program itself is not posted again when the file changes. Nothing is posted while the program is
  /// suspended; on resumption the differences are posted once.
  public struct DidChangeMessage: NotificationCenter.MainActorMessage {
    /// The preferences.
    public typealias Subject = Preferences
    /// The preferences.
    public let preferences: Preferences
    /// The names of the keys with changed values, at least one.
    public let changedKeys: Set<String>
  }

  /// Nil once the process is dead, in a test.
  weak var application: Application?
  /// Nil before the first use, and where the directory is unavailable.
  var file: PreferencesFile?
  private(set) var isOpen = false
  /// The file's contents when it was read or written last.
  var stored: (values: [String: JSONValue], bytes: [UInt8]?) = ([:], nil)
  /// The choices that may not be on disk yet: the value, nil where the key is to be removed, the number of choices up
  /// to it, and whether it has been told that the file has no room for it.
  var choices: [String: (value: JSONValue?, number: Int, isLeftOut: Bool)] = [:]
  private(set) var choiceCount = 0
  /// Decoded values, by name, so that each is decoded once.
  private var decoded: [String: any Sendable] = [:]
  /// Names whose values have a wrong type, each reported once.
  private var misfits: Set<String> = []
  // See Preferences+File.
  var watch: FolderWatch?
  /// The target of the file, where it is a link.
  var targetWatch: (folder: String, name: String, watch: FolderWatch)?
  var writing: PreferencesWriting?
  var readDeadline: DeadlineID?
  var isFailing = false
  /// How often, on end, the disk has withheld the file.
  var failedReads = 0

  init(_ application: Application) { self.application = application }

  /// The value of a key: the chosen one, else the key's default.
  ///
  /// A value in the file that is of another type counts as not chosen; it stays in the file until the key is set.
  /// Setting never fails: a value that cannot be encoded as JSON, or alone would have more than a mebibyte, is not
  /// stored, and the error is written to standard error. One for which the file has no room beside the others counts as
  /// long as the program runs, and is stored as soon as there is room.
  /// - Parameter key: The key.
  /// - Returns: The value.
  public subscript<Value>(key: PreferenceKey<Value>) -> Value {
    get {
      open()
      if let known = decoded[key.name], let value = known as? Value { return value }
      guard let stored = value(of: key.name) else { return key.defaultValue }
      do {
        let value = try stored.decoded(as: Value.self)
        decoded[key.name] = value
        return value
      } catch {
        if misfits.insert(key.name).inserted {
          application?.conductor?.log("The preference \"\(key.name)\" is no \(Value.self); its default is used.")
        }
        return key.defaultValue
      }
    }
    set {
      open()
      do {
        let value = try JSONValue(encoding: newValue)
        guard value != self.value(of: key.name) else { return }
        let size = try PreferencesFile.bytes(of: [key.name: value]).count
        guard size <= PreferencesFile.limit else {
          return report("\(key.name) was not set: it would have \(size) bytes; the limit is \(PreferencesFile.limit).")
        }
        choose(value, key.name)
        decoded[key.name] = newValue
        postChange([key.name])
      } catch {
        report("\(key.name) was not set: it cannot be written as JSON (\(error)).")
      }
    }
  }

  /// Whether a value has been chosen for a key, of any type.
  /// - Parameter key: The key.
  /// - Returns: Whether a value has been chosen.
  public func contains<Value>(_ key: PreferenceKey<Value>) -> Bool {
    open()
    return value(of: key.name) != nil
  }

  /// Removes the chosen value: the key has its default again, and is removed from the file.
  /// - Parameter key: The key.
  public func remove<Value>(_ key: PreferenceKey<Value>) {
    open()
    guard value(of: key.name) != nil else { return }
    choose(nil, key.name)
    postChange([key.name])
  }

  // MARK: Values

  func open() {
    assertMainThread()
    guard !isOpen, let conductor = application?.conductor, !conductor.identity.id.isEmpty else { return }
    isOpen = true
    openFile(of: conductor)
  }

  private func value(of name: String) -> JSONValue? { choices[name].map(\.value) ?? stored.values[name] }

  private func choose(_ value: JSONValue?, _ name: String) {
    choiceCount += 1
    choices[name] = (value, choiceCount, false)
    clearDecoded([name])
    scheduleWriting()
  }

  /// Changes the known values; observers receive the names of changed effective values.
  func change(_ body: () -> Void) {
    let before = effectiveValues
    body()
    let after = effectiveValues
    let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    clearDecoded(changed)
    postChange(changed)
  }

  private var effectiveValues: [String: JSONValue] {
    var values = stored.values
    for (name, choice) in choices { values[name] = choice.value }
    return values
  }

  private func clearDecoded(_ names: Set<String>) {
    for name in names {
      decoded[name] = nil
      misfits.remove(name)
    }
  }

  private func postChange(_ names: Set<String>) {
    guard !names.isEmpty else { return }
    NotificationCenter.default.post(DidChangeMessage(preferences: self, changedKeys: names), subject: self)
  }

  func report(_ message: String) { application?.conductor?.report("Preferences: \(message)") }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<Preferences.DidChangeMessage> {
  /// Names ``Preferences/DidChangeMessage``.
  public static var didChange: Self { .init() }
}
