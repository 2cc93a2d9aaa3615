import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import TestSupport
import Testing

extension UISuites {
  /// Switches, bars and scales of interface files.
  @MainActor @Suite("Controls of interface files") struct InterfaceControlsTests {
    final class Panel: ViewController {
      var log: [String] = []
      func change(_ sender: Control) { log.append("\(type(of: sender))") }
    }

    private let files = InterfaceTests()

    private func loaded<Kind: View>(_ lines: String, as kind: Kind.Type = Kind.self) throws -> Kind {
      try #require(try files.view(lines) as? Kind)
    }

    @Test("A combo box has its items, and a drop-down those of its list, in it or beside it")
    func popUpButtons() throws {
      let items = "<items><item translatable='yes'>One</item><item>Two</item></items>"
      let combo = try loaded(
        "<object class='GtkComboBoxText'><property name='active'>1</property>\(items)</object>", as: PopUpButton.self)
      #expect(combo.items == ["One", "Two"])
      #expect(combo.selectedIndex == 1)
      #expect(
        try loaded("<object class='GtkComboBoxText'>\(items)</object>", as: PopUpButton.self).selectedIndex == nil)
      let list = "<object class='GtkStringList' id='list'>\(items)</object>"
      for (within, beside) in [(list, ""), ("list", list)] {
        let dropDown = try loaded(
          "<object class='GtkDropDown'><property name='model'>\(within)</property></object>\(beside)",
          as: PopUpButton.self)
        #expect(dropDown.items == ["One", "Two"])
        #expect(dropDown.selectedIndex == 0)
      }
      // Of GTK: no choice.
      let none = try loaded(
        "<object class='GtkDropDown'><property name='model'>\(list)</property><property name='selected'>4294967295</property></object>",
        as: PopUpButton.self)
      #expect(none.selectedItem == nil)
    }

    @Test("A list box shows its rows, and tells of one that is selected or opened", arguments: [true, false])
    func listBox(_ opensByClick: Bool) throws {
      let scroll = try loaded(
        """
        <object class="GtkScrolledWindow"><child><object class="GtkListBox" id="list">
        <property name="selection-mode">browse</property>
        <property name="activate-on-single-click">\(opensByClick)</property>
        <child><object class="GtkLabel"><property name="label">One</property></object></child>
        <child><object class="GtkListBoxRow"><property name="child"><object class="GtkLabel">
        <property name="label">Two</property><property name="height-request">50</property></object></property>
        </object></child></object></child></object>
        """, as: View.self)
      let stage = try UIStage(scroll, Rect(x: 0, y: 0, width: 200, height: 150))
      var found: [Control] = []
      func collect(_ view: View) {
        if let control = view as? Control { found.append(control) }
        for view in view.subviews { collect(view) }
      }
      collect(scroll)
      let list = try #require(found.first)
      let record = list.recordEvents()
      stage.click(50, 40)
      #expect(record.take() == (opensByClick ? ["value", "primary"] : ["value"]))
      stage.click(50, 5)
      #expect(record.take() == (opensByClick ? ["value", "primary"] : ["value"]))
      stage.press([KeySymbol.down])
      #expect(record.take() == ["value"])
      stage.press([KeySymbol.return])
      #expect(record.take() == ["primary"])
      for phase in [Touch.Phase.began, .ended] {
        stage.send(.touch(Touch(identifier: 1, phase: phase, location: Point(x: 50, y: 5))))
      }
      #expect(record.take() == (opensByClick ? ["value", "primary"] : ["value"]))
      // A text that grows makes its row higher.
      var labels: [Label] = []
      func collectLabels(_ view: View) {
        if let label = view as? Label, label.text == "One" { labels.append(label) }
        for view in view.subviews { collectLabels(view) }
      }
      collectLabels(scroll)
      let label = try #require(labels.first)
      let height = label.frame.size.height
      label.font = label.font.withSize(40)
      stage.settle()
      #expect(label.frame.size.height > height + 20)
    }

