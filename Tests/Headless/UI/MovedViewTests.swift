import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// Views that the program moves while it is told that they are moved: what it asks for last holds.
  @MainActor @Suite("Views that callbacks move") struct MovedViewTests {
    /// A view that does something once when it has left its window, or has come into one.
    private final class Mover: View {
      var act: (() -> Void)?
      override func didMoveToWindow() {
        super.didMoveToWindow()
        act.take()?()
      }
    }

    private let root = View()
    private let a = View(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    private let b = View(frame: Rect(x: 100, y: 0, width: 100, height: 100))
    private let field = TextField()

    /// A window with two views, of which the first one has a field with the keys that does something once they leave.
    private func stage(_ act: @escaping () -> Void) throws -> UIStage {
      for view in [a, b] { root.addSubview(view) }
      a.addSubview(field)
      let stage = try UIStage { [root] in $0.rootView = root }
      #expect(field.becomeFirstResponder())
      var act: (() -> Void)? = act
      field.addAction(for: .editingDidEnd) { act.take()?() }
      return stage
    }

    /// Expects the field to be in one view, or in none, and to be taken out of it.
    private func expectField(in superview: View?, _ location: SourceLocation = #_sourceLocation) {
      #expect(field.superview === superview, sourceLocation: location)
      for view in [root, a, b] {
        let count = view.subviews.count { $0 === field }
        #expect(count == (view === superview ? 1 : 0), sourceLocation: location)
      }
      #expect((field.window != nil) == (superview != nil), sourceLocation: location)
      field.removeFromSuperview()
      #expect(![root, a, b].contains { $0.subviews.contains { $0 === field } }, sourceLocation: location)
    }

    @Test("A view that is moved as it is removed stays where it was moved to")
    func removed() throws {
      let stage = try stage { [b, field] in b.addSubview(field) }
      field.removeFromSuperview()
      expectField(in: b)
      withExtendedLifetime(stage) {}
    }

    @Test("A view that is added as it is added is in one superview once", arguments: [true, false])
    func added(_ isSame: Bool) throws {
      let place = isSame ? root : b
      let stage = try stage { [field] in place.addSubview(field) }
      root.addSubview(field)
      expectField(in: place)
      withExtendedLifetime(stage) {}
    }

    /// Whether views are the subviews of the first view, in this order.
    private func isOrder(_ views: [View]) -> Bool {
      a.subviews.count == views.count && zip(a.subviews, views).allSatisfy { $0 === $1 }
    }

    @Test("A subview that is added once more changes its place among the others, and is told nothing")
    func addedAgain() throws {
      var (ends, moves) = (0, 0)
      let stage = try stage { ends += 1 }
      let (mover, control) = (Mover(), Control())
      control.frame = Rect(x: 0, y: 50, width: 50, height: 50)
      for view in [mover, control] { a.addSubview(view) }
      mover.act = { moves += 1 }
      stage.settle()
      stage.send(.press(20, 70))
      for view in [field, mover, control] { a.addSubview(view) }
      #expect(isOrder([field, mover, control]))
      a.insertSubview(control, at: 1)
      #expect(isOrder([field, control, mover]))
      for (view, index) in [(control, -5), (field as View, 99)] { a.insertSubview(view, at: index) }
      #expect(isOrder([control, mover, field]))
      #expect(field.isFirstResponder && control.isTracking && ends == 0 && moves == 0)
    }

    @Test("A stack places its views in another order that they get", arguments: ["added", "inserted", "front", "back"])
    func reordered(_ way: String) throws {
      let views = (0..<3).map { _ in View() }
      for view in views { view.preferredSize = Size(width: 20, height: 20) }
      let stack = StackView(.horizontal, spacing: 0, views)
      let stage = try UIStage { $0.rootView = stack }
      stage.settle()
      switch way {
      case "added": stack.addSubview(views[0])
      case "inserted": stack.insertSubview(views[2], at: 0)
      case "front": stack.bringSubviewToFront(views[0])
      default: stack.sendSubviewToBack(views[2])
      }
      stage.settle()
      #expect(!zip(stack.subviews, views).allSatisfy { $0 === $1 })
      #expect(stack.subviews.map(\.frame.origin.x) == [0, 20, 40])
    }

    @Test("A press that is cancelled moves the pressed view for good")
    func pressed() throws {
      let stage = try stage {}
      let control = Control()
      control.frame = Rect(x: 0, y: 50, width: 50, height: 50)
      a.addSubview(control)
      stage.settle()
      stage.send(.press(20, 70))
      control.addAction(for: .touchCancel) { [b, unowned control] in b.addSubview(control) }
      control.removeFromSuperview()
      #expect(control.superview === b && b.subviews.count == 1 && a.subviews.count == 1)
    }

    @Test("A view that is made a root view as it is added is that")
    func addedRoot() throws {
      let stage = try stage {}
      stage.window.rootView = b
      let window = stage.window
      #expect(b.window === window && root.window == nil)
      let mover = Mover()
      a.addSubview(mover)
      window.rootView = a
      mover.act = { window.rootView = mover }
      b.addSubview(mover)
      #expect(window.rootView === mover && mover.superview == nil && b.subviews.isEmpty)
    }

    @Test("A view that is moved as it becomes a root view stays where it was moved to")
    func movedRoot() throws {
      let stage = try stage { [b, field] in b.addSubview(field) }
      stage.window.rootView = field
      #expect(stage.window.rootView === root)
      expectField(in: b)
    }

    @Test("No two views hold one another, whatever a callback adds")
    func circle() throws {
      let stage = try stage {}
      let mover = Mover()
      root.addSubview(mover)
      mover.act = { [b] in mover.addSubview(b) }
      b.addSubview(mover)
      // What is asked for of a circle has no end.
      let holdsIt = b.superview === mover && mover.superview === b
      if holdsIt { mover.superview?.subviews.first?.removeFromSuperview() }
      #expect(!holdsIt)
      #expect(b.superview === mover && mover.superview == nil && b.subviews.isEmpty)
      withExtendedLifetime(stage) {}
    }
  }
}
