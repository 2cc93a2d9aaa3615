import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// Switches of which one is on at a time, and the check box that is neither on nor off.
  @MainActor @Suite("Radio buttons and mixed states") struct RadioButtonTests {
    private let names = ["A", "B", "C"]
    private let frame = Rect(x: 0, y: 0, width: 200, height: 200)

    private func on(_ views: [Switch]) -> [Int] { views.indices.filter { views[$0].isOn } }

    @Test("One of a group is on at most, whoever turns it on, and a press turns none off")
    func one() {
      let views = names.map { Switch($0, style: .radio) }
      let group = SwitchGroup(views)
      let records = views.map { $0.recordEvents() }
      #expect(on(views) == [] && group.selected == nil && group.switches.map(\.title) == names)
      views[0].isOn = true
      views[2].isOn = true
      #expect(on(views) == [2] && group.selected === views[2])
      #expect(records.allSatisfy { $0.take() == [] })
      views[1].primaryAction(nil)
      #expect(on(views) == [1] && records[1].take() == ["value", "primary"] && records[2].take() == [])
      views[1].primaryAction(nil)
      #expect(on(views) == [1] && records[1].take() == [])
      views[1].isOn = false
      #expect(on(views) == [])
      let alone = Switch("Alone", style: .radio)
      for _ in 0..<2 { alone.primaryAction(nil) }
      #expect(alone.isOn)
    }

    @Test("A switch that joins while it is on turns the others off, and one that left is on its own")
    func joining() {
      let views = names.map { Switch($0, isOn: true, style: .checkbox) }
      let group = SwitchGroup(views)
      #expect(on(views) == [2])
      views[2].group = nil
      views[0].isOn = true
      #expect(on(views) == [0, 2] && group.switches.count == 2)
      views[0].group = group
      views[0].group = SwitchGroup()
      #expect(group.switches.map(\.title) == ["B"])
      var gone: Switch? = Switch("D", isOn: true)
      gone?.group = group
      gone = nil
      #expect(group.switches.map(\.title) == ["B"] && group.selected == nil)
    }

    @Test("Arrows turn the next one on that can be reached, in a circle")
    func arrows() throws {
      let views = (names + ["D", "E"]).map { Switch($0, style: .radio) }
      let group = SwitchGroup(views)
      views[1].isEnabled = false
      let hidden = StackView(.vertical, [views[3]])
      hidden.isHidden = true
      let stage = try UIStage(StackView(.vertical, [views[0], views[1], views[2], hidden]), frame)
      views[0].isOn = true
      views[0].becomeFirstResponder()
      let record = views[2].recordEvents()
      // One of the group is in no window.
      for (symbol, expected) in [
        (KeySymbol.down, 2), (KeySymbol.right, 0), (KeySymbol.up, 2), (KeySymbol.left, 0), (0xFF99, 2),
      ] {
        stage.send(.type(symbol))
        #expect(on(views) == [expected] && views[expected].isFirstResponder && group.selected === views[expected])
      }
      #expect(record.take() == ["value", "primary", "value", "primary", "value", "primary"])
      stage.send(.type(KeySymbol.down, "", .control), .type(KeySymbol.home, "home"))
      #expect(on(views) == [2] && stage.scene?.heard.last == "home")
    }

    @Test("Tab goes to the one that is on, else to the first that can be reached")
    func tab() throws {
      let views = names.map { Switch($0, style: .radio) }
      let group = SwitchGroup(views)
      let buttons = [Button("Before"), Button("After")]
      let stage = try UIStage(StackView(.vertical, [buttons[0]] + views + [buttons[1]]), frame)
      func stops() -> [String] {
        buttons[0].becomeFirstResponder()
        return (0..<3).map { _ in
          stage.send(.type(KeySymbol.tab, "\t"))
          let first = stage.window.firstResponder
          return (first as? Switch)?.title ?? (first as? Button)?.title ?? "none"
        }
      }
      #expect(stops() == ["A", "After", "Before"])
      views[2].isOn = true
      #expect(stops() == ["C", "After", "Before"])
      views[2].isEnabled = false
      views[0].isEnabled = false
      #expect(stops() == ["B", "After", "Before"] && group.selected === views[2])
    }

    @Test("Tab goes on from one that has the keys without being on")
    func tabFromOff() throws {
      let views = names.map { Switch($0, style: .radio) }
      let group = SwitchGroup(views)
      let buttons = [Button("Before"), Button("After")]
      let stage = try UIStage(StackView(.vertical, [buttons[0]] + views + [buttons[1]]), frame)
      views[0].isOn = true
      views[2].becomeFirstResponder()
      stage.send(.type(KeySymbol.tab, "\t"))
      #expect(buttons[1].isFirstResponder)
      views[2].becomeFirstResponder()
      stage.send(.type(KeySymbol.tab, "\t", .shift))
      #expect(views[0].isFirstResponder && group.selected === views[0])
    }

    @Test("One in a view that gets no input is neither turned on by the arrows nor in the way of Tab")
    func blocked() throws {
      let views = names.map { Switch($0, style: .radio) }
      let group = SwitchGroup(views)
      let (before, box) = (Button("Before"), StackView(.vertical, [views[2]]))
      let stage = try UIStage(StackView(.vertical, [before, views[0], views[1], box]), frame)
      box.isUserInteractionEnabled = false
      views[1].isOn = true
      views[1].becomeFirstResponder()
      stage.send(.type(KeySymbol.down, ""))
      #expect(group.selected === views[0] && views[0].isFirstResponder)
      views[2].isOn = true
      before.becomeFirstResponder()
      stage.send(.type(KeySymbol.tab, "\t"))
      #expect(views[0].isFirstResponder)
    }

    @Test("A press, Space and Return turn it on", arguments: [InterfaceStyle.light, .dark])
    func looks(_ appearance: InterfaceStyle) throws {
      let theme = Theme.of(appearance)
      let view = Switch("Title", style: .radio)
      let stage = try UIStage(view, Rect(x: 10, y: 10, width: 150, height: 28), appearance)
      // The middle of the circle, and beside the dot.
      #expect(try stage.pixel(22, 24) == theme.controlBackground.pixel)
      let off = try stage.pixels(Rect(x: 10, y: 10, width: 150, height: 28))
      stage.send(.press(22, 24), .release(22, 24), .exit())
      #expect(try stage.pixel(22, 24) == theme.accentLabel.pixel)
      #expect(try stage.pixel(16, 24) == theme.accentBackground.pixel)
      view.isOn = false
      #expect(try stage.pixels(Rect(x: 10, y: 10, width: 150, height: 28)) == off)
      view.becomeFirstResponder()
      for symbol in [KeySymbol.space, KeySymbol.return] {
        view.isOn = false
        stage.send(.type(symbol))
        #expect(view.isOn)
      }
      #expect(try stage.pixel(11, 24) == theme.accent.pixel)
    }

    // MARK: Mixed

    @Test("A mixed check box is drawn as a dash, and a press turns it on")
    func mixed() throws {
      let view = Switch("Bold", style: .checkbox)
      let record = view.recordEvents()
      let frame = Rect(x: 10, y: 10, width: 150, height: 28)
      let stage = try UIStage(view, frame)
      let off = try stage.pixels(frame)
      view.isOn = true
      let on = try stage.pixels(frame)
      for isOn in [true, false] {
        view.isOn = isOn
        view.isIndeterminate = true
        let dash = try stage.pixels(frame)
        #expect(dash != on && dash != off && record.take() == [])
        #expect(try stage.pixel(22, 24) == Theme.light.accentLabel.pixel)
        stage.send(.press(20, 20), .release(20, 20), .exit())
        #expect(view.isOn && !view.isIndeterminate && record.take() == ["down", "inside", "value", "primary"])
        #expect(try stage.pixels(frame) == on)
      }
    }
  }
}
