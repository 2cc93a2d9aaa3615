import ProsceniumJSON
import ProsceniumTrace

/// Shows the program's windows to assistive programs while there are any, and does what these ask for.
final class AccessibilityFeature: FeatureBase, Feature, LoopObserver {
  /// Whether an assistive program is there.
  private(set) var isWatched = false
  /// Whether one of them reads the screen.
  private(set) var isReadAloud = false
  /// How often the program has said that elements have changed.
  var notes = 0
  private let objects = AccessibilityObjects()
  private var shown = AccessibilityTree()
  /// What the windows were like when they were read last; nil where they have to be read.
  private var marks: [WindowMark]?

  private var service: (any AccessibilityService)? { application.host.services.accessibility }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.handle, .whileSuspended, by: self)
    lists.observe(.turnEnded, by: self)
  }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .accessibility(let event) = event else { return [] }
    switch event {
    case .watched(let isOn, let isReadAloud):
      self.isReadAloud = isReadAloud
      guard isOn != isWatched else { return [] }
      isWatched = isOn
      marks = nil
      if !isOn { show(AccessibilityTree()) }
      return [.traceSystem("accessibility", ["isOn": .bool(isOn)])]
    case .request(let id, let request): return [.callAfterSettling(RequestCall(id: id, request: request))]
    case .answer: return []
    }
  }

  /// A suspended program is read when it runs again, and its windows cannot be used.
  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    switch event {
    case .accessibility(.watched): .handledAsleep
    case .accessibility(.request): .dropped
    default: nil
    }
  }

  // MARK: Reading

  /// Reads the windows where one of them has changed.
  func moment(_ moment: LoopMoment) -> [FeatureAction] {
    guard isWatched, !conductor.isSuspended, !conductor.machine.phase.isEnding else { return [] }
    let now = WindowMark.all(in: conductor, notes: notes)
    guard now != marks else { return [] }
    marks = now
    return [.call(ReadCall())]
  }

  fileprivate func read() {
    // The program may have ended it by now.
    guard isWatched else { return }
    var walk = AccessibilityWalk(objects)
    for window in Self.windows(in: conductor) { walk.add(window, in: conductor) }
    show(walk.finish())
  }

  private func show(_ tree: AccessibilityTree) {
    guard tree != shown else { return }
    shown = tree
    objects.keep(tree)
    service?.publish(tree)
  }

  func announce(_ text: String) { service?.announce(text) }

  /// The windows that are shown, without menus, tooltips, and those that a toolkit tells of by itself.
  fileprivate static func windows(in conductor: Conductor) -> [Window] {
    conductor.roster.ordered.flatMap { record in
      record.windowScene?.windows.filter { window in
        !window.isAdopted && window.id.flatMap { record.windows[$0]?.isShown } ?? false
      } ?? []
    }
  }

  // MARK: Requests

  fileprivate func perform(_ id: AccessibilityID, _ request: AccessibilityRequest) {
    // What is scrolled out of sight can be used, what the user could not bring in sight cannot.
    guard isWatched, !conductor.machine.phase.isEnding, let object = objects[id], let window = window(of: id),
      window.record.map({ $0.activation >= .foregroundInactive }) ?? false,
      window.windowScene?.modalWindows.last.map({ $0 === window }) ?? true
    else { return }
    let isDone = object.accessibilityPerform(request)
    // What it has changed may be out of sight, and is not drawn then.
    notes += 1
    conductor.trace(.system("accessibilityRequest", ["isDone": .bool(isDone)]))
  }

  /// The window of an element.
  private func window(of id: AccessibilityID) -> Window? {
    var top = id
    while let parent = shown[top]?.parent, parent != .application { top = parent }
    return objects.window(top)
  }
}

/// Reads the windows.
private struct ReadCall: Notice {
  var call: CallDescription { CallDescription("accessibilityProperties", phase: .event) }
  func send(to application: Application) { application.conductor?.feature(AccessibilityFeature.self)?.read() }
}

/// What an assistive program asks for.
private struct RequestCall: Notice {
  var id: AccessibilityID
  var request: AccessibilityRequest
  var call: CallDescription { CallDescription("accessibilityPerform(_:)", phase: .event) }
  func send(to application: Application) {
    application.conductor?.feature(AccessibilityFeature.self)?.perform(id, request)
  }
}

/// What shows whether a window has to be read again.
private struct WindowMark: Equatable {
  var window: ObjectIdentifier
  /// How often a part of it was marked for drawing.
  var changes: Int
  var firstResponder: ObjectIdentifier?
  var activation: ActivationState?
  var isFocused: Bool
  var title: String
  var frame: Rect
  var notes: Int

  @MainActor static func all(in conductor: Conductor, notes: Int) -> [WindowMark] {
    let popUps: [Window] = conductor.feature(PopUps.self)?.presented ?? []
    return (AccessibilityFeature.windows(in: conductor) + popUps).map { window in
      WindowMark(
        window: ObjectIdentifier(window), changes: window.display.changes,
        firstResponder: window.firstResponder.map { ObjectIdentifier($0) }, activation: window.record?.activation,
        isFocused: window.hasFocus, title: window.effectiveTitle, frame: window.knownFrame, notes: notes)
    }
  }
}

extension Window {
  /// Whether it gets the keys.
  var hasFocus: Bool {
    guard let record, let id, record.activation == .foregroundActive else { return false }
    return record.windows[id]?.levels.focused ?? false
  }
}
