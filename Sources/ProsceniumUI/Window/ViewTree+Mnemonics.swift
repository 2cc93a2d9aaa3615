import ProsceniumCore

/// Keys that press a view by the letter that is underlined in its title.
extension ViewTree {
  /// Presses the view whose mnemonic a key with Alt is; of several ones the next one becomes the first responder.
  /// - Returns: Whether there is one.
  func pressMnemonic(_ key: Key, _ event: Event) -> Bool {
    let others: ModifierFlags = [.control, .command]
    guard key.modifiers.contains(.alternate), key.modifiers.isDisjoint(with: others), let root else { return false }
    let typed = targets(of: key.characters.folded, in: root)
    let targets = typed.isEmpty ? targets(of: key.latinCharacter, in: root) : typed
    guard let first = targets.first else { return false }
    if key.isRepeat { return true }
    if targets.count == 1 { return press(first, event) }
    // The keys of some views are those of a view in them.
    let keys = window?.firstResponder as? View
    let present = targets.lastIndex { keys?.isDescendant(of: $0.receiver) == true }
    let next = targets[((present ?? -1) + 1) % targets.count].receiver
    if next.becomeFirstResponder() { next.scrollIntoView() }
    return true
  }

  /// A view with a mnemonic, and the one that it is for.
  private typealias Target = (view: any Captioned, receiver: View)

  private func press(_ target: Target, _ event: Event) -> Bool {
    target.receiver.becomeFirstResponder()
    target.receiver.scrollIntoView()
    // The end of editing elsewhere may have disabled the control, or taken it away.
    if let control = target.view as? Control, control.tree === self, ViewInput(control).canBeUsed {
      control.press(event)
    }
    return true
  }

  /// Those that are seen, and can be used.
  private func targets(of letter: String, in view: View) -> [Target] {
    guard !letter.isEmpty, !view.isHidden, view.alpha > 0.01 else { return [] }
    var found: [Target] = []
    if let captioned = view as? any Captioned, captioned.caption.content.mnemonic == letter,
      let receiver = captioned is Label ? (captioned as? Label)?.mnemonicTarget : view, receiver.tree === self,
      ViewInput(receiver).canBeUsed
    {
      found.append((captioned, receiver))
    }
    guard view.isUserInteractionEnabled else { return found }
    return view.subviews.reduce(into: found) { $0 += targets(of: letter, in: $1) }
  }
}
