public import ProsceniumCore

/// The text as input methods write in it.
extension TextField {
  /// What the text is for, which an input method is told.
  ///
  /// A field has one line, and is a secret where ``isSecureTextEntry`` is true.
  public var textInputTraits: TextInputTraits {
    get {
      var traits = input.traits
      (traits.isMultiline, traits.isSecureTextEntry) = (false, isSecureTextEntry)
      return traits
    }
    set { input.traits = newValue }
  }

  var visibleCaret: Rect? { caretRect }

  func type(_ text: String) { replace(editing.selection.range, with: text, .typing) }

  func replaceAround(_ range: Range<Int>, with text: String) {
    let characters = editing.storage.characters(of: range)
    if delegate?.textField(self, shouldChangeCharactersIn: characters, replacementString: text) ?? true {
      change { $0.replaceAround(range, with: text) }
    }
  }

  func show(_ composition: TextComposition?) {
    showText()
    blink.restart(in: window)
    input.textDidChange()
  }
}
