public import FoundationEssentials

/// An activity of the user that can be continued elsewhere or later; UIKit's `NSUserActivity`.
///
/// Stored with a session for its restoration, and delivered to scenes to be continued. Used on the main thread. Stored
/// are ``title``, ``userInfo``, the addresses, dates, identifiers, keywords and the payload; not stored are
/// ``needsSave``, the eligibilities, the delegate, and whether the activity is current.
@preconcurrency @MainActor public final class UserActivity {
  /// The type of an activity that stands for a page of the web.
  nonisolated public static let browsingWebType = "NSUserActivityTypeBrowsingWeb"

  /// Reports values that cannot be stored; to standard error until a conductor sets it.
  package static var report: @MainActor (String) -> Void = { Application.report($0) }
  /// Called for each responder whose activity needs to be saved.
  package static var didNeedSave: (@MainActor (Responder) -> Void)?

  /// The type of the activity, in reverse domain notation.
  public let activityType: String
  /// Called when the activity is saved and when it is continued; held weakly.
  public weak var delegate: (any UserActivityDelegate)? { didSet { assertMainThread() } }
  /// Whether other programs of the developer may continue it, and other instances of the program; not stored.
  ///
  /// While it is true, and the activity is current (``becomeCurrent()``) and in front, it is offered to them: see
  /// ``HandoffCenter``.
  public var isEligibleForHandoff = true {
    didSet {
      assertMainThread()
      if isCurrent { program?.onChange() }
    }
  }
  /// Whether it may be found by searching on this machine.
  ///
  /// For compatibility; not stored.
  public var isEligibleForSearch = false { didSet { assertMainThread() } }
  /// Whether the activity may be indexed publicly.
  ///
  /// For compatibility; not stored.
  public var isEligibleForPublicIndexing = false { didSet { assertMainThread() } }
  /// Whether it may be proposed to the user.
  ///
  /// For compatibility; not stored.
  public var isEligibleForPrediction = false { didSet { assertMainThread() } }
  /// What the feature that offers the current activity keeps of it; released with the activity.
  package var offer: AnyObject?
  /// The session that stores the activity, and is saved when it changes.
  weak var keeper: SceneSession?
  /// The program in which it became current last; nil for none, and where that has gone.
  private weak var program: CurrentActivity?
  /// Whether ``invalidate()`` has not been called yet.
  private(set) var isValid = true { didSet { assertMainThread() } }

  private var state: StoredActivity
  private var wantsSaving = false { didSet { assertMainThread() } }
  private var isCollecting = false
  private var holders: [Holder] = []

  /// One responder that has the activity, in the order of their setting.
  private struct Holder { weak var hold: ActivityHold? }

  /// Makes an activity of a type.
  /// - Parameter activityType: The type, in reverse domain notation.
  public convenience init(activityType: String) { self.init(StoredActivity(activityType: activityType)) }

  /// Makes an activity of its stored form; one without `userInfo` begins with an empty one.
  package init(_ stored: StoredActivity) {
    activityType = stored.activityType
    state = stored
    if state.userInfo == nil { state.userInfo = [:] }
  }

  /// The stored form of the activity: of `userInfo` the required keys alone, if there are any.
  package var stored: StoredActivity {
    var kept = state
    if let keys = state.requiredUserInfoKeys, !keys.isEmpty {
      kept.userInfo = state.userInfo?.filter { keys.contains($0.key) }
    }
    if kept.userInfo?.isEmpty == true { kept.userInfo = nil }
    return kept
  }

  /// Changes nothing in an activity that is no longer valid.
  private func change(_ body: (inout StoredActivity) -> Void) {
    assertMainThread()
    guard isValid else { return }
    body(&state)
    keeper?.onChange?()
    if isCurrent { program?.onChange() }
  }

  // MARK: Content

  /// The name of the activity for the user.
  public var title: String? {
    get { state.title }
    set { change { $0.title = newValue } }
  }

  /// The values that are needed to continue the activity; empty at first.
  ///
  /// Accepts numbers, strings, `Bool`, `Data`, `Date`, `URL`, `UUID`, arrays, sets, and dictionaries of these. A value
  /// that cannot be stored is left out, and an error in the log names its key and type. Values are read as they are
  /// decoded from the store: whole numbers as `Int`, others as `Double`.
  public var userInfo: [String: any Sendable]? {
    get { state.userInfo?.mapValues(\.value) }
    set { setUserInfo(newValue) }
  }

  /// Replaces ``userInfo`` by values whose types are known only at run time, as code with `[AnyHashable: Any]` has
  /// them.
  /// - Parameter entries: The values, which are checked as by ``userInfo``; nil removes all.
  public func setUserInfo(_ entries: [String: Any]?) {
    guard isValid else { return }
    let checked = Self.checked(entries, of: "the user activity \(activityType)")
    change { $0.userInfo = checked }
  }

  /// Adds to ``userInfo``, where a key's new value replaces the old one.
  /// - Parameter entries: The entries; checked as by ``userInfo``.
  public func addUserInfoEntries(from entries: [String: any Sendable]) {
    guard isValid, let added = Self.checked(entries, of: "the user activity \(activityType)") else { return }
    change { $0.userInfo = ($0.userInfo ?? [:]).merging(added) { _, new in new } }
  }

  /// The keys of ``userInfo`` that are stored; nil or empty stores all of them.
  public var requiredUserInfoKeys: Set<String>? {
    get { state.requiredUserInfoKeys }
    set { change { $0.requiredUserInfoKeys = newValue } }
  }

