#if canImport(ProsceniumUI)
  import Proscenium
  import ProsceniumUI

  /// The content of a scene's window: its state as text, its last minute, and a button for each key.
  final class Face: View {
    private let header = View()
    private let name = Label("", font: Font(size: 12))
    private let state = Label("", font: Font(size: 16, weight: .semibold))
    private let meaning = Label("", font: Font(size: 12))
    private let timeLine = TimeLine()
    private let buttons: [Button]
    private var link: FrameLink?

    /// - Parameters:
    ///   - name: The scene's name.
    ///   - window: The window that the face is going to be in.
    ///   - perform: Performs a button's command.
    init(_ name: String, in window: Window, perform: @escaping @MainActor (Command) -> Void) {
      buttons = Command.allCases.map { command in
        let button = Button(command.title) { perform(command) }
        button.font = Font(size: 12)
        return button
      }
      super.init()
      self.name.text = name
      for label in [self.name, state, meaning] {
        label.numberOfLines = 0
        header.addSubview(label)
      }
      for view in [header, timeLine] + buttons { addSubview(view) }
      // The time line moves, but only while it is visible: in the background the link is not called.
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
      setNeedsLayout()
    }

    override func layoutSubviews() {
      backgroundColor = theme.background
      let (width, height) = (bounds.size.width, bounds.size.height)
      let margin = 12
      let bottom = height - margin - layOutButtons(upTo: height - margin, margin, width - 2 * margin)
      let top = layOutHeader(margin, width, room: bottom - margin / 2)
      timeLine.frame = Rect(
        x: margin, y: top + margin, width: max(0, width - 2 * margin), height: max(0, bottom - top - 2 * margin))
      timeLine.isHidden = timeLine.frame.size.height < 24
    }

    /// Places the buttons in as many rows as they need.
    /// - Returns: The height of the rows, in pixels.
    private func layOutButtons(upTo bottom: Int, _ left: Int, _ width: Int) -> Int {
      let spacing = 6
      let sizes = buttons.map(\.intrinsicContentSize)
      var rows: [Range<Int>] = []
      var (start, used) = (0, 0)
      for (index, size) in sizes.enumerated() {
        if index > start, used + size.width > width {
          rows.append(start..<index)
          (start, used) = (index, 0)
        }
        used += size.width + spacing
      }
      rows.append(start..<sizes.count)
      let pitch = (sizes.first?.height ?? 0) + spacing
      for (number, row) in rows.enumerated() {
        let wished = sizes[row].reduce(0) { $0 + $1.width } + (row.count - 1) * spacing
        var (x, room) = (left, max(0, width - wished))
        for (place, index) in row.enumerated() {
          let more = room / (row.count - place)
          let size = Size(width: min(sizes[index].width + more, max(0, width)), height: sizes[index].height)
          let y = bottom - (rows.count - number) * pitch + spacing
          buttons[index].frame = Rect(x: x, y: y, width: size.width, height: size.height)
          x += size.width + spacing
          room -= more
        }
      }
      return rows.count * pitch - spacing
    }

    /// Places the state's name in the header, with further texts where they fit.
    /// - Returns: The height of the header, in pixels.
    private func layOutHeader(_ margin: Int, _ width: Int, room: Int) -> Int {
      let inner = Size(width: max(0, width - 2 * margin), height: max(0, room))
      let heights = [name, state, meaning].map { ($0, $0.sizeThatFits(inner).height) }
      var left = room - margin - state.sizeThatFits(inner).height
      var y = margin - 4
      for (label, height) in heights {
        if label !== state {
          left -= height + 4
          label.isHidden = left < 0
        }
        guard !label.isHidden else { continue }
        label.frame = Rect(x: margin, y: y, width: inner.width, height: height)
        y += height + 4
      }
      header.frame = Rect(x: 0, y: 0, width: width, height: y + margin - 8)
      return header.frame.size.height
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
      for text in [start, end] { text.displayScale = context.scale }
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
