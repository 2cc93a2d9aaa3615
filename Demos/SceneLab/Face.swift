#if canImport(ProsceniumUI)
  import Proscenium
  import ProsceniumUI

  /// What a scene's window shows: its state in words, its last minute, and a button for each key.
  final class Face: View {
    private let header = View()
    private let name = Label("", font: Font(size: 12))
    private let state = Label("", font: .heading)
    private let meaning = Label("", font: Font(size: 12))
    private let timeLine = TimeLine()
    private let buttons: StackView
    private var link: FrameLink?

    /// - Parameters:
    ///   - name: The scene's.
    ///   - window: The window that the face is going to be in.
    ///   - perform: Does what a button asks for.
    init(_ name: String, in window: Window, perform: @escaping @MainActor (Command) -> Void) {
      buttons = StackView(
        .horizontal, spacing: 6,
        Command.allCases.map { command in
          let button = Button(command.title) { perform(command) }
          button.font = Font(size: 12)
          button.isStretching = true
          return button
        })
      super.init()
      self.name.text = name
      for label in [self.name, state, meaning] { header.addSubview(label) }
      for view in [header, timeLine, buttons] { addSubview(view) }
      // Time goes on by itself, but only where somebody sees it: in the background the link is not called.
      let link = FrameLink(window: window) { [weak timeLine] _ in timeLine?.setNeedsDisplay() }
      link.preferredFramesPerSecond = 1
      self.link = link
    }

    /// Shows a state, and how it came to it.
    func show(_ state: Scene.ActivationState, _ history: History) {
      let words = Lab.name(of: state)
      self.state.text = words.prefix(1).uppercased() + words.dropFirst()
      meaning.text = Lab.meaning(of: state)
      header.backgroundColor = Lab.color(of: state)
      for label in [name, self.state, meaning] { label.textColor = Lab.letters(on: state) }
      timeLine.history = history
    }

    override func layoutSubviews() {
      backgroundColor = theme.background
      let (width, height) = (bounds.size.width, bounds.size.height)
      let (margin, top) = (12, 92)
      header.frame = Rect(x: 0, y: 0, width: width, height: top)
      for (label, y, height) in [(name, 10, 18), (state, 30, 28), (meaning, 62, 18)] {
        label.frame = Rect(x: margin, y: y, width: max(0, width - 2 * margin), height: height)
      }
      let row = buttons.intrinsicContentSize.height
      let bottom = max(top, height - row - margin)
      buttons.frame = Rect(x: margin, y: bottom, width: max(0, width - 2 * margin), height: row)
      timeLine.frame = Rect(
        x: margin, y: top + margin, width: max(0, width - 2 * margin), height: max(0, bottom - top - 2 * margin))
    }

    override func appearanceDidChange() {
      super.appearanceDidChange()
      setNeedsLayout()
    }
  }

  /// The last minute of a scene, each state in its colour, now at the right edge.
  final class TimeLine: View {
    private let start = TextLayout("a minute ago", font: Font(size: 11))
    private let end = TextLayout("now", font: Font(size: 11))

    var history = History() {
      didSet { setNeedsDisplay() }
    }

    override func draw(_ rect: Rect, in context: DrawingContext) {
      let (theme, size) = (theme, bounds.size)
      let bar = Rect(x: 0, y: 0, width: size.width, height: max(0, size.height - start.size.height - 4))
      context.fill(bar, cornerRadius: 4, with: theme.controlPressed)
      context.withState {
        context.clip(to: Path(bar, cornerRadius: 4))
        for span in history.spans() {
          // To whole pixels, so that there is no seam between two states.
          let left = x(span.began)
          context.fill(
            Rect(x: left, y: 0, width: x(span.ended) - left, height: bar.size.height), with: Lab.color(of: span.state))
        }
        for seconds in stride(from: 10.0, to: History.length, by: 10) {
          context.fill(
            Rect(x: x(seconds), y: 0, width: 1, height: bar.size.height), with: theme.background, alpha: 0.35)
        }
      }
      let line = size.height - start.size.height
      context.draw(start, at: Point(x: 0, y: line), color: theme.secondaryLabel)
      context.draw(end, at: Point(x: size.width - end.size.width, y: line), color: theme.secondaryLabel)
    }

    /// Where a moment is, so many seconds ago.
    private func x(_ secondsAgo: Double) -> Int {
      Int((1 - secondsAgo / History.length) * Double(bounds.size.width))
    }
  }
#endif