    @Test("A check button is a box with a title, and a switch has none")
    func switches() throws {
      let check = try loaded(
        """
        <object class="GtkCheckButton"><property name="label">_Sound</property>
        <property name="use-underline">True</property><property name="active">True</property>
        <property name="draw_indicator">True</property><property name="xalign">0</property></object>
        """, as: Switch.self)
      #expect(check.style == .checkbox && check.title == "Sound" && check.isOn)
      let sliding = try loaded(
        "<object class='GtkSwitch'><property name='active'>yes</property><property name='state'>1</property></object>",
        as: Switch.self)
      #expect(sliding.style == .sliding && sliding.title == "" && sliding.isOn)
      let off = try loaded(
        "<object class='GtkSwitch'><property name='sensitive'>False</property></object>", as: Switch.self)
      #expect(!off.isOn && !off.isEnabled)
    }

    @Test(
      "Buttons with a group are radio buttons, of GTK 3 and 4, and the group may name one that comes later or itself",
      arguments: ["GtkCheckButton", "GtkRadioButton"])
    func radioButtons(_ name: String) throws {
      func button(_ id: String, _ group: String, _ isOn: Bool = false) -> String {
        "<child><object class='\(name)' id='\(id)'><property name='group'>\(group)</property>"
          + "<property name='active'>\(isOn)</property></object></child>"
      }
      let box = try loaded(
        "<object class='GtkBox'>" + button("a", "b", true) + button("b", "b") + button("c", "a") + "</object>",
        as: StackView.self)
      let views = try box.subviews.map { try #require($0 as? Switch) }
      #expect(views.allSatisfy { $0.style == .radio } && views.map(\.isOn) == [true, false, false])
      views[2].primaryAction(nil)
      #expect(views.map(\.isOn) == [false, false, true])
      let mixed = try loaded(
        "<object class='\(name)'><property name='inconsistent'>1</property></object>", as: Switch.self)
      #expect(mixed.isIndeterminate && mixed.style == (name == "GtkRadioButton" ? .radio : .checkbox))
    }

    @Test("A progress bar has a fraction")
    func progress() throws {
      let bar = try loaded(
        """
        <object class="GtkProgressBar"><property name="fraction"> 0.25 </property>
        <property name="pulse-step">0.1</property><property name="show-text">True</property>
        <property name="text">A quarter</property></object>
        """, as: ProgressView.self)
      #expect(bar.progress == 0.25 && !bar.isIndeterminate)
    }

    static let adjustment = """
      <property name="lower">-10</property><property name="upper">30</property><property name="value">12.5</property>
      <property name="step-increment">2</property><property name="page-increment">9</property>
      <property name="page-size">10</property></object>
      """

    @Test("A scale has the limits, the value and the step of its adjustment, within it or beside it")
    func scale() throws {
      let inside = try loaded(
        "<object class='GtkScale'><property name='draw-value'>True</property><property name='adjustment'>"
          + "<object class='GtkAdjustment'>" + Self.adjustment + "</property></object>", as: Slider.self)
      let beside = try loaded(
        "<object class='GtkAdjustment' id='other'/><object class='GtkAdjustment' id='a'>" + Self.adjustment
          + "<object class='GtkScale'><property name='adjustment'>a</property></object>", as: Slider.self)
      for view in [inside, beside] {
        #expect(view.minimumValue == -10 && view.maximumValue == 20 && view.value == 12.5 && view.step == 2)
      }
      let none = try loaded("<object class='GtkScale'/>", as: Slider.self)
      #expect(none.maximumValue == 1)
      let gone = try loaded(
        "<object class='GtkScale'><property name='adjustment'>nobody</property></object>", as: Slider.self)
      #expect(gone.maximumValue == 1)
      let reversed = try loaded(
        "<object class='GtkScale'><property name='adjustment'><object class='GtkAdjustment'><property name='lower'>5"
          + "</property><property name='upper'>-5</property></object></property></object>", as: Slider.self)
      #expect(reversed.minimumValue == 5 && reversed.maximumValue == 5 && reversed.value == 5)
    }

    @Test("A spin button has the limits, the value and the step of its adjustment, and its own digits")
    func spinButton() throws {
      let view = try loaded(
        "<object class='GtkSpinButton'><property name='digits'>2</property><property name='wrap'>True</property>"
          + "<property name='adjustment'><object class='GtkAdjustment'>" + Self.adjustment + "</property></object>",
        as: NumberField.self)
      #expect(view.minimumValue == -10 && view.maximumValue == 20 && view.value == 12.5 && view.stepValue == 2)
      #expect(view.fractionDigits == 2 && view.wraps)
      let plain = try loaded(
        "<object class='GtkSpinButton'><property name='value'>7</property></object>", as: NumberField.self)
      #expect(plain.value == 7 && plain.stepValue == 1)
    }

    @Test("A spinner moves where it is spinning, and a link has a URL")
    func spinnerAndLink() throws {
      for (property, isSpinning) in [("spinning", true), ("active", true), ("visible", false)] {
        let view = try loaded(
          "<object class='GtkSpinner'><property name='\(property)'>True</property></object>",
          as: ActivityIndicator.self)
        #expect(view.isAnimating == isSpinning)
      }
      let link = try loaded(
        "<object class='GtkLinkButton'><property name='label'>Help</property>"
          + "<property name='uri'> https://example.org/ </property></object>", as: Link.self)
      #expect(link.title == "Help" && link.url?.absoluteString == "https://example.org/")
    }

    @Test("A colour button has a colour and a title", arguments: ["GtkColorButton", "GtkColorDialogButton"])
    func colorButton(_ name: String) throws {
      for (text, rgb) in [
        ("rgb(26,102,214)", UInt32(0x1A66D6)), (" rgba(255, 0,1, 0.5)", 0xFF0001), ("#abc", 0xAABBCC),
        ("#1A66D6", 0x1A66D6),
      ] {
        let well = try loaded(
          "<object class='\(name)'><property name='rgba'>\(text)</property>"
            + "<property name='title'>Ink</property></object>", as: ColorWell.self)
        #expect(well.selectedColor?.rgb == rgb && well.title == "Ink")
      }
      for text in [
        "", "blue", "rgb(1,2)", "rgb(1,2,256)", "rgb(1,2,nan)", "rgba(1,2,3)", "hsl(1,2,3)", "rgb(1,2,3", "#12",
      ] {
        let error = #expect(throws: InterfaceError.self, "\(text)") {
          try files.load("<object class='\(name)'><property name='rgba'>\(text)</property></object>")
        }
        #expect(error?.reason.contains("rgb(RED,GREEN,BLUE)") == true)
      }
    }

