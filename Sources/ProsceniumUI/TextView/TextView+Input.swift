public import ProsceniumCore

/// The text as input methods write in it.
extension TextView {
  /// What the text is for, which an input method is told.
  ///
  /// A text view always has more than one line, and is no secret.
  public var textInputTraits: TextInputTraits {
    get {
      var traits = input.traits
      (traits.isMultiline, traits.isSecureTextEntry) = (true, false)
      return traits
    }
    set { input.traits = newValue }
  }

  var visibleCaret: Rect? { caretRect(at: shownSelection.head) }

  func type(_ text: String) { change { $0.insert(text) } }

  func replaceAround(_ range: Range<Int>, with text: String) { change { $0.replaceAround(range, with: text) } }

  func show(_ composition: TextComposition?) {
    guard composition != nil || input.lines != nil else { return }
    goalX = nil
    let place = top
    if let inverse = input.lines.take()?.inverse { apply(inverse) }
    if let composition {
      let lines = MarkedLines(composition, in: editing)
      input.lines = lines
      apply(lines.change)
    }
    followChange(from: place)
    scrollToCaret()
    // The caret, and what is highlighted or was selected.
    setNeedsDisplay()
    blink.restart(in: window)
    input.textDidChange()
  }
}
