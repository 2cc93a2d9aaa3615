import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// Input in the view tree: hits, tracking, hover, actions, Tab.
  @MainActor @Suite("Input of views") struct EventTests {
    final class Probe: View {
      var heard: [String] = []
      var handles = true
      override var canBecomeFirstResponder: Bool { true }
      override func handle(_ event: Event) -> Bool {
        switch event.kind {
        case .button(let button): heard.append(button.isDown ? "down" : "up")
        case .motion: heard.append("motion")
        case .key(let key): heard.append("key \(key.characters)")
        case .touch(let touch): heard.append("touch \(touch.phase)")
        default: heard.append("other")
        }
        return handles
      }
      override func hoverDidChange() { heard.append(isHovered ? "enter" : "leave") }
      override func pressCancelled() { heard.append("cancelled") }
    }
    final class Target: Responder {
      var log: [String] = []
      func pressed(_ sender: AnyObject?) { log.append("pressed \((sender as? Button)?.title ?? "?")") }
      func down(_ sender: AnyObject?) { log.append("down") }
    }

    private func probe(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Probe {
      Probe(frame: Rect(x: x, y: y, width: width, height: height))
    }

    @Test("A position hits the front-most view that is shown and hears")
    func hits() {
      let root = probe(0, 0, 200, 200)
      let back = probe(10, 10, 100, 100)
      let front = probe(50, 50, 100, 100)
      let inner = probe(10, 10, 20, 20)
      root.addSubview(back)
      root.addSubview(front)
      front.addSubview(inner)
      #expect(root.hitTest(Point(x: 20, y: 20)) === back)
      #expect(root.hitTest(Point(x: 55, y: 55)) === front)
      #expect(root.hitTest(Point(x: 60, y: 60)) === inner)
      inner.isHidden = true
      #expect(root.hitTest(Point(x: 60, y: 60)) === front)
      front.isUserInteractionEnabled = false
      #expect(root.hitTest(Point(x: 60, y: 60)) === back)
      back.alpha = 0
      #expect(root.hitTest(Point(x: 60, y: 60)) === root)
      front.isUserInteractionEnabled = true
      inner.isHidden = false
      front.bounds.origin = Point(x: 0, y: 10)
      #expect(root.hitTest(Point(x: 60, y: 51)) === inner)
      #expect(inner.convert(Point(x: 1, y: 1), to: root) == Point(x: 61, y: 51))
      #expect(inner.convert(Point(x: 61, y: 51), from: root) == Point(x: 1, y: 1))
      root.sendSubviewToBack(front)
      back.alpha = 1
      #expect(root.hitTest(Point(x: 60, y: 60)) === back)
      #expect(root.hitTest(Point(x: 200, y: 0)) == nil)
    }

    @Test("A view cannot come to hold itself")
    func cycles() {
      let (outer, inner) = (View(), View())
      outer.addSubview(inner)
      inner.addSubview(outer)
      outer.addSubview(outer)
      #expect(outer.superview == nil && outer.subviews.count == 1 && inner.subviews.isEmpty)
    }

    @Test("A press belongs to the view that it went down on, until it is let go")
    func tracking() throws {
      let (left, right) = (probe(0, 0, 100, 100), probe(100, 0, 100, 100))
      let stage = try UIStage { window in
        let root = View()
        root.addSubview(left)
        root.addSubview(right)
        window.rootView = root
      }
      stage.send(.move(10, 10), .press(10, 10), .move(150, 10), .release(150, 10), .move(151, 10))
      #expect(left.heard == ["enter", "motion", "down", "leave", "motion", "up"])
      #expect(right.heard == ["enter", "motion"])
      stage.send(.exit())
      #expect(right.heard == ["enter", "motion", "leave"])
      left.heard = []
      stage.send(.press(10, 10))
      stage.program.desk.minimize(stage.window)
      stage.program.advance(by: 3000)
      #expect(left.heard == ["down", "cancelled"])
    }

    @Test("What is pressed when the scene is interrupted, or the view taken away, ends nowhere")
    func interrupted() throws {
      let (left, root) = (probe(0, 0, 100, 100), probe(0, 0, 320, 240))
      root.addSubview(left)
      let stage = try UIStage { $0.rootView = root }
      stage.send(.press(10, 10))
      stage.window.windowScene?.beginInterruption()
      stage.settle()
      #expect(left.heard == ["down", "cancelled"])
      stage.send(.release(10, 10))
      stage.window.windowScene?.endInterruption()
      stage.settle()
      stage.send(.move(200, 200))
      #expect(left.heard == ["down", "cancelled"] && root.heard.last == "motion")
      left.heard = []
      stage.send(.press(10, 10))
      left.removeFromSuperview()
      #expect(left.heard.filter { $0 == "cancelled" }.count == 1)
    }

    @Test("Keys do not go to a controller that is gone")
    func goneController() throws {
      final class Eager: ViewController {
        override var canBecomeFirstResponder: Bool { true }
      }
      let old = Eager()
      let stage = try UIStage { $0.rootViewController = old }
      #expect(old.becomeFirstResponder())
      let root = probe(0, 0, 10, 10)
      stage.window.rootView = root
      stage.send(.type(0x61, "a"))
      #expect(root.heard == ["key a"])
    }

    @Test("Wild positions, many fingers and odd keys do no harm")
    func wild() throws {
      let root = probe(0, 0, 10, 10)
      let stage = try UIStage { $0.rootView = root }
      for number in [Int.min, -1, 0, 319, Int.max] {
        stage.send(
          .press(number, number), .move(number, -1), .release(number, number, 77),
          .scroll(Scroll(deltaX: .nan, deltaY: .infinity, isPrecise: true, location: Point(x: number, y: 0))))
      }
      for finger in 0..<1000 {
        stage.send(.touch(Touch(identifier: finger, phase: .began, location: Point(x: finger, y: 5))))
      }
      stage.send(.type(0xFFFF_FFFF), .key(Key(code: 255, symbol: 0, characters: "", isDown: false)))
      #expect(root.heard.contains("touch began"))
    }

    @Test("A window with a scale hits the same views")
    func scale() throws {
      let view = probe(100, 50, 20, 20)
      let stage = try UIStage { window in
        let root = View()
        root.addSubview(view)
        window.rootView = root
      }
      stage.program.platform.send(.scale(stage.id, 2))
      stage.send(.press(239, 139), .release(239, 139), .press(241, 139))
      #expect(view.heard == ["down", "enter", "up"])
    }

    @Test("A button says so once it is let go inside, in the order in which its targets came; targets are not held")
    func actions() throws {
      let target = Target()
      let button = Button("OK")
      var calls: [String] = []
      let stage = try UIStage { window in
        let root = View()
        button.frame = Rect(x: 10, y: 10, width: 80, height: 30)
        root.addSubview(button)
        window.rootView = root
      }
      button.addTarget(target, action: Action(Target.down), for: .touchDown)
      button.addTarget(target, action: Action(Target.pressed), for: .primaryActionTriggered)
      button.addAction(for: .primaryActionTriggered) { calls.append("second, after \(target.log.count)") }
      button.addAction(for: .touchUpInside) { calls.append("first") }
      button.addAction(for: .touchUpOutside) { calls.append("outside") }
      stage.send(.press(20, 20))
      #expect(button.isHighlighted && target.log == ["down"] && calls == [])
      stage.send(.release(20, 20))
      #expect(!button.isHighlighted && target.log == ["down", "pressed OK"])
      #expect(calls == ["first", "second, after 2"])
      stage.send(.press(20, 20), .move(200, 200))
      #expect(!button.isHighlighted)
      stage.send(.release(200, 200))
      #expect(calls.last == "outside" && target.log.count == 3)
      button.isEnabled = false
      stage.send(.press(20, 20), .release(20, 20))
      #expect(target.log.count == 3)
      button.isEnabled = true
      weak var gone: Target?
      do {
        let short = Target()
        gone = short
        button.addTarget(short, action: Action(Target.pressed), for: .primaryActionTriggered)
      }
      #expect(gone == nil)
      stage.send(.press(20, 20), .release(20, 20))
      #expect(target.log.count == 5)
    }

    @Test("A named action that is added again for its target is one for all its events; others are added again")
    func addedAgain() throws {
      let (target, other) = (Target(), Target())
      let button = Button("OK")
      let stage = try UIStage(button, Rect(x: 10, y: 10, width: 80, height: 30))
      func press() -> [[String]] {
        stage.send(.press(20, 20), .release(20, 20))
        defer { (target.log, other.log) = ([], []) }
        return [target.log, other.log]
      }
      for events in [ControlEvents.touchUpInside, .touchUpInside, .touchDown] {
        button.addTarget(target, action: Action(Target.pressed, name: "pressed"), for: events)
      }
      #expect(press() == [["pressed OK", "pressed OK"], []])
      button.removeTarget(target, for: .touchDown)
      #expect(press() == [["pressed OK"], []])
      // Another target, another name, and none.
      button.addTarget(other, action: Action(Target.pressed, name: "pressed"), for: .touchUpInside)
      button.addTarget(target, action: Action(Target.down, name: "down"), for: .touchUpInside)
      #expect(press() == [["pressed OK", "down"], ["pressed OK"]])
      button.removeTarget(nil, for: [.touchDown, .touchUpInside])
      for _ in 0..<2 { button.addTarget(target, action: Action(Target.pressed), for: .touchUpInside) }
      button.addTarget(target, action: Action(Target.down), for: .touchUpInside)
      #expect(press() == [["pressed OK", "pressed OK", "down"], []])
      // Along the chain.
      button.removeTarget(nil, for: [.touchDown, .touchUpInside])
      let scene = try #require(stage.scene)
      for _ in 0..<2 {
        button.addTarget(nil, action: Action(UIStage.MainScene.act, name: "act"), for: .touchUpInside)
        button.addTarget(scene, action: Action(UIStage.MainScene.act, name: "act"), for: .touchUpInside)
      }
      #expect(press() == [[], []] && scene.heard == ["command", "command"])
    }

    @Test("Actions of one name for two classes are two: along the chain each is performed by its own class")
    func addedForTwoClasses() throws {
      final class Canvas: View {
        var count = 0
        override var canBecomeFirstResponder: Bool { true }
        func copySelection(_ sender: AnyObject?) { count += 1 }
      }
      final class Editor: View {
        var count = 0
        override var canBecomeFirstResponder: Bool { true }
        func copySelection(_ sender: AnyObject?) { count += 1 }
      }
      let (button, canvas, editor) = (Button("Copy"), Canvas(), Editor())
      button.frame = Rect(x: 0, y: 0, width: 80, height: 30)
      let root = View()
      for view in [button, canvas, editor] { root.addSubview(view) }
      let stage = try UIStage(root, Rect(x: 0, y: 0, width: 200, height: 200))
      for _ in 0..<2 {
        button.addTarget(nil, action: Action(Editor.copySelection, name: "copy"), for: .touchUpInside)
        button.addTarget(nil, action: Action(Canvas.copySelection, name: "copy"), for: .touchUpInside)
      }
      for view in [canvas, editor] {
        #expect(view.becomeFirstResponder())
        stage.send(.press(10, 10), .release(10, 10))
      }
      #expect(canvas.count == 1 && editor.count == 1)
    }

    @Test(
      "A press by a key, a mnemonic or a screen reader ends inside, and an action for both events is performed once")
    func pressedWithoutPointer() throws {
      let button = Button()
      button.titleWithMnemonic = "_Go"
      var (inside, both) = (0, 0)
      let stage = try UIStage(button, Rect(x: 10, y: 10, width: 80, height: 30))
      button.addAction(for: .touchUpInside) { inside += 1 }
      button.addAction(for: [.touchUpInside, .primaryActionTriggered]) { both += 1 }
      button.becomeFirstResponder()
      let presses: [() -> Void] = [
        { stage.send(.press(20, 20), .release(20, 20)) }, { stage.send(.type(KeySymbol.space)) },
        { stage.send(.type(KeySymbol.return)) }, { stage.send(.type(0x67, "g", .alternate)) },
        { _ = button.accessibilityActivate() },
      ]
      for (number, press) in presses.enumerated() {
        press()
        #expect(inside == number + 1 && both == number + 1)
      }
      // An action of the program is no press.
      button.primaryAction(nil)
      #expect(inside == 5 && both == 6)
      button.menu = Menu(children: [MenuItem("Now") {}])
      button.showsMenuAsPrimaryAction = true
      stage.send(.type(KeySymbol.space))
      #expect(inside == 5 && both == 6)
    }

    @Test("An action without a target goes along the chain: view, controller, window, scene")
    func chain() throws {
      final class Controller: ViewController {
        var saved = 0
        func save(_ sender: AnyObject?) { saved += 1 }
      }
      let controller = Controller()
      let button = Button("Save")
      let stage = try UIStage { $0.rootViewController = controller }
      controller.view.addSubview(button)
      #expect(button.next === controller.view && controller.view.next === controller)
      #expect(controller.next === stage.window && stage.window.next === stage.window.windowScene)
      #expect(stage.window.windowScene?.next === stage.scene && stage.scene?.next === stage.program.application)
      #expect(stage.program.application.next === stage.delegate && stage.delegate.next == nil)
      button.addTarget(nil, action: Action(Controller.save), for: .primaryActionTriggered)
      #expect(button.becomeFirstResponder())
      stage.send(.type(0x20, " "), .type(0xFF0D, "\r"))
      #expect(controller.saved == 2)
      stage.send(.type(0x20, " ", .control))
      #expect(controller.saved == 2)
      // Enter and Space of the number pad.
      stage.send(.type(0xFF8D, "\r"), .type(0xFF80, " "))
      #expect(controller.saved == 4)
    }

    @Test("An action without a target goes to the first responder first, which its sender is beside")
    func besideTheFirstResponder() throws {
      final class Editor: View {
        var copies = 0
        var refuses = false
        override var canBecomeFirstResponder: Bool { true }
        override func canPerformAction(_ action: Action, withSender sender: AnyObject?) -> Bool {
          !refuses && super.canPerformAction(action, withSender: sender)
        }
        func copyText(_ sender: AnyObject?) { copies += 1 }
      }
      final class Bar: View {
        var copies = 0
        func copyText(_ sender: AnyObject?) { copies += 1 }
        func showMore(_ sender: AnyObject?) { copies += 10 }
      }
      let (editor, bar, button, more) = (Editor(), Bar(), Button("Copy"), Button("More"))
      let stage = try UIStage { window in
        let root = View()
        for view in [editor, bar] { root.addSubview(view) }
        window.rootView = root
      }
      for view in [button, more] { bar.addSubview(view) }
      button.addTarget(nil, action: Action(Editor.copyText), for: .touchUpInside)
      more.addTarget(nil, action: Action(Bar.showMore), for: .touchUpInside)
      #expect(editor.becomeFirstResponder())
      button.sendActions(for: .touchUpInside)
      #expect(editor.copies == 1)
      // What the chain of the first responder does not perform goes along that of the control.
      more.sendActions(for: .touchUpInside)
      #expect(bar.copies == 10)
      editor.refuses = true
      button.sendActions(for: .touchUpInside)
      #expect(editor.copies == 1)
      // Without a first responder it is the control's chain alone, and so it is of a sender that is in no window.
      editor.refuses = false
      #expect(editor.resignFirstResponder())
      button.sendActions(for: .touchUpInside)
      #expect(editor.copies == 1)
      let other = Editor()
      editor.becomeFirstResponder()
      #expect(stage.program.application.sendAction(Action(Editor.copyText), to: nil, from: other))
      #expect(other.copies == 1 && editor.copies == 1)
    }

    @Test("Tab goes from one view that wants keys to the next, and round")
    func tab() throws {
      let buttons = ["a", "b", "c"].map { Button($0) }
      let stage = try UIStage { $0.rootView = StackView(.vertical, buttons) }
      func focused() -> Int? { buttons.firstIndex { $0.isFirstResponder } }
      stage.send(.type(0xFF09, "\t"))
      #expect(focused() == 0)
      buttons[1].isEnabled = false
      stage.send(.type(0xFF09, "\t"))
      #expect(focused() == 2)
      stage.send(.type(0xFF09, "\t"))
      #expect(focused() == 0)
      stage.send(.type(0xFE20, "", .shift))
      #expect(focused() == 2)
      // That of the number pad, there and back.
      stage.send(.type(0xFF89, "\t"))
      #expect(focused() == 0)
      stage.send(.type(0xFF89, "\t", .shift))
      #expect(focused() == 2)
      buttons[2].removeFromSuperview()
      #expect(stage.window.firstResponder == nil)
      stage.send(.type(0x61, "a"))
    }

    @Test("Tab goes on from the view that had the keys, where that was disabled, hidden or removed")
    func tabFromGone() throws {
      let buttons = ["a", "b", "c", "d"].map { Button($0) }
      let stage = try UIStage { $0.rootView = StackView(.vertical, buttons) }
      func focused() -> String? { (stage.window.firstResponder as? Button)?.title }
      func tab(_ modifiers: ModifierFlags = []) -> String? {
        stage.send(.type(0xFF09, "\t", modifiers))
        return focused()
      }
      buttons[1].becomeFirstResponder()
      buttons[1].isEnabled = false
      #expect(focused() == nil && tab() == "c")
      buttons[2].isHidden = true
      #expect(focused() == nil && tab() == "d")
      buttons[2].isHidden = false
      buttons[2].becomeFirstResponder()
      buttons[2].isHidden = true
      #expect(tab(.shift) == "a")
      let rows = buttons[2...].map { button in
        button.isHidden = false
        return StackView(.horizontal, [button])
      }
      let last = Button("e")
      stage.window.rootView = StackView(.vertical, [buttons[0], StackView(.vertical, rows), last])
      buttons[3].becomeFirstResponder()
      rows[1].removeFromSuperview()
      #expect(focused() == nil && tab() == "e" && tab() == "a")
    }

    @Test("Tab goes on from the place of a view that was removed, in both directions")
    func tabFromRemoved() throws {
      let buttons = ["a", "b", "c", "d"].map { Button($0) }
      let box = StackView(.vertical, Array(buttons[1...2]))
      let stage = try UIStage { $0.rootView = StackView(.vertical, [buttons[0], box, buttons[3]]) }
      func next(_ removed: [Int], _ modifiers: ModifierFlags = []) -> String? {
        for (index, button) in buttons[1...2].enumerated() { box.insertSubview(button, at: index) }
        buttons[removed[0]].becomeFirstResponder()
        for index in removed { buttons[index].removeFromSuperview() }
        #expect(stage.window.firstResponder == nil)
        stage.send(.type(0xFF09, "\t", modifiers))
        return (stage.window.firstResponder as? Button)?.title
      }
      #expect(next([1]) == "c" && next([1], .shift) == "a")
      #expect(next([2]) == "d" && next([2], .shift) == "b")
      // And what was before it, too.
      #expect(next([2, 1]) == "d" && next([2, 1], .shift) == "a")
      #expect(next([1, 2]) == "d" && next([1, 2], .shift) == "a")
      // Before a view that had the keys and was hidden afterwards it is that view's place again.
      _ = next([1])
      buttons[2].isHidden = true
      stage.send(.type(0xFF09, "\t", .shift))
      #expect(buttons[0].isFirstResponder)
    }

    @Test("What no longer gets input gets no keys")
    func keysWithoutInput() throws {
      let (button, text) = (Button("Save"), TextView())
      let box = StackView(.vertical, [button, text])
      let stage = try UIStage { $0.rootView = StackView(.vertical, [box]) }
      var saved = 0
      button.addAction(for: .primaryActionTriggered) {
        saved += 1
        box.isUserInteractionEnabled = false
      }
      button.becomeFirstResponder()
      stage.send(.type(0x20, " "), .type(0x20, " "))
      #expect(saved == 1 && stage.window.firstResponder == nil)
      box.isUserInteractionEnabled = true
      text.becomeFirstResponder()
      text.isUserInteractionEnabled = false
      stage.type("a")
      #expect(text.text == "" && !text.isFirstResponder)
    }

    @Test("Tab goes over what is in a control that is disabled")
    func tabOverDisabled() throws {
      let (before, outer, inner) = (Button("a"), Control(), Button("b"))
      outer.addSubview(inner)
      let stage = try UIStage { $0.rootView = StackView(.vertical, [before, outer]) }
      before.becomeFirstResponder()
      stage.send(.type(0xFF09, "\t"))
      #expect(inner.isFirstResponder)
      outer.isEnabled = false
      #expect(stage.window.firstResponder == nil)
      for _ in 0..<2 {
        stage.send(.type(0xFF09, "\t"))
        #expect(before.isFirstResponder)
      }
    }

    @Test("Tab with Control leaves a text, in which Tab alone is a letter")
    func tabInText() throws {
      let (before, text, after) = (Button("a"), TextView(), Button("b"))
      let stage = try UIStage { $0.rootView = StackView(.vertical, [before, text, after]) }
      text.becomeFirstResponder()
      stage.send(.type(0xFF09, "\t"))
      #expect(text.isFirstResponder && text.text == "\t")
      stage.send(.type(0xFF09, "\t", .control))
      #expect(after.isFirstResponder)
      text.becomeFirstResponder()
      stage.send(.type(0xFE20, "", [.control, .shift]))
      #expect(before.isFirstResponder && text.text == "\t")
    }

    // MARK: Ends of editing

    /// Six fields, of which the first one has the keys.
    private func fields(_ ends: @escaping ([TextField]) -> Void) throws -> ([TextField], UIStage, () -> Int) {
      let fields = (0..<6).map { _ in TextField() }
      let stage = try UIStage { $0.rootView = StackView(.vertical, fields) }
      fields[0].becomeFirstResponder()
      var count = 0
      fields[0].addAction(for: .editingDidEnd) {
        count += 1
        ends(fields)
      }
      return (fields, stage, { count })
    }

    @Test(
      "Tab from a field that takes the keys back, or gives them to another one, ends its editing once",
      arguments: [0, 1, 4], [ModifierFlags(), .shift])
    func tabFromKept(_ target: Int, _ modifiers: ModifierFlags) throws {
      let (fields, stage, count) = try fields { $0[target].becomeFirstResponder() }
      stage.send(.type(0xFF09, "\t", modifiers))
      #expect(fields.firstIndex { $0.isFirstResponder } == target && count() == 1)
    }

    @Test("Tab goes over a field that is disabled as the editing of the one before it ends")
    func tabOverDisabledMeanwhile() throws {
      let (fields, stage, count) = try fields { $0[1].isEnabled = false }
      stage.send(.type(0xFF09, "\t"))
      #expect(fields[2].isFirstResponder && count() == 1)
    }

    @Test("Tab goes over a field that lets no editing begin, whose neighbour it reaches")
    func tabOverRefusing() throws {
      final class Refusing: TextFieldDelegate {
        var asked = 0
        func textFieldShouldBeginEditing(_ textField: TextField) -> Bool {
          asked += 1
          return false
        }
      }
      let (fields, stage, count) = try fields { _ in }
      let refusing = Refusing()
      fields[1].delegate = refusing
      stage.send(.type(0xFF09, "\t"))
      #expect(fields[2].isFirstResponder && count() == 1 && refusing.asked == 1)
    }

    @Test("The pointer has the shape that the view under it asks for")
    func cursor() throws {
      let view = probe(0, 0, 50, 50)
      view.cursor = .text
      let stage = try UIStage { window in
        let root = View()
        root.addSubview(view)
        window.rootView = root
      }
      stage.send(.move(10, 10))
      #expect(stage.window.cursor == .text)
      stage.send(.move(100, 100))
      #expect(stage.window.cursor == .arrow)
    }

    @Test("A scroll view stays within its content, and hits what it shows")
    func scrolling() throws {
      let scroll = ScrollView()
      let inner = probe(0, 500, 320, 100)
      inner.handles = false
      scroll.contentSize = Size(width: 320, height: 1000)
      scroll.addSubview(inner)
      let stage = try UIStage { $0.rootView = scroll }
      func turn(_ lines: Double) -> InputEvent.Kind {
        .scroll(Scroll(deltaX: 0, deltaY: lines, isPrecise: false, location: Point(x: 10, y: 10)))
      }
      stage.send(turn(10))
      #expect(scroll.contentOffset == Point(x: 0, y: 400))
      stage.send(turn(2.5), .press(10, 10))
      #expect(inner.heard == ["down"])
      stage.send(turn(1e9))
      #expect(scroll.contentOffset.y == 760)
      stage.send(turn(-1e9))
      #expect(scroll.contentOffset.y == 0)
      inner.scrollIntoView()
      #expect(scroll.contentOffset.y == 360)
    }

    @Test("A scroll view without controls is reached by Tab, and scrolled by keys")
    func scrolledByKeys() throws {
      let (scroll, button) = (ScrollView(), Button("Accept"))
      scroll.contentSize = Size(width: 320, height: 1000)
      scroll.addSubview(Label("A licence"))
      button.stackPlacement.minimumSize.height = 40
      let stage = try UIStage { $0.rootView = StackView(.vertical, spacing: 0, [scroll, button]) }
      stage.settle()
      #expect(scroll.bounds.size.height == 200)
      stage.press([KeySymbol.tab])
      #expect(stage.window.firstResponder === scroll)
      for (symbol, place) in [
        (KeySymbol.down, 40), (KeySymbol.up, 0), (KeySymbol.pageDown, 160), (KeySymbol.pageUp, 0),
        (KeySymbol.end, 800), (KeySymbol.pageDown, 800), (KeySymbol.home, 0),
      ] {
        stage.press([symbol])
        #expect(scroll.contentOffset.y == place)
      }
      stage.press([KeySymbol.pageDown], with: .control)
      #expect(scroll.contentOffset.y == 0)
      stage.press([KeySymbol.tab])
      #expect(stage.window.firstResponder === button)
      stage.press([KeySymbol.pageDown, KeySymbol.down])
      #expect(scroll.contentOffset.y == 0)
      // What shows all of its content is no stop.
      scroll.contentSize.height = 200
      stage.press([KeySymbol.tab])
      #expect(stage.window.firstResponder === button)
    }

    @Test("The keys that a control in a scroll view does not use turn its pages, the innermost view first")
    func scrolledFromControl() throws {
      let (outer, inner, button, field) = (ScrollView(), ScrollView(), Button("One"), TextField("Text"))
      outer.contentSize = Size(width: 320, height: 1000)
      inner.frame = Rect(x: 0, y: 0, width: 320, height: 100)
      inner.contentSize = Size(width: 320, height: 150)
      button.frame = Rect(x: 0, y: 0, width: 100, height: 30)
      field.frame = Rect(x: 0, y: 40, width: 100, height: 30)
      outer.addSubview(inner)
      for view in [button, field] { inner.addSubview(view) }
      let stage = try UIStage { $0.rootView = outer }
      stage.settle()
      #expect(!outer.canBecomeFirstResponder && !inner.canBecomeFirstResponder)
      for view in [button, field] {
        outer.contentOffset = Point(x: 0, y: 0)
        inner.contentOffset = Point(x: 0, y: 0)
        _ = view.becomeFirstResponder()
        stage.press([KeySymbol.pageDown])
        #expect(inner.contentOffset.y == 50 && outer.contentOffset.y == 0)
        stage.press([KeySymbol.pageDown])
        #expect(inner.contentOffset.y == 50 && outer.contentOffset.y == 200)
        stage.press([KeySymbol.down, KeySymbol.home])
        #expect(outer.contentOffset.y == 200, "these are of the view alone that gets the keys")
      }
    }

    /// A scroll view that shows 240 of 1,000 points, so that its thumb is 57 points long.
    private func tall() throws -> (scroll: ScrollView, inner: Probe, stage: UIStage) {
      let scroll = ScrollView()
      let inner = probe(0, 0, 320, 1000)
      inner.handles = false
      scroll.contentSize = Size(width: 320, height: 1000)
      scroll.addSubview(inner)
      let stage = try UIStage { $0.rootView = scroll }
      stage.settle()
      return (scroll, inner, stage)
    }

    @Test("The thumb of a scroll bar is dragged, and what is below the bar is not pressed")
    func thumb() throws {
      let (scroll, inner, stage) = try tall()
      scroll.contentOffset.y = 3
      stage.send(.press(316, 10))
      #expect(scroll.contentOffset.y == 3)
      stage.send(.move(316, 101))
      #expect((370...390).contains(scroll.contentOffset.y))
      // As far as the window goes, and back.
      stage.send(.move(-50, 500))
      #expect(scroll.contentOffset.y == 760)
      stage.send(.move(316, 10))
      #expect(scroll.contentOffset.y == 3)
      stage.send(.release(316, 10), .move(316, 101))
      #expect(scroll.contentOffset.y == 3 && !inner.heard.contains("down"))
      // The content fits: there is no bar.
      scroll.contentSize.height = 240
      stage.send(.press(316, 10))
      #expect(inner.heard.last == "down")
    }

    @Test("A press beside the thumb turns a page, and goes on while it is held until the thumb is there")
    func trough() throws {
      let (scroll, inner, stage) = try tall()
      stage.send(.press(316, 235))
      #expect(scroll.contentOffset.y == 216)
      stage.program.advance(by: 3000)
      #expect(scroll.contentOffset.y == 760)
      stage.send(.release(316, 235), .press(316, 100))
      #expect(scroll.contentOffset.y == 544)
      stage.program.advance(by: 3000)
      // The thumb is at the pointer.
      #expect(scroll.contentOffset.y == 328)
      stage.send(.release(316, 100), .press(316, 1))
      #expect(scroll.contentOffset.y == 112)
      stage.window.windowScene?.beginInterruption()
      stage.program.advance(by: 3000)
      #expect(scroll.contentOffset.y == 112 && !inner.heard.contains("down"))
    }

    @Test("With Shift a wheel scrolls sideways, and so does the lower bar")
    func sideways() throws {
      let scroll = ScrollView()
      scroll.contentSize = Size(width: 800, height: 240)
      let stage = try UIStage { $0.rootView = scroll }
      stage.settle()
      func turn(_ modifiers: ModifierFlags) {
        let point = Point(x: 10, y: 10)
        stage.send(
          .scroll(Scroll(deltaX: 0, deltaY: 1, isPrecise: false, location: point, modifiers: modifiers)))
      }
      turn([])
      #expect(scroll.contentOffset == Point(x: 0, y: 0))
      turn(.shift)
      #expect(scroll.contentOffset == Point(x: 40, y: 0))
      stage.send(.press(30, 236), .move(400, 236), .release(400, 236))
      #expect(scroll.contentOffset == Point(x: 480, y: 0))
    }

    @Test("A finger scrolls, the innermost view first, and what that has left the one around it")
    func finger() throws {
      let (outer, low, stage) = try tall()
      let inner = ScrollView()
      inner.frame = Rect(x: 0, y: 0, width: 320, height: 100)
      inner.contentSize = Size(width: 320, height: 150)
      outer.addSubview(inner)
      stage.settle()
      func touch(_ phase: Touch.Phase, _ y: Int, _ finger: Int = 1) {
        stage.send(.touch(Touch(identifier: finger, phase: phase, location: Point(x: 10, y: y))))
      }
      touch(.began, 90)
      touch(.moved, 85)
      #expect(inner.contentOffset.y == 0)
      touch(.moved, 20)
      #expect(inner.contentOffset.y == 50 && outer.contentOffset.y == 20)
      // Another finger does not double the way.
      touch(.began, 60, 2)
      touch(.moved, 40, 2)
      touch(.moved, 10)
      #expect(inner.contentOffset.y == 50 && outer.contentOffset.y == 30)
      touch(.moved, 30)
      #expect(inner.contentOffset.y == 30 && outer.contentOffset.y == 30)
      touch(.ended, 30)
      touch(.ended, 40, 2)
      // On what does not scroll by itself.
      low.heard = []
      touch(.began, 200)
      touch(.moved, 100)
      touch(.cancelled, 100)
      #expect(outer.contentOffset.y == 130 && low.heard.first == "touch began")
      touch(.moved, 50)
      #expect(outer.contentOffset.y == 130)
    }

    @Test("A finger that begins on a control scrolls what is around it, and presses nothing")
    func fingerOnControl() throws {
      let (outer, _, stage) = try tall()
      let (button, slider) = (Button("Go"), Slider())
      button.frame = Rect(x: 10, y: 150, width: 100, height: 30)
      slider.frame = Rect(x: 10, y: 320, width: 124, height: 24)
      for view in [button, slider] { outer.addSubview(view) }
      stage.settle()
      var (presses, cancels) = (0, 0)
      button.addAction(for: [.touchUpInside, .primaryActionTriggered]) { presses += 1 }
      button.addAction(for: .touchCancel) { cancels += 1 }
      func touch(_ phase: Touch.Phase, _ y: Int, _ finger: Int = 1, x: Int = 30) {
        stage.send(.touch(Touch(identifier: finger, phase: phase, location: Point(x: x, y: y))))
      }
      // A tap that trembles.
      touch(.began, 160)
      touch(.moved, 166)
      touch(.ended, 166)
      #expect(presses == 1 && cancels == 0 && outer.contentOffset.y == 0)
      touch(.began, 160)
      #expect(button.isTracking)
      touch(.moved, 120)
      #expect(!button.isTracking && cancels == 1 && outer.contentOffset.y == 40)
      // Another finger on the control is for nothing while the first one scrolls.
      touch(.began, 120, 2)
      touch(.moved, 60, 2)
      touch(.ended, 60, 2)
      touch(.moved, 60)
      touch(.ended, 60)
      #expect(presses == 1 && cancels == 2 && outer.contentOffset.y == 100)
      // What is dragged keeps the finger.
      touch(.began, 232, x: 22)
      touch(.moved, 120, x: 72)
      touch(.ended, 120, x: 72)
      #expect(slider.value > 0.4 && outer.contentOffset.y == 100)
      // Nothing is left to scroll.
      outer.contentSize.height = 240
      touch(.began, 160)
      touch(.moved, 100)
      touch(.moved, 160)
      touch(.ended, 160)
      #expect(presses == 2 && cancels == 2 && outer.contentOffset.y == 0)
      // The program removes what is scrolled when it is told.
      outer.contentSize.height = 1000
      button.addAction(for: .touchCancel) { outer.removeFromSuperview() }
      stage.window.rootView = nil
      let root = View()
      outer.frame = Rect(x: 0, y: 0, width: 320, height: 240)
      root.addSubview(outer)
      stage.window.rootView = root
      stage.settle()
      touch(.began, 160)
      touch(.moved, 100)
      touch(.ended, 100)
      #expect(outer.superview == nil && outer.contentOffset.y == 0)
    }
  }
}