    @Test("Underscores mark mnemonics where the file uses them, and a label's is for the widget that it names")
    func mnemonics() throws {
      let box = try loaded(
        """
        <object class="GtkBox"><child><object class="GtkLabel"><property name="label">_Name</property>
        <property name="use-underline">1</property><property name="mnemonic-widget">name</property></object></child>
        <child><object class="GtkEntry" id="name"/></child>
        <child><object class="GtkButton"><property name="label">_Save__</property>
        <property name="use-underline">1</property></object></child>
        <child><object class="GtkButton"><property name="label">_Save</property></object></child></object>
        """, as: StackView.self)
      let label = try #require(box.subviews[0] as? Label)
      #expect(label.text == "Name" && label.textWithMnemonic == "_Name" && label.mnemonicTarget === box.subviews[1])
      let titles = box.subviews.compactMap { ($0 as? Button)?.titleWithMnemonic }
      #expect(titles == ["_Save__", "__Save"])
    }

    @Test("A scale has an orientation")
    func orientation() throws {
      for (name, axis) in [("vertical", StackView.Axis.vertical), ("horizontal", .horizontal)] {
        let view = try loaded(
          "<object class='GtkScale'><property name='orientation'>\(name)</property></object>", as: Slider.self)
        #expect(view.axis == axis)
      }
    }

