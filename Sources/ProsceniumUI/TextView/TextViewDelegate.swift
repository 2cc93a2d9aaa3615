/// Hears of what is written in a ``TextView``; all on the main thread, after the change.
@preconcurrency @MainActor public protocol TextViewDelegate: AnyObject {
  /// The user changed the text, or an undo did; not called when the program sets it.
  func textViewDidChange(_ textView: TextView)
  /// The caret was moved, or something else is selected, by whatever means.
  func textViewDidChangeSelection(_ textView: TextView)
}

extension TextViewDelegate {
  /// Does nothing.
  public func textViewDidChange(_ textView: TextView) {}
  /// Does nothing.
  public func textViewDidChangeSelection(_ textView: TextView) {}
}
