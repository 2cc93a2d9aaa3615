/// When a visible scene counts as the one being used.
public enum ActivationPolicy: Hashable, Sendable, CaseIterable {
  /// While one of its windows has the keyboard focus. The default.
  case whenFocused
  /// While it is visible, with or without the focus: the rule of Mac Catalyst.
  case whenVisible
}
