/// The events of a control.
public struct ControlEvents: OptionSet, Hashable, Sendable {
  /// The events as bits.
  public let rawValue: UInt32
  /// Creates events from bits.
  /// - Parameter rawValue: The bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// A button or a touch went down on the control.
  public static let touchDown = ControlEvents(rawValue: 1 << 0)
  /// The press ended on the control; of a control whose action is on release, such as ``Button``, ``Link`` and
  /// ``Switch``, a press by Space, Return, a mnemonic or an assistive program, too.
  ///
  /// Of those, and of a ``SegmentedControl``, it precedes ``primaryActionTriggered``, and an action that is added for
  /// both is performed once for a press. A ``Slider`` and a ``Stepper`` send it when they are let go, after the events
  /// of their changes.
  public static let touchUpInside = ControlEvents(rawValue: 1 << 6)
  /// The press ended outside the control.
  public static let touchUpOutside = ControlEvents(rawValue: 1 << 7)
  /// The press was cancelled.
  public static let touchCancel = ControlEvents(rawValue: 1 << 8)
  /// The user changed the value.
  public static let valueChanged = ControlEvents(rawValue: 1 << 12)
  /// The primary action of the control: a button was pressed, by pointer or key,
  /// or the user changed a value.
  public static let primaryActionTriggered = ControlEvents(rawValue: 1 << 13)
  /// Editing began.
  public static let editingDidBegin = ControlEvents(rawValue: 1 << 16)
  /// The user changed the text.
  public static let editingChanged = ControlEvents(rawValue: 1 << 17)
  /// Editing ended.
  public static let editingDidEnd = ControlEvents(rawValue: 1 << 18)
  /// Return was pressed in a text field.
  public static let editingDidEndOnExit = ControlEvents(rawValue: 1 << 19)
}
