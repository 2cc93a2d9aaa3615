/// A method of responders of one class, for target-action.
///
/// `Action(NoteScene.save)` names the method `save(_ sender: AnyObject?)` of `NoteScene`. Sent without a target it
/// goes along the responder chain to the first responder of that class (or protocol) that can perform it.
///
/// Swift has no name for a method at run time: without a name of their own all actions of a class have that of the
/// class. One that ``Responder/canPerformAction(_:withSender:)``, a menu or a control knows again is made with a name:
///
/// ```swift
/// static let saving = Action(Editor.save, name: "save")
///
/// override func canPerformAction(_ action: Action, withSender sender: AnyObject?) -> Bool {
///   if action.name == Self.saving.name { return isDirty }
///   return super.canPerformAction(action, withSender: sender)
/// }
/// ```
@preconcurrency @MainActor public struct Action {
  /// The action's name, by which it is told from others; that of its class where none was given.
  public let name: String
  private let isNamed: Bool
  private let type: Any.Type
  private let isFor: (Responder) -> Bool
  private let perform: (Responder, AnyObject?, Event?) -> Void

  /// Makes an action of a method.
  /// - Parameters:
  ///   - method: The method, which receives the sender.
  ///   - name: The action's name; the class's name, which all actions of the class share, where nil.
  public init<Target>(_ method: @escaping @MainActor (Target) -> @MainActor (AnyObject?) -> Void, name: String? = nil) {
    self.init({ target in { sender, _ in method(target)(sender) } }, name: name)
  }

  /// Makes an action of a method with an event.
  /// - Parameters:
  ///   - method: The method, which receives the sender and the event.
  ///   - name: The action's name; the class's name, which all actions of the class share, where nil.
  public init<Target>(
    _ method: @escaping @MainActor (Target) -> @MainActor (AnyObject?, Event?) -> Void, name: String? = nil
  ) {
    self.name = name ?? "\(Target.self)"
    isNamed = name != nil
    type = Target.self
    isFor = { $0 is Target }
    perform = { responder, sender, event in if let target = responder as? Target { method(target)(sender, event) } }
  }

  /// Whether another action is known to be the same: both are for one class and have one name of their own.
  ///
  /// Actions without a name of their own cannot be known again.
  /// - Parameter other: The other action.
  /// - Returns: Whether it is; false for actions without a name of their own.
  public func isSame(as other: Action) -> Bool {
    isNamed && other.isNamed && name == other.name && type == other.type
  }

  /// Whether a responder is of the class that the action is for.
  func fits(_ responder: Responder) -> Bool { isFor(responder) }

  /// Performs the action for a responder: without a target in the chain of the first responder of its window, which may
  /// be beside it, then in its own.
  func send(to target: Responder?, from sender: Responder, for event: Event?) -> Bool {
    if target == nil, let first = sender.chainWindow?.firstResponder,
      send(to: nil, from: sender, along: first, for: event)
    {
      return true
    }
    return send(to: target, from: sender, along: sender, for: event)
  }

  /// Performs the action on its target, or on the first responder of a chain, or of that of input, that agrees.
  func send(
    to target: Responder?, from sender: AnyObject?, along chain: Responder?, ofInput: Bool = false, for event: Event?
  ) -> Bool {
    // A responder refuses an action so that the next one is asked: a target that is given has no next.
    let receiver =
      target
      ?? chain?.firstInChain(ofInput: ofInput) { $0.canPerformAction(self, withSender: sender) && fits($0) }
    guard let receiver, fits(receiver) else { return false }
    perform(receiver, sender, event)
    return true
  }
}
