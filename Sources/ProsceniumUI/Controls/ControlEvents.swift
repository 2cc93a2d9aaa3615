/// What a control tells its targets of.
public struct ControlEvents: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt32
  /// Events from bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// A button or a finger went down on the control.
  public static let touchDown = ControlEvents(rawValue: 1 << 0)
  /// It was let go on the control.
  public static let touchUpInside = ControlEvents(rawValue: 1 << 6)
  /// It was let go elsewhere.
  public static let touchUpOutside = ControlEvents(rawValue: 1 << 7)
  /// The press ended nowhere.
  public static let touchCancel = ControlEvents(rawValue: 1 << 8)
  /// The user chose another value.
  public static let valueChanged = ControlEvents(rawValue: 1 << 12)
  /// The control did what it is there for: a button was pressed, by pointer or key.
  public static let primaryActionTriggered = ControlEvents(rawValue: 1 << 13)
  /// The user began to write.
  public static let editingDidBegin = ControlEvents(rawValue: 1 << 16)
  /// The user wrote something.
  public static let editingChanged = ControlEvents(rawValue: 1 << 17)
  /// The user ended writing.
  public static let editingDidEnd = ControlEvents(rawValue: 1 << 18)
}
