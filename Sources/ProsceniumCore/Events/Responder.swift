/// The base class of event receivers: the application, scenes, windows, and delegates.
///
/// Events that a responder does not handle go to its ``next``: window, scene, scene delegate, application,
/// application delegate; delegates only if they are responders. Subclasses that are named as a class (`@main`,
/// ``SceneConfiguration/delegateClass``) need an `init()` without arguments, written out or inherited.
@preconcurrency @MainActor open class Responder {
  // The first member, so that `ClassInstantiation` finds it in the same place of every subclass' method table.
  /// A responder that is in no chain yet.
  public init() {}

  // A twin of the class has as many stored properties as this one: two.
  final var activityHold: ActivityHold?
  /// Whether it is, or was, the delegate of a scene.
  ///
  /// Told by the scene: to ask the run time for the conformance, once for each class, takes 200,000 instructions.
  final var isSceneDelegate = false

  /// The next responder in the chain; nil at its end.
  ///
  /// Of a scene's delegate it is the application.
  open var next: Responder? {
    // One that is the application's delegate too comes after the application.
    guard isSceneDelegate, let application = Application.sharedIfLaunched, application.delegate !== self else {
      return nil
    }
    return application
  }

  /// Handles an event, or returns false so that the next responder receives it.
  ///
  /// Called on the main thread for every event that reaches the responder, after the batch's life-cycle
  /// callbacks. The default handles nothing.
  /// - Parameter event: The event.
  /// - Returns: Whether the event has been handled.
  open func handle(_ event: Event) -> Bool { false }

  /// Does what a media key, a panel of the desktop or another program asks of the program as a player of media.
  ///
  /// Called on the main thread, between ``Application/beginReceivingRemoteControlEvents()`` and its end, in any state
  /// of the scenes; a suspended program runs again for it. The first receiver is the first responder of the key window
  /// of the scene that was active last, or that window; without a window it is the application. The end of seeking goes
  /// to the window where it began. The default passes the event to ``next``.
  /// - Parameter event: An event of the kind ``Event/Kind/remoteControl(_:)``.
  open func remoteControlReceived(with event: Event) { next?.remoteControlReceived(with: event) }

  /// The user has begun to shake the machine.
  ///
  /// Called on the main thread while a scene is active and ``Device/isShakeMonitoringEnabled`` is true. The receiver is
  /// the first responder of the key window of that scene, or that window; the same responder receives the end of what
  /// it has begun. On Linux a shake is read off the accelerometer, see ``Device/isShakeMonitoringEnabled``. The default
  /// passes it to ``next``.
  /// - Parameters:
  ///   - motion: What the user does.
  ///   - event: The event, of the kind ``Event/Kind/deviceMotion(_:)``.
  open func motionBegan(_ motion: DeviceMotion, with event: Event) { next?.motionBegan(motion, with: event) }

  /// The user has shaken the machine, and holds it still.
  ///
  /// Each ``motionBegan(_:with:)`` is followed by one call of this function or one of ``motionCancelled(_:with:)``,
  /// unless the responder has been deallocated. The default passes it to ``next``.
  /// - Parameters:
  ///   - motion: What the user has done.
  ///   - event: The event.
  open func motionEnded(_ motion: DeviceMotion, with event: Event) { next?.motionEnded(motion, with: event) }

  /// What began was no shake, or something has come in between.
  ///
  /// Called where the machine is shaken for more than three seconds, the sensor goes, the program does not want to hear
  /// of shakes any more, or the scene is about to resign: then before `sceneWillResignActive`. The default passes it to
  /// ``next``.
  /// - Parameters:
  ///   - motion: What the user seemed to do.
  ///   - event: The event.
  open func motionCancelled(_ motion: DeviceMotion, with event: Event) { next?.motionCancelled(motion, with: event) }

  /// The user's activity in the responder; nil at first.
  ///
  /// Several responders may have the same activity; each adds its part in ``updateUserActivityState(_:)``. When the
  /// last of them gets another or none, or is deallocated, the activity is invalidated.
  open var userActivity: UserActivity? {
    get { activityHold?.activity }
    set {
      assertMainThread()
      if activityHold == nil, newValue != nil { activityHold = ActivityHold(self) }
      activityHold?.hold(newValue)
    }
  }

  /// Adds the responder's part to its ``userActivity``.
  ///
  /// Called on the main thread right before the activity is saved, with an empty ``UserActivity/userInfo``. If no
  /// responder adds anything, the earlier values stay. The default does nothing.
  /// - Parameter activity: The responder's activity.
  open func updateUserActivityState(_ activity: UserActivity) {}

  /// Restores the values that ``updateUserActivityState(_:)`` added.
  ///
  /// For programs to call on the responders that continue an activity; the framework calls it for those that
  /// the application delegate names when it continues one. The default does nothing.
  /// - Parameter activity: The continued activity.
  open func restoreUserActivityState(_ activity: UserActivity) {}

  /// The undo manager that counts for the responder: that of the next one in the chain, nil at its end.
  ///
  /// No responder has one by itself, neither a window: without an override in the chain it is nil, and
  /// `undoManager?.registerUndo` does nothing. Override it in the responder that has one: a scene's delegate that shows
  /// a document returns the document's, another one or a window an ``UndoManager`` that it keeps.
  open var undoManager: UndoManager? { next?.undoManager }

  // MARK: First responder

  /// Whether the responder may be its window's first responder, which receives keys before all others; false by
  /// default.
  open var canBecomeFirstResponder: Bool { false }

