/// What the user can undo and redo: actions in groups, the last one first.
///
/// A ``Document`` has one and counts its changes by it. A responder finds the nearest one of its chain in
/// ``Responder/undoManager``. A window has none by itself: a responder of the chain, such as the scene's delegate,
/// returns the one that it keeps.
///
/// ```swift
/// let history = UndoManager()
/// override var undoManager: UndoManager? { history }
///
/// func setTitle(_ title: String) {
///   let old = self.title
///   undoManager?.registerUndo(withTarget: self) { $0.setTitle(old) }
///   undoManager?.setActionName("Rename")
///   self.title = title
/// }
/// ```
///
/// An action that is registered while another one is undone is what redoes it. Foundation has no such class on Linux;
/// the names are Foundation's.
@preconcurrency @MainActor public final class UndoManager {
  /// A change of the document's content, as its change count has it.
  enum Change: Hashable, Sendable {
    case done, undone, redone
    /// An undo or a redo of a group that is only in part newer than the last save, or some of whose targets are gone.
    case untracked
  }

  /// A change that can be undone; its target is not kept alive.
  private struct Action {
    private(set) weak var target: AnyObject?
    let perform: @MainActor (AnyObject) -> Void
  }

  /// What is undone at once.
  private struct Group {
    var actions: [Action] = []
    var name = ""
    /// ``beginNewStep()`` was called while it was open, and actions have followed, or a change after it stays.
    var isSplit = false

    /// Whether there is something left that its actions can change.
    var isLive: Bool { actions.contains { $0.target != nil } }

    func changes(_ target: AnyObject) -> Bool { actions.contains { $0.target === target } }

    /// Takes out the actions of a target, whose changes stay; an empty group stays in its place, and is skipped.
    mutating func forget(_ target: AnyObject) {
      let count = actions.count
      actions.removeAll { $0.target == nil || $0.target === target }
      isSplit = isSplit || actions.count < count
    }
  }

  private enum Mode { case ordinary, undoing, redoing }

  private var undoable: [Group] = []
  private var redoable: [Group] = []
  /// The group that takes actions now, and the number of the event that it belongs to where the manager made it.
  private var openGroup: Group?
  private var openEvent = 0
  private var mode = Mode.ordinary
  private var disabling = 0
  /// Whether the open group's change has been reported.
  private var isReported = false
  /// Called with each change.
  var onChange: ((Change) -> Void)?
  /// The number of the event that is being handled.
  var eventNumber: @MainActor () -> Int = { Application.sharedIfLaunched?.conductor?.item ?? 0 }

  /// Makes a manager that can undo nothing yet.
  public init() {}

  // MARK: Registering

  /// Registers what undoes a change that is being made.
  ///
  /// While an action is undone it registers what redoes it, and the other way round. Everything that could be redone
  /// before is forgotten otherwise.
  /// - Parameters:
  ///   - target: The object of the change; held weakly: with it goes the action.
  ///   - handler: Undoes the change; called with the target.
  public func registerUndo<Target: AnyObject>(
    withTarget target: Target, handler: @escaping @MainActor (Target) -> Void
  ) {
    assertMainThread()
    guard isUndoRegistrationEnabled else { return }
    let action = Action(target: target) { if let target = $0 as? Target { handler(target) } }
    guard mode == .ordinary else {
      openGroup?.actions.append(action)
      return
    }
    if groupingLevel == 0 {
      let event = eventNumber()
      if openGroup != nil, !groupsByEvent || event != openEvent { closeGroup() }
      openEvent = event
    }
    if openGroup == nil {
      openGroup = Group()
      isReported = false
    }
    stepNumber += 1
    redoable = []
    if !isReported, openGroup?.actions.isEmpty == false { openGroup?.isSplit = true }
    openGroup?.actions.append(action)
    if groupingLevel == 0, !groupsByEvent { closeGroup() }
    if !isReported { onChange?(.done) }
    isReported = true
  }

  /// Whether actions are registered; true at first.
  public var isUndoRegistrationEnabled: Bool { disabling == 0 }

  /// Registers nothing until ``enableUndoRegistration()`` has been called as often.
  ///
  /// A text view or a field that is changed meanwhile forgets its earlier steps.
  public func disableUndoRegistration() {
    assertMainThread()
    disabling += 1
  }

  /// Ends a ``disableUndoRegistration()``; harmless without one.
  public func enableUndoRegistration() {
    assertMainThread()
    disabling = max(0, disabling - 1)
  }

  // MARK: Groups

  /// Whether the actions of one event of the user are undone at once; true at first.
  ///
  /// An event is what the loop handles at a time: a key, a callback, or what waited in the main queue. Where it is
  /// false, an action outside of ``beginUndoGrouping()`` is a group of its own.
  public var groupsByEvent = true { didSet { assertMainThread() } }

  /// How many ``beginUndoGrouping()`` have not been ended.
  public private(set) var groupingLevel = 0

  /// Begins a group: the actions up to its end are undone at once.
  ///
  /// A group within a group is a part of it.
  public func beginUndoGrouping() {
    assertMainThread()
    guard mode == .ordinary else { return }
    if groupingLevel == 0 {
      closeGroup()
      openGroup = Group()
      isReported = false
      stepNumber += 1
    }
    groupingLevel += 1
  }