  /// The page of the web that shows the same.
  public var webpageURL: URL? {
    get { state.webpageURL }
    set { change { $0.webpageURL = newValue } }
  }

  /// The page of the web that led to ``webpageURL``.
  public var referrerURL: URL? {
    get { state.referrerURL }
    set { change { $0.referrerURL = newValue } }
  }

  /// The time at which the activity expires; nil for never.
  ///
  /// From then on ``SceneSession/stateRestorationActivity`` is nil.
  public var expirationDate: Date? {
    get { state.expirationDate }
    set { change { $0.expirationDate = newValue } }
  }

  /// Words that help the user to find it; empty at first.
  public var keywords: Set<String> {
    get { state.keywords ?? [] }
    set { change { $0.keywords = newValue.isEmpty ? nil : newValue } }
  }

  /// The identifier of its content, for the choice of a scene.
  public var targetContentIdentifier: String? {
    get { state.targetContentIdentifier }
    set { change { $0.targetContentIdentifier = newValue } }
  }

  /// The program's identifier of this activity.
  public var persistentIdentifier: String? {
    get { state.persistentIdentifier }
    set { change { $0.persistentIdentifier = newValue } }
  }

  /// Sets the payload, a value that is stored with the activity.
  /// - Parameter value: The value, stored as JSON.
  /// - Throws: `EncodingError` if the value cannot be encoded; the former payload stays.
  public func setPayload<Value: Encodable>(_ value: Value) throws {
    let data = try JSONEncoder().encode(value)
    change { $0.payload = data }
  }

  /// Decodes the payload of ``setPayload(_:)``, from this run or an earlier one.
  /// - Parameter type: The type of the value.
  /// - Returns: The value; nil if there is no payload.
  /// - Throws: `DecodingError` if the payload is of another type; it stays as it is.
  public func payload<Value: Decodable>(as type: Value.Type) throws -> Value? {
    guard let data = state.payload else { return nil }
    return try JSONDecoder().decode(type, from: data)
  }

  /// The values of a program in their stored form; values that cannot be stored are reported and left out.
  /// - Parameters:
  ///   - values: The program's values.
  ///   - owner: The owner of the values, for the error.
  /// - Returns: The values that can be stored.
  static func checked(_ values: [String: Any]?, of owner: String) -> [String: StoredValue]? {
    guard let values else { return nil }
    var entries: [String: StoredValue] = [:]
    for (key, value) in values {
      do throws(StoredValue.Unstorable) {
        entries[key] = try StoredValue(value, key: key)
      } catch {
        report("In the userInfo of \(owner), \(error) It has been left out.")
      }
    }
    return entries
  }

  // MARK: Validity

  /// Whether the activity is the user's present one.
  public var isCurrent: Bool { program?.activity === self }

  /// Makes this the user's present activity, in place of any other activity of the program.
  ///
  /// It is offered to other programs while the program is in front: see ``HandoffCenter``. Does nothing once the
  /// activity has been invalidated. Does not retain the activity.
  public func becomeCurrent() {
    guard isValid else { return }
    program = Application.shared.value(CurrentActivityKey.self)
    program?.activity = self
  }

  /// Ends the activity's time as the user's present one.
  ///
  /// Does nothing if the activity is not current.
  public func resignCurrent() { if isCurrent { program?.activity = nil } }

  /// Invalidates the activity: it is not current any more, and changes to it are ignored from now on.
  ///
  /// Called by the framework when the last responder that had it releases it. Its values can still be read.
  public func invalidate() {
    resignCurrent()
    isValid = false
    wantsSaving = false
  }

  /// Whether the activity's state has to be collected again, from its delegate and its responders.
  ///
  /// If true, the scenes of the responders that have it read their state within a second.
  public var needsSave: Bool {
    get { wantsSaving }
    set {
      guard isValid, !isCollecting else { return }
      wantsSaving = newValue
      guard newValue else { return }
      keeper?.onChange?()
      for responder in responders { Self.didNeedSave?(responder) }
    }
  }

  /// Updates the activity, right before it is saved.
  ///
  /// The delegate is called, then `userInfo` is emptied and each responder that has the activity adds to it, in the
  /// order in which they received it. If none adds anything, `userInfo` stays as it was.
  /// - Parameter last: Called at the end, for the last additions.
  package func collect(_ last: () -> Void = {}) {
    guard isValid, !isCollecting else { return }
    isCollecting = true
    defer {
      isCollecting = false
      wantsSaving = false
    }
    delegate?.userActivityWillSave(self)
    let before = state.userInfo
    state.userInfo = [:]
    for responder in responders where responder.activityHold?.activity === self {
      responder.updateUserActivityState(self)
    }
    if state.userInfo?.isEmpty != false { state.userInfo = before }
    last()
  }

  // MARK: The responders that have it

  package var responders: [Responder] { holders.compactMap { $0.hold?.responder } }

  func addHolder(_ hold: ActivityHold) { holders.append(Holder(hold: hold)) }

  /// A responder has another activity now, or none; nil for one that is being deallocated.
  func released(by hold: ActivityHold?) {
    holders.removeAll { $0.hold == nil || $0.hold === hold }
    if holders.isEmpty { invalidate() }
  }
}

extension UserActivity: nonisolated Hashable {
  /// Whether both are the same object.
  public nonisolated static func == (lhs: UserActivity, rhs: UserActivity) -> Bool { lhs === rhs }
  /// Hashes the identity.
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
