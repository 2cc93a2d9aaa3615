import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// What views look like, beside pictures that a person has approved.
  @MainActor @Suite("Pictures of views") struct PictureTests {
    private func face() -> StackView {
      let disabled = Button("Disabled")
      disabled.isEnabled = false
      let text = Label("The quick brown fox jumps over the lazy dog, again and again, until the line is full.")
      text.numberOfLines = 0
      return StackView(
        .vertical, spacing: 10, margin: 16,
        [
          Label("A heading", font: .heading), text,
          StackView(.horizontal, [Button("Plain"), Button("Filled", style: .filled), disabled, Spacer()]),
          Spacer(), Label("e\u{301} שלום مرحبا 😀"),
        ])
    }

    @Test("Labels, buttons and stacks", arguments: [InterfaceStyle.light, .dark])
    func controls(_ style: InterfaceStyle) throws {
      let stage = try UIStage { window in
        window.rootView = self.face()
        window.overrideAppearance = style
      }
      try Pictures.expect(stage.surface(), "controls-\(style)", tolerance: 0.01)
    }

    @Test("Buttons under the pointer, pressed, with the keyboard; pictures; scroll bars")
    func states() throws {
      let buttons = ["Hovered", "Pressed", "Focused"].map { Button($0) }
      let filled = Button("Focused", style: .filled)
      let destructive = Button("Delete", style: .destructive)
      let image = ImageView(
        try Image(size: Size(width: 2, height: 2), pixels: [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0xFF80_8080]))
      image.preferredSize = Size(width: 60, height: 60)
      let scroll = ScrollView()
      let long = Label((1...20).map { "Line \($0)" }.joined(separator: "\n"))
      long.numberOfLines = 0
      long.frame = Rect(x: 6, y: 0, width: 200, height: 400)
      scroll.addSubview(long)
      scroll.contentSize = Size(width: 200, height: 400)
      let stage = try UIStage { window in
        window.rootView = StackView(
          .vertical, spacing: 10, margin: 10,
          [
            StackView(.horizontal, buttons + [Spacer()]), StackView(.horizontal, [filled, destructive, Spacer()]),
            StackView(.horizontal, [image, scroll]),
          ])
      }
      scroll.contentOffset = Point(x: 0, y: 30)
      buttons[2].becomeFirstResponder()
      buttons[1].isHighlighted = true
      stage.send(.move(20, 20))
      stage.settle()
      try Pictures.expect(stage.surface(), "states", tolerance: 0.01)
      filled.becomeFirstResponder()
      buttons[1].isHighlighted = false
      stage.send(.exit())
      stage.settle()
      try Pictures.expect(stage.surface(), "states-after", tolerance: 0.01)
    }

    @Test("Shapes: fills, strokes, gradients, curves, clips and transforms")
    func shapes() throws {
      final class Shapes: View {
        override func draw(_ rect: Rect, in context: DrawingContext) {
          context.fill(Rect(x: 10, y: 10, width: 80, height: 50), cornerRadius: 12, with: Color(rgb: 0x2E7D32))
          context.stroke(Rect(x: 100, y: 10, width: 80, height: 50), with: .black, lineWidth: 3)
          let gradient = LinearGradient(
            from: Point(x: 190, y: 0), to: Point(x: 310, y: 0),
            stops: [.init(position: 0, color: .white), .init(position: 1, color: Color(rgb: 0xC62828))])
          context.fill(Path(Rect(x: 190, y: 10, width: 120, height: 50)), with: gradient)
          var wave = Path()
          wave.move(toX: 10, y: 120)
          wave.curve(toX: 150, y: 120, control1X: 60, y: 40, control2X: 100, y: 200)
          context.stroke(wave, with: Color(rgb: 0x1A66D6), lineWidth: 4)
          context.withState {
            context.translate(x: 230, y: 120)
            context.rotate(by: .pi / 4)
            context.clip(to: Rect(x: -30, y: -30, width: 60, height: 60))
            context.fill(Rect(x: -100, y: -10, width: 200, height: 20), with: .black, alpha: 0.5)
          }
          context.line(fromX: 10, y: 200.5, toX: 310, y: 200.5, with: .black)
        }
      }
      let stage = try UIStage { $0.rootView = Shapes() }
      try Pictures.expect(stage.surface(), "shapes", tolerance: 0.005)
    }

    @Test("The same on a screen with small pixels")
    func scaled() throws {
      let stage = try UIStage { $0.rootView = self.face() }
      stage.program.platform.send(.scale(stage.id, 1.5))
      stage.program.platform.move(stage.id, to: Rect(x: 0, y: 0, width: 480, height: 360))
      stage.settle()
      try Pictures.expect(stage.surface(), "controls-scaled", tolerance: 0.01)
    }
  }
}

/// One program at a time: all tests of views run one after the other.
///
/// Before the first of them the fonts are set: fontconfig reads its configuration once.
@Suite("Views", .serialized, .enabled(if: TestFonts.isSet || true)) struct UISuites {}