    @Test("These properties are all known")
    func warnings() throws {
      let lines = """
        <object class="GtkBox">
        <child><object class="GtkCheckButton"><property name="draw-indicator">True</property></object></child>
        <child><object class="GtkProgressBar"><property name="text">x</property></object></child>
        <child><object class="GtkScale"><property name="adjustment">x</property><property name="digits">2</property>
        <property name="round-digits">2</property><property name="value-pos">left</property></object></child>
        <child><object class="GtkSwitch"><property name="label">x</property></object></child></object>
        """
      #expect(
        try files.load(lines).warnings.map(\.description) == ["7: The property \"label\" of GtkSwitch has no effect."])
    }

    @Test(
      "Their signals call the program when the user changes them",
      arguments: [
        ("GtkSwitch", "state-set"), ("GtkSwitch", "notify::active"), ("GtkCheckButton", "toggled"),
        ("GtkCheckButton", "notify::active"), ("GtkCheckButton", "clicked"), ("GtkScale", "value-changed"),
        ("GtkColorButton", "color-set"), ("GtkRadioButton", "toggled"), ("GtkSpinButton", "value-changed"),
        ("GtkLinkButton", "activate-link"),
      ])
    func signals(name: String, signal: String) throws {
      let text = TemporaryFile(
        "<interface><template class='Panel' parent='GtkBox'><child><object class='\(name)'>"
          + "<signal name='\(signal)' handler='change'/></object></child></template></interface>")
      let panel = InterfaceClass("Panel", Panel.init) { $0.action("change", Panel.change) }
      let controller = try #require(try InterfaceFile(text.path, classes: [panel]).makeViewController() as? Panel)
      let control = try #require(controller.view.subviews.first as? Control)
      if name == "GtkScale" || name == "GtkSpinButton" {
        (control as? Slider)?.value = 0.5
        (control as? NumberField)?.value = 5
        #expect(controller.log == [])
        let key = Key(code: 1, symbol: KeySymbol.up, characters: "", isDown: true)
        let stage = try UIStage { $0.rootViewController = controller }
        control.becomeFirstResponder()
        stage.send(.key(key))
      } else if let view = control as? ColorWell {
        view.selectedColor = Color(rgb: 0)
        #expect(controller.log == [])
        view.sendActions(for: .valueChanged)
      } else if let view = control as? Link {
        view.primaryAction(nil)
      } else if let view = control as? Switch {
        view.isOn = name != "GtkRadioButton"
        #expect(controller.log == [])
        view.primaryAction(nil)
        #expect(view.isOn == (name == "GtkRadioButton"))
      }
      let kinds = [
        "GtkScale": "Slider", "GtkSpinButton": "NumberField", "GtkLinkButton": "Link", "GtkColorButton": "ColorWell",
      ]
      #expect(controller.log == [kinds[name] ?? "Switch"])
    }

    @Test(
      "Values and signals that they cannot have are errors",
      arguments: [
        ("<object class='GtkSwitch'><property name='active'>maybe</property></object>", "True or False"),
        ("<object class='GtkCheckButton'><property name='active'>2</property></object>", "True or False"),
        (
          "<object class='GtkProgressBar'><property name='fraction'>1.5</property></object>", "a number from 0.0 to 1.0"
        ),
        (
          "<object class='GtkProgressBar'><property name='fraction'>nan</property></object>", "a number from 0.0 to 1.0"
        ),
        (
          "<object class='GtkScale'><property name='adjustment'><object class='GtkAdjustment'>"
            + "<property name='upper'>inf</property></object></property></object>", "a finite number"
        ),
        (
          "<object class='GtkCheckButton'><property name='group'>x</property></object>",
          "names \"x\", and the file has no object of this id"
        ),
        (
          "<object class='GtkBox' id='x'><child><object class='GtkCheckButton'><property name='group'>x</property>"
            + "</object></child></object>", "cannot be a StackView"
        ),
        ("<object class='GtkSwitch'><signal name='toggled' handler='x'/></object>", "notify::active, state-set"),
        ("<object class='GtkLinkButton'><property name='uri'></property></object>", "a URL"),
        ("<object class='GtkSpinButton'><property name='digits'>-1</property></object>", "a whole number from 0"),
        ("<object class='GtkProgressBar'><signal name='clicked' handler='x'/></object>", "Its signals are: none"),
        ("<object class='GtkScale'><child><object class='GtkLabel'/></child></object>", "has no children"),
      ])
    func errors(lines: String, reason: String) {
      let error = #expect(throws: InterfaceError.self) { try files.load(lines) }
      #expect(error?.reason.contains(reason) == true, "\(error?.description ?? "none")")
    }
  }
}
