import Proscenium
import ProsceniumUI

/// Controls one postcard; the file connects it with its views.
@MainActor final class PostcardController: ViewController {
  weak var message: TextView?
  weak var stamp: StampView?
  weak var count: Label?

  private(set) var stamps = 0 {
    didSet {
      stamp?.isOn = stamps > 0
      count?.text = stamps == 0 ? "No stamp yet" : stamps == 1 ? "1 stamp" : "\(stamps) stamps"
      changed()
    }
  }

  var text: String { message?.text ?? "" }

  override func viewDidLoad() {
    message?.delegate = self
    message?.accessibilityLabel = "Message"
  }

  override func viewDidAppear() { message?.becomeFirstResponder() }

  /// Shows a card that was kept.
  func show(text: String, stamps: Int) {
    message?.text = text
    self.stamps = max(0, stamps)
  }

  /// The action of the stamp button.
  func putStamp() { stamps += stamps < 99 ? 1 : 0 }

  /// The action of the other button, which is its sender.
  func clear(_ sender: Button) {
    message?.text = ""
    stamps = 0
  }

  private func changed() { window?.windowScene?.invalidateRestorableState() }
}

extension PostcardController: TextViewDelegate {
  func textViewDidChange(_ textView: TextView) { changed() }
}

/// The place for the stamp: a frame until there is one.
@MainActor final class StampView: View {
  var isOn = false { didSet { if oldValue != isOn { setNeedsDisplay() } } }

  override func draw(_ rect: Rect, in context: DrawingContext) {
    let frame = bounds.inset(x: 2, y: 2)
    guard isOn else { return context.stroke(frame, cornerRadius: 2, with: theme.separator, lineWidth: 2) }
    context.fill(frame, cornerRadius: 2, with: theme.accentBackground)
    context.stroke(frame.inset(x: 8, y: 8), cornerRadius: 2, with: theme.accentLabel, lineWidth: 2)
    // A hill and the sun.
    let middle = frame.size.width / 2
    context.fill(
      Rect(x: frame.origin.x + middle - 12, y: frame.origin.y + 28, width: 24, height: 24), cornerRadius: 12,
      with: theme.accentLabel)
    context.fill(
      Rect(
        x: frame.origin.x + 16, y: frame.origin.y + frame.size.height - 34, width: frame.size.width - 32, height: 18),
      cornerRadius: 8, with: theme.accentLabel)
  }
}