  /// Whether the responder agrees to be first responder no longer; true by default.
  open var canResignFirstResponder: Bool { true }

  /// Whether the responder is its window's first responder.
  public var isFirstResponder: Bool { chainWindow?.firstResponder === self }

  /// Makes the responder its window's first responder, if it can be and the present one agrees.
  ///
  /// Overridden to do something on the way; call `super` and obey its answer.
  /// - Returns: Whether it is the first responder now.
  @discardableResult
  open func becomeFirstResponder() -> Bool {
    assertMainThread()
    guard let window = chainWindow, canBecomeFirstResponder else { return false }
    guard window.firstResponder !== self else { return true }
    if let present = window.firstResponder {
      guard present.resignFirstResponder() else { return false }
      // What the program does when the present one resigns may have made another one the first responder.
      guard window.firstResponder == nil, chainWindow === window, canBecomeFirstResponder else {
        return isFirstResponder
      }
    }
    window.firstResponder = self
    return true
  }

  /// Lets the responder be first responder no longer.
  ///
  /// Overridden to do something on the way; call `super` and obey its answer.
  /// - Returns: Whether it is not the first responder now.
  @discardableResult
  open func resignFirstResponder() -> Bool {
    assertMainThread()
    guard isFirstResponder else { return true }
    guard canResignFirstResponder else { return false }
    chainWindow?.firstResponder = nil
    return true
  }

  // MARK: Actions

  /// The key commands of the responder; none by default.
  ///
  /// Read for each key that is pressed, from the first responder along the chain, before the key itself is delivered;
  /// of a key that is typed into a text (``isTextInput``), which has it first, before that for commands with priority
  /// and after it for the others.
  open var keyCommands: [KeyCommand] { [] }

  /// Whether keys are typed into the responder, as into a text field; false by default.
  ///
  /// While true, keys that are pressed without Control, Alt and Super go to the responder's ``handle(_:)`` before they
  /// ask for key commands, but for those that want it otherwise (``KeyCommand/wantsPriorityOverSystemBehavior``). Only
  /// that of the first receiver of a key counts, which is the first responder. Text views, text fields, number fields
  /// and date pickers of `ProsceniumUI` answer true: override it in a view that edits a text by itself.
  open var isTextInput: Bool { false }

  /// Whether the responder performs an action now; by default whether the action is one for its class.
  ///
  /// Override it to refuse an action in the present state, so that the next responder is asked. Called for each
  /// responder of the chain until one agrees, when an action is sent without a target and before a menu is shown; a
  /// target that is given to ``Application/sendAction(_:to:from:for:)`` is not asked. The action is known by its
  /// ``Action/name``, which has to be given where the class has several.
  /// - Parameters:
  ///   - action: The action.
  ///   - sender: The sender.
  /// - Returns: Whether it performs the action.
  open func canPerformAction(_ action: Action, withSender sender: AnyObject?) -> Bool { action.fits(self) }

  /// The first of the responder and those behind it in the chain that performs an action now; nil for none.
  /// - Parameters:
  ///   - action: The action.
  ///   - sender: The sender.
  /// - Returns: The responder; where this is the window's first responder, it is the one that
  ///   ``Application/sendAction(_:to:from:for:)`` finds.
  public final func target(forAction action: Action, withSender sender: AnyObject?) -> Responder? {
    firstInChain { $0.canPerformAction(action, withSender: sender) && action.fits($0) }
  }

  /// The window at the end of the responder's part of the chain.
  var chainWindow: Window? { firstInChain { $0 is Window } as? Window }

  /// The next receiver of input: ``next``, but not the windows beneath an alert.
  var nextForInput: Responder? { next }

  /// The first of the responder and those behind it in the chain, or in that of input, that meets a condition.
  final func firstInChain(ofInput: Bool = false, where condition: @MainActor (Responder) -> Bool) -> Responder? {
    var responder: Responder? = self
    while let current = responder {
      if condition(current) { return current }
      responder = ofInput ? current.nextForInput : current.next
    }
    return nil
  }

  /// Offers an event along the chain until a responder handles it.
  @discardableResult
  func pass(_ event: Event) -> Bool { firstInChain(ofInput: event.isInput) { $0.handle(event) } != nil }

  /// Receives an event as the first of the chain: a key that is pressed asks for commands, too, most of which come
  /// after what is typed into a text.
  /// - Returns: Whether the event has been handled.
  final func receive(_ event: Event) -> Bool {
    guard case .key(let key) = event.kind, key.isDown else { return pass(event) }
    let isTyped = isTextInput && key.modifiers.isDisjoint(with: [.control, .alternate, .command])
    guard isTyped else { return performKeyCommand(for: key, event) { _ in true } || pass(event) }
    return performKeyCommand(for: key, event) { $0.wantsPriorityOverSystemBehavior } || handle(event)
      || performKeyCommand(for: key, event) { !$0.wantsPriorityOverSystemBehavior }
      || nextForInput?.pass(event) == true
  }

  /// Performs the first matching key command of the chain; whether there was one that a target performed.
  private final func performKeyCommand(
    for key: Key, _ event: Event, where condition: @MainActor (KeyCommand) -> Bool
  ) -> Bool {
    let performer = firstInChain(ofInput: true) { responder in
      responder.keyCommands.contains { command in
        command.matches(key) && condition(command)
          && command.action.send(to: nil, from: command, along: self, ofInput: true, for: event)
      }
    }
    return performer != nil
  }
}
