/// A view in which the user enters or chooses something that a program keeps with its scene: a ``Control``, a
/// ``TextView`` or a list.
@preconcurrency @MainActor public protocol RestorableView: View {
  /// What the user has entered or chosen, as a property-list value, for the restoration activity of a scene.
  ///
  /// A text with its selection, whether a switch is on, a number, a date, a choice, a colour, what is selected in a
  /// list; nil where nothing is kept: of a button, and of a field with a secure text. Setting nil, or a value of
  /// another kind of view, changes nothing; no event is sent. Whenever the user changes it, the view calls its scene's
  /// `Scene.invalidateRestorableState()`.
  @preconcurrency var restorationValue: (any Sendable)? { get set }
}