  /// Ends a group; harmless without one.
  public func endUndoGrouping() {
    assertMainThread()
    guard mode == .ordinary, groupingLevel > 0 else { return }
    groupingLevel -= 1
    guard groupingLevel == 0 else { return }
    closeGroup()
    stepNumber += 1
  }

  /// Makes what is registered next a step of its own, although it belongs to the same event.
  ///
  /// A document calls it when its content is saved, or the program says that it is, so that an undo returns to what was
  /// saved. ``stepNumber`` grows.
  public func beginNewStep() {
    assertMainThread()
    stepNumber += 1
    if mode == .ordinary, groupingLevel == 0 { closeGroup() }
    isReported = false
  }

  /// Grows with each action that is registered or forgotten, each undo and redo, the begin and the end of a group, and
  /// each ``beginNewStep()``: for views that merge changes into one step, and begin another one where something else
  /// came in between.
  public private(set) var stepNumber = 0

  /// The greatest number of groups that can be undone; 0, the default, for any.
  public var levelsOfUndo = 0 { didSet { forgetOldest() } }

  private func closeGroup() {
    guard let group = openGroup.take(), !group.actions.isEmpty || group.isSplit else { return }
    undoable.append(group)
    forgetOldest()
  }

  private func forgetOldest() {
    assertMainThread()
    guard levelsOfUndo > 0, undoable.count > levelsOfUndo else { return }
    undoable.removeFirst(undoable.count - levelsOfUndo)
  }

  // MARK: Names

  /// Names the group that is open, or the last one, for the user: `"Rename"`.
  /// - Parameter name: The name.
  public func setActionName(_ name: String) {
    assertMainThread()
    if openGroup != nil {
      openGroup?.name = name
    } else if let last = undoable.indices.last {
      undoable[last].name = name
    }
  }

  /// The name of what would be undone next; empty where it has none.
  public var undoActionName: String {
    if let group = openGroup, mode == .ordinary, group.isLive { return group.name }
    return undoable.last(where: \.isLive)?.name ?? ""
  }

  /// The name of what would be redone next; empty where it has none.
  public var redoActionName: String { redoable.last(where: \.isLive)?.name ?? "" }

  // MARK: Undoing

  /// Whether there is something to undo.
  public var canUndo: Bool { openGroup?.isLive == true || undoable.contains(where: \.isLive) }
  /// Whether there is something to redo.
  public var canRedo: Bool { redoable.contains(where: \.isLive) }
  /// Whether a group is being undone.
  public var isUndoing: Bool { mode == .undoing }
  /// Whether a group is being redone.
  public var isRedoing: Bool { mode == .redoing }

  /// Undoes the last group.
  ///
  /// Does nothing within ``beginUndoGrouping()`` and its end, and within another undo or redo.
  public func undo() {
    assertMainThread()
    guard mode == .ordinary, groupingLevel == 0 else { return }
    closeGroup()
    guard let group = Self.nextGroup(of: &undoable) else { return }
    perform(group, .undoing)
  }

  /// Redoes the group that was undone last.
  ///
  /// Does nothing within ``beginUndoGrouping()`` and its end, and within another undo or redo.
  public func redo() {
    assertMainThread()
    guard mode == .ordinary, groupingLevel == 0 else { return }
    closeGroup()
    guard let group = Self.nextGroup(of: &redoable) else { return }
    perform(group, .redoing)
  }

  /// Takes the last group that can change something.
  ///
  /// Where there were dead ones behind it, whose changes stay, the document cannot count back to what was saved.
  private static func nextGroup(of groups: inout [Group]) -> Group? {
    var hasSkipped = false
    while var group = groups.popLast() {
      group.isSplit = group.isSplit || hasSkipped
      if group.isLive { return group }
      hasSkipped = true
    }
    return nil
  }

  private func perform(_ group: Group, _ mode: Mode) {
    stepNumber += 1
    self.mode = mode
    openGroup = Group(name: group.name, isSplit: group.isSplit)
    var isWhole = true
    for action in group.actions.reversed() {
      if let target = action.target { action.perform(target) } else { isWhole = false }
    }
    self.mode = .ordinary
    if let reverse = openGroup.take(), !reverse.actions.isEmpty {
      if mode == .undoing { redoable.append(reverse) } else { undoable.append(reverse) }
    }
    isReported = false
    onChange?(group.isSplit || !isWhole ? .untracked : mode == .undoing ? .undone : .redone)
  }

  /// Forgets all actions.
  public func removeAllActions() {
    assertMainThread()
    stepNumber += 1
    (undoable, redoable) = ([], [])
    openGroup = groupingLevel > 0 ? Group() : nil
  }

  /// Forgets the actions of a target.
  /// - Parameter target: The target.
  public func removeAllActions(withTarget target: AnyObject) {
    assertMainThread()
    func left(_ groups: [Group]) -> [Group] {
      groups.reduce(into: []) { left, group in
        var group = group
        group.forget(target)
        // One empty group between others says as much as many.
        if !group.actions.isEmpty || left.last?.actions.isEmpty == false { left.append(group) }
      }
    }
    let groups = undoable + redoable + (openGroup.map { [$0] } ?? [])
    if groups.contains(where: { $0.changes(target) }) { stepNumber += 1 }
    (undoable, redoable) = (left(undoable), left(redoable))
    openGroup?.forget(target)
  }
}
