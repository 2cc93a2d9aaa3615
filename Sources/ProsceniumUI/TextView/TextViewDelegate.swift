/// The functions that a ``TextView`` calls after changes, on the main thread.
@preconcurrency @MainActor public protocol TextViewDelegate: AnyObject {
  /// Called after the user or an undo changed the text; not when the program sets it.
  /// - Parameter textView: The text view.
  func textViewDidChange(_ textView: TextView)
  /// Called after the caret or the selection changed, for any reason.
  /// - Parameter textView: The text view.
  func textViewDidChangeSelection(_ textView: TextView)
}

extension TextViewDelegate {
  /// Does nothing.
  public func textViewDidChange(_ textView: TextView) {}
  /// Does nothing.
  public func textViewDidChangeSelection(_ textView: TextView) {}
}
