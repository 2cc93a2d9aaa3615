import Proscenium
import ProsceniumUI

/// A card that moves, turns and fades; it stands still in the background, and where the user prefers reduced motion.
@MainActor final class MotionController: ViewController {
  private let stage = StageView()
  private let move = Button("", style: .filled)
  private let pulse = Switch("Pulse")

  override func viewDidLoad() {
    move.titleWithMnemonic = "_Move"
    move.addAction(for: .primaryActionTriggered) { [weak self] in self?.stage.move() }
    pulse.titleWithMnemonic = "P_ulse"
    pulse.addAction(for: .valueChanged) { [weak self] in self?.pulseDidChange() }
    stage.isStretching = true
    let row = StackView(.horizontal, spacing: 16, [move, pulse, Spacer()])
    row.alignment = .center
    view = StackView(.vertical, spacing: 12, margin: 16, [stage, row])
  }

  /// The animation has ended when the card went out of sight, and none begins before it is in sight.
  override func viewDidAppear() {
    super.viewDidAppear()
    stage.pulse()
  }

  private func pulseDidChange() { stage.isPulsing = pulse.isOn }

  override var restorationState: [String: any Sendable] {
    get { super.restorationState.merging(["isAtEnd": stage.isAtEnd, "pulses": pulse.isOn]) { $1 } }
    set {
      stage.isAtEnd = newValue["isAtEnd"] as? Bool ?? false
      pulse.isOn = newValue["pulses"] as? Bool ?? false
      pulseDidChange()
      super.restorationState = newValue
    }
  }
}

/// The room in which the card moves.
final class StageView: View {
  private let card = View()
  private let light = View()
  /// Whether the card is at the right, and has made half a turn.
  var isAtEnd = false {
    didSet {
      card.transform = isAtEnd ? Transform(rotationAngle: .pi) : .identity
      setNeedsLayout()
    }
  }
  var isPulsing = false { didSet { if oldValue != isPulsing { pulse() } } }

  override init() {
    super.init()
    clipsToBounds = true
    light.backgroundColor = .white
    card.addSubview(light)
    addSubview(card)
    appearanceDidChange()
  }

  override func appearanceDidChange() {
    super.appearanceDidChange()
    backgroundColor = theme.contentBackground
    card.backgroundColor = theme.accent
  }

  /// Moves the card to the other side, with half a turn.
  func move() {
    View.animate(withDuration: .milliseconds(600)) {
      isAtEnd.toggle()
      layoutIfNeeded()
    }
    window?.windowScene?.invalidateRestorableState()
  }

  /// Begins to pulse, or ends it.
  func pulse() {
    // What repeats ends when its view leaves the window.
    light.removeFromSuperview()
    light.alpha = 1
    card.addSubview(light)
    guard isPulsing else { return }
    View.animate(withDuration: .milliseconds(800), options: [.repeat, .autoreverse]) { light.alpha = 0.2 }
  }

  override func layoutSubviews() {
    let (size, side) = (bounds.size, max(0, min(120, bounds.size.height - 32)))
    let x = isAtEnd ? size.width - side - 16 : 16
    // The frame of a view that is turned is the room that it takes.
    card.bounds = Rect(x: 0, y: 0, width: side, height: side)
    card.center = Point(x: x + side / 2, y: size.height / 2)
    light.frame = Rect(x: side / 8, y: side / 8, width: side / 4, height: side / 4)
  }
}
