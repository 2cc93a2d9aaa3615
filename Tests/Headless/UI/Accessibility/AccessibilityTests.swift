import FoundationEssentials
import Testing

@testable import ProsceniumCore
@testable import ProsceniumTesting
@testable import ProsceniumUI

extension UISuites {
  /// What a screen reader knows of the views of a window, and does with them.
  @MainActor @Suite("What a screen reader knows") struct AccessibilityTests {
    @MainActor private final class Form {
      let name = TextField("Ada")
      let secret = TextField("hidden word")
      let agree = Switch("Agree", isOn: true, style: .checkbox)
      let sizes = SegmentedControl(["Small", "Large"])
      let volume = Slider(0.25, in: 0...1)
      let count = NumberField(3, in: 0...10)
      let progress = ProgressView(progress: 0.5)
      let choices = PopUpButton(["Red", "Green"])
      let send = Button("Send")
      let text = TextView()
      var log: [String] = []
      let label = Label("Name")

      init() {
        secret.isSecureTextEntry = true
        label.mnemonicTarget = name
        secret.accessibilityLabel = "Password"
        volume.accessibilityLabel = "Volume"
        text.text = "One two\nthree"
        send.toolTip = "Sends the form"
        send.addAction(for: .primaryActionTriggered) { [unowned self] in log.append("sent") }
        agree.addAction(for: .valueChanged) { [unowned self] in log.append("agree \(agree.isOn)") }
        volume.addAction(for: .valueChanged) { [unowned self] in log.append("volume \(volume.value)") }
        name.addAction(for: .editingChanged) { [unowned self] in log.append("name \(name.text)") }
      }

      var all: [View] { [label, name, secret, agree, sizes, volume, count, progress, choices, send, text] }
    }

    private func makeStage() throws -> (UIStage, Form) {
      let form = Form()
      let stage = try UIStage { window in
        window.title = "Form"
        window.frame.size = Size(width: 400, height: 700)
        window.rootView = StackView(.vertical, spacing: 4, form.all)
      }
      stage.settle()
      return (stage, form)
    }

    private func start(_ stage: UIStage) {
      stage.program.machine.startScreenReader()
      stage.settle()
    }

    private func element(_ stage: UIStage, _ role: AccessibilityRole?, _ label: String? = nil) throws
      -> AccessibleElement
    {
      try #require(stage.program.machine.accessibleWindows.lazy.compactMap { $0.first(role, label) }.first)
    }

    @Test("A label without a text beside a view leaves it its own name")
    func emptyLabel() throws {
      let (stage, form) = try makeStage()
      let label = Label("Letter")
      label.mnemonicTarget = form.send
      start(stage)
      #expect(try element(stage, .button).properties.label == "Letter")
      let empty = Label()
      empty.mnemonicTarget = form.send
      stage.settle()
      #expect(try element(stage, .button).properties.label == "Send")
    }

    @Test("Nothing is read before a screen reader is there, nor after it has gone")
    func onRequest() throws {
      final class Counted: View {
        var asked = 0
        override var accessibilityProperties: AccessibilityProperties {
          asked += 1
          return super.accessibilityProperties
        }
      }
      let view = Counted()
      view.accessibilityRole = .image
      let stage = try UIStage { $0.rootView = view }
      stage.settle()
      view.setNeedsDisplay()
      stage.settle()
      let machine = stage.program.machine
      #expect(view.asked == 0 && machine.accessibleWindows.isEmpty && !Accessibility.isRunning)
      start(stage)
      #expect(Accessibility.isRunning && Accessibility.isScreenReaderRunning)
      #expect(view.asked == 1 && machine.accessibleWindows.count == 1)
      // Nothing has changed
      stage.settle()
      #expect(view.asked == 1)
      view.setNeedsDisplay()
      stage.settle()
      let asked = view.asked
      #expect(asked > 1 && machine.accessibility.publications == 1, "what is the same is not shown again")
      machine.stopScreenReader()
      view.setNeedsDisplay()
      stage.settle()
      #expect(view.asked == asked && machine.accessibleWindows.isEmpty && !Accessibility.isRunning)
    }

    @Test("Each control says what it is, how it is called and how it is")
    func controls() throws {
      let (stage, form) = try makeStage()
      form.send.isEnabled = false
      start(stage)
      let window = try #require(stage.program.machine.accessibleWindows.first)
      #expect(
        window.outline == """
          window "Form" active
            staticText "Name"
            textField "Name" focusable editable
            secureTextField "Password" focusable editable
            checkBox "Agree" focusable checkable checked
            group focusable
              radioButton "Small" focusable checkable
              radioButton "Large" focusable checkable
            slider "Volume" focusable horizontal
            stepper focusable editable
            progressIndicator horizontal
            popUpButton focusable expandable hasPopUp
            button "Send" disabled
            textView focusable editable multiLine
          """)
      #expect(try element(stage, .button).properties.hint == "Sends the form")
      #expect(
        try element(stage, .slider).properties.range == AccessibilityRange(value: 0.25, minimum: 0, maximum: 1))
      #expect(try element(stage, .stepper).properties.range?.value == 3)
      #expect(try element(stage, .stepper).properties.text?.string == "3")
      #expect(try element(stage, .progressIndicator).properties.range?.value == 0.5)
      #expect(try element(stage, .popUpButton).properties.text?.string == "Red")
      #expect(try element(stage, .textField).properties.text?.string == "Ada")
      #expect(try element(stage, .textField).frame.size == form.name.frame.size)
      #expect(
        try element(stage, .textField).frame.origin == Point(x: 100, y: 100) + form.name.convert(.zero, to: nil))
    }

    @Test("A secret text is told as dots, wherever it is looked for")
    func secret() throws {
      let (stage, form) = try makeStage()
      start(stage)
      let all = "\(stage.program.machine.accessibleWindows)"
      #expect(!all.contains("hidden"))
      #expect(try element(stage, .secureTextField).properties.text?.string == String(repeating: "•", count: 11))
      stage.program.machine.perform(.selectText(2..<4), on: try element(stage, .secureTextField))
      stage.settle()
      #expect(form.secret.selectedRange == 2..<4)
      form.secret.isSecureTextEntry = false
      stage.settle()
      #expect(try element(stage, .textField, "Password").properties.text?.string == "hidden word")
    }

    @Test("A screen reader presses, moves, writes and gives the keys as its user would")
    func requests() throws {
      let (stage, form) = try makeStage()
      start(stage)
      let machine = stage.program.machine
      machine.perform(.action(0), on: try element(stage, .button))
      machine.perform(.action(0), on: try element(stage, .checkBox))
      machine.perform(.setValue(0.75), on: try element(stage, .slider))
      machine.perform(.setValue(.nan), on: try element(stage, .slider))
      machine.perform(.replaceText(1..<3, with: "my"), on: try element(stage, .textField))
      stage.settle()
      #expect(form.log == ["sent", "agree false", "volume 0.75", "name Amy"])
      #expect(try element(stage, .textField).properties.text == AccessibilityText("Amy", selection: 3..<3))
      #expect(try !(element(stage, .checkBox).properties.states.contains(.checked)))
      machine.perform(.focus, on: try element(stage, .textView))
      machine.perform(.action(0), on: try element(stage, .radioButton, "Large"))
      stage.settle()
      #expect(form.text.isFirstResponder && form.sizes.selectedSegmentIndex == 1)
      #expect(try element(stage, .textView).properties.states.contains(.focused))
      // In scalars, as screen readers count
      form.text.text = "e\u{301}x"
      stage.settle()
      machine.perform(.selectText(2..<3), on: try element(stage, .textView))
      stage.settle()
      #expect(form.text.selectedText == "x")
      #expect(try element(stage, .textView).properties.text?.selection == 2..<3)
      // Lines that the view wraps, after a paragraph of one line
      form.text.text = "é\n" + String(repeating: "willow ", count: 40)
      stage.settle()
      let wrapped = try #require(try element(stage, .textView).properties.text?.wrappedLines)
      #expect(!wrapped.isEmpty && wrapped.allSatisfy { $0 > 2 && $0 < 282 && ($0 - 2) % 7 == 0 }, "\(wrapped)")
      #expect(wrapped == wrapped.sorted())
      form.text.text = "e\u{301}x"
      // Rubbish does nothing
      for request: AccessibilityRequest in [
        .action(-1), .action(7), .setSelected(true), .selectText(-5..<Int.max), .replaceText(0..<0, with: "\0"),
      ] {
        machine.perform(request, on: try element(stage, .button))
        machine.perform(request, on: try element(stage, .textView))
      }
      stage.settle()
      #expect(form.text.text == "e\u{301}x" && form.log.count == 4)
      form.send.isEnabled = false
      stage.settle()
      machine.perform(.action(0), on: try element(stage, .button))
      stage.settle()
      #expect(form.log.count == 4)
    }

    @Test("What is typed into a number field is read, and a screen reader selects and replaces it")
    func numberField() throws {
      let (stage, form) = try makeStage()
      start(stage)
      let machine = stage.program.machine
      func perform(_ request: AccessibilityRequest) throws -> AccessibilityText? {
        machine.perform(request, on: try element(stage, .stepper))
        stage.settle()
        return try element(stage, .stepper).properties.text
      }
      #expect(try perform(.focus)?.string == "3")
      #expect(try perform(.selectText(0..<1))?.selection == 0..<1)
      stage.type("7")
      stage.settle()
      #expect(try element(stage, .stepper).properties.text == AccessibilityText("7", selection: 1..<1))
      #expect(try perform(.replaceText(0..<1, with: "8"))?.string == "8" && form.count.value == 8)
      form.name.becomeFirstResponder()
      #expect(form.count.value == 8)
      // Nobody leaves a field that is not edited.
      #expect(try perform(.replaceText(0..<1, with: "4"))?.string == "4" && form.count.value == 4)
      form.count.isEnabled = false
      stage.settle()
      #expect(try perform(.replaceText(0..<1, with: "5"))?.string == "4" && form.count.value == 4)
    }

    @Test("Of a million rows those in sight are elements, which can be selected and opened")
    func million() throws {
      let list = try ListStage(Numbers(Array(0..<1_000_000)))
      start(list.stage)
      let machine = list.stage.program.machine
      func rows() throws -> [AccessibleElement] { try element(list.stage, .list).elements }
      #expect(try rows().map(\.properties.label) == (0..<10).map(String.init))
      let third = try rows()[2]
      #expect(third.properties.position == .init(index: 2, count: 1_000_000) && third.properties.role == .listItem)
      machine.perform(.setSelected(true), on: third)
      machine.perform(.action(0), on: third)
      list.stage.settle()
      #expect(list.numbers.take() == ["+2", "!2"])
      #expect(try rows().map { $0.properties.states.contains(.selected) }.firstIndex(of: true) == 2)
      machine.perform(.focus, on: third)
      list.stage.settle()
      #expect(try rows()[2].properties.states.contains(.focused))
      #expect(try !(element(list.stage, .list).properties.states.contains(.focused)))
      list.table.scrollToRow(at: IndexPath(row: 999_999, section: 0))
      list.stage.settle()
      #expect(try rows().map(\.properties.label).last == "999999" && rows().count <= 12)
    }

    @Test("A table tells how many rows it has and which are selected, in sight or not, and selects what it is asked to")
    func tables() throws {
      let list = try ListStage(Numbers(Array(0..<1000)))
      list.table.allowsMultipleSelection = true
      start(list.stage)
      let machine = list.stage.program.machine
      func table() throws -> AccessibleElement { try element(list.stage, .list) }
      #expect(try table().properties.table == AccessibilityTable(rowCount: 1000))
      #expect(try table().elements.map(\.properties.cell?.row) == Array(0..<10))
      for (row, isSelected) in [(3, true), (700, true), (701, true), (3, false), (1000, true), (-1, true)] {
        machine.perform(.setRowSelected(row, isSelected), on: try table())
      }
      list.stage.settle()
      #expect(list.selected == [700, 701] && list.numbers.take() == ["+3", "+700", "+701", "-3"])
      #expect(try table().properties.table?.selectedRows == RangeSet(700..<702))
      list.numbers.sections = [[1, 2]]
      list.table.reloadData()
      list.stage.settle()
      #expect(try table().properties.table == AccessibilityTable(rowCount: 2))
    }

    @Test("What changes out of sight is told, whoever changes it")
    func outOfSight() throws {
      let (box, scroll) = (Switch("Agree", style: .checkbox), ScrollView())
      box.frame = Rect(x: 0, y: 2000, width: 100, height: 30)
      scroll.addSubview(box)
      scroll.contentSize = Size(width: 200, height: 3000)
      let stage = try UIStage(scroll, Rect(x: 0, y: 0, width: 200, height: 200))
      start(stage)
      func properties() throws -> AccessibilityProperties {
        stage.settle()
        return try element(stage, .checkBox).properties
      }
      stage.program.machine.perform(.action(0), on: try element(stage, .checkBox))
      #expect(try properties().states.contains(.checked) && box.isOn)
      box.isOn = false
      #expect(try !properties().states.contains(.checked))
      box.isEnabled = false
      #expect(try !properties().states.contains(.enabled))
      box.toolTip = "Needed"
      #expect(try properties().hint == "Needed")
      // Beyond the edge of the window, too.
      box.removeFromSuperview()
      scroll.superview?.addSubview(box)
      #expect(try !properties().states.contains(.enabled))
      box.isEnabled = true
      #expect(try properties().states.contains(.enabled))
    }

    @Test("What is told of a view and is not drawn is told when it is set")
    func notDrawn() throws {
      let (stepper, table) = (Stepper(), TableView())
      let stage = try UIStage(StackView(.vertical, [stepper, table]), Rect(x: 0, y: 0, width: 200, height: 200))
      start(stage)
      stepper.stepValue = 5
      stage.settle()
      #expect(try element(stage, .stepper).properties.range?.step == 5)
      table.allowsMultipleSelection = true
      stage.settle()
      #expect(try element(stage, .list).properties.states.contains(.multiselectable))
    }

    @Test("Of a table a row that is selected out of sight is told, if nothing in sight changes")
    func selectedOutOfSight() throws {
      let list = try ListStage(Numbers(Array(0..<1000)))
      list.table.allowsMultipleSelection = true
      start(list.stage)
      func selected() throws -> RangeSet<Int>? {
        list.stage.settle()
        return try element(list.stage, .list).properties.table?.selectedRows
      }
      list.stage.program.machine.perform(.setRowSelected(700, true), on: try element(list.stage, .list))
      #expect(try selected() == RangeSet(700..<701))
      list.table.selectRow(at: IndexPath(row: 800, section: 0))
      #expect(try selected()?.contains(800) == true)
    }

    @Test("What gets no input is told as disabled with all that is in it, and nothing is done with it")
    func noInput() throws {
      let (stage, form) = try makeStage()
      start(stage)
      let root = try #require(stage.window.rootView)
      root.isUserInteractionEnabled = false
      stage.settle()
      for role: AccessibilityRole in [.button, .checkBox, .textField, .textView, .stepper, .radioButton] {
        let states = try element(stage, role).properties.states
        #expect(states.isDisjoint(with: [.enabled, .focusable, .editable]), "\(role)")
      }
      for (role, request): (AccessibilityRole, AccessibilityRequest) in [
        (.button, .action(0)), (.checkBox, .action(0)), (.radioButton, .action(0)), (.slider, .setValue(0.5)),
        (.textView, .replaceText(0..<1, with: "x")), (.textField, .focus), (.textView, .focus),
      ] { stage.program.machine.perform(request, on: try element(stage, role)) }
      stage.settle()
      #expect(form.log == [] && form.agree.isOn && form.sizes.selectedSegmentIndex != 0 && form.volume.value == 0.25)
      #expect(form.text.text == "One two\nthree" && stage.window.firstResponder == nil)
      root.isUserInteractionEnabled = true
      form.text.isUserInteractionEnabled = false
      stage.settle()
      #expect(try element(stage, .button).properties.states.isSuperset(of: [.enabled, .focusable]))
      #expect(try element(stage, .textView).properties.states.isDisjoint(with: [.enabled, .focusable, .editable]))
      #expect(try element(stage, .staticText).properties.states.contains(.enabled), "a label takes none by itself")
    }

    @Test("The rows of a list box are items of a list that has its name, and are disabled with it")
    func listBox() throws {
      let (before, label, list) = (Button("Before"), Label(), ListBoxView())
      list.accessibilityLabel = "Colors"
      for name in ["Red", "Green"] { list.add(Label(name)) }
      label.textWithMnemonic = "_Pick"
      label.mnemonicTarget = list
      let stage = try UIStage(
        StackView(.vertical, [before, label, list]), Rect(x: 0, y: 0, width: 200, height: 200))
      let record = list.recordEvents()
      start(stage)
      let rows = try element(stage, .list, "Colors").elements
      #expect(rows.map(\.properties.label) == ["Red", "Green"] && rows.allSatisfy { $0.properties.role == .listItem })
      before.becomeFirstResponder()
      stage.press([KeySymbol.tab, KeySymbol.down])
      stage.settle()
      #expect(try element(stage, .listItem, "Red").properties.states.isSuperset(of: [.focused, .selected]))
      #expect(record.take() == ["value"])
      list.accessibilityLabel = nil
      stage.settle()
      #expect(try element(stage, .list, "Pick").elements.count == 2)
      before.becomeFirstResponder()
      stage.send(.type(0x70, "p", .alternate))
      #expect(list.table.isFirstResponder)
      list.isEnabled = false
      stage.settle()
      #expect(stage.window.firstResponder == nil)
      #expect(try !element(stage, .list).properties.states.contains(.enabled))
      let green = try element(stage, .listItem, "Green")
      #expect(green.properties.states.isDisjoint(with: [.enabled, .focusable]))
      before.becomeFirstResponder()
      stage.press([KeySymbol.tab, KeySymbol.down, KeySymbol.return])
      stage.send(.type(0x70, "p", .alternate))
      for request: AccessibilityRequest in [.setSelected(true), .action(0), .focus] {
        stage.program.machine.perform(request, on: green)
      }
      stage.settle()
      #expect(record.take() == [] && list.table.indexPathForSelectedRow?.row == 0 && !list.table.isFirstResponder)
    }

    @Test("The focus of a row selects nothing where the field that is left changes the rows")
    func focusWhileChanged() throws {
      let numbers = Numbers([0, 1, 2])
      let list = try ListStage(numbers)
      list.click(2)
      let field = TextField()
      list.table.superview?.addSubview(field)
      field.addAction(for: .editingDidEnd) {
        numbers.sections[0].removeLast()
        list.table.deleteRows(at: [IndexPath(row: 2, section: 0)])
      }
      field.becomeFirstResponder()
      start(list.stage)
      list.stage.program.machine.perform(.focus, on: try element(list.stage, .listItem, "1"))
      list.stage.settle()
      #expect(list.table.indexPathsForSelectedRows == [] && list.table.core.selection.lead == 1)
      #expect(try element(list.stage, .listItem, "1").properties.states.contains(.focused))
    }

    @Test("The divider of two columns is told of, and is moved by a number")
    func divider() throws {
      let (primary, secondary, button) = (ViewController(), ViewController(), Button("Send"))
      secondary.view.addSubview(button)
      button.frame = Rect(x: 0, y: 0, width: 50, height: 20)
      let split = SplitViewController(primary: primary, secondary: secondary)
      let stage = try UIStage { $0.rootViewController = split }
      start(stage)
      func divider() throws -> AccessibilityProperties {
        stage.settle()
        return try element(stage, .separator).properties
      }
      #expect(try divider().label == "Divider" && divider().states.isSuperset(of: [.focusable, .vertical]))
      button.becomeFirstResponder()
      stage.press([KeySymbol.tab])
      #expect(try divider().states.contains(.focused))
      // 320 points, of which the divider has 7.
      #expect(try divider().range == AccessibilityRange(value: 213, minimum: 100, maximum: 213, step: 10))
      stage.press([KeySymbol.left])
      #expect(try divider().range?.value == 203)
      for (asked, width): (Double, Int) in [(150, 150), (9, 100), (1e300, 213), (.nan, 213)] {
        stage.program.machine.perform(.setValue(asked), on: try element(stage, .separator))
        #expect(try divider().range?.value == Double(width) && split.primaryColumnWidth == width)
      }
    }

    @Test("The tabs of a controller are tabs, one of which is selected, and are chosen")
    func tabs() throws {
      let pages = ["One", "Two"].map { title in
        let page = ViewController()
        page.title = title
        page.view.addSubview(Label("Page \(title)"))
        return page
      }
      let tabs = TabBarController(pages)
      let stage = try UIStage { $0.rootViewController = tabs }
      start(stage)
      #expect(
        try element(stage, .tabList).outline == """
          tabList "Pages" focusable
            tab "One" focusable selectable selected
            tab "Two" focusable selectable
          """)
      stage.program.machine.perform(.focus, on: try element(stage, .tab, "One"))
      stage.settle()
      #expect(try element(stage, .tab, "One").properties.states.contains(.focused))
      stage.program.machine.perform(.setSelected(true), on: try element(stage, .tab, "Two"))
      stage.settle()
      #expect(tabs.selectedIndex == 1)
      #expect(try element(stage, .tab, "Two").properties.states.contains(.selected))
      #expect(try !(element(stage, .tab, "One").properties.states.contains(.selected)))
      let view = View()
      view.accessibilityTraits = .tabBar
      #expect(view.accessibilityProperties.role == .tabList && view.accessibilityTraits == .tabBar)
    }

    @Test("What the program says of a view counts more than what it shows")
    func ownWords() throws {
      final class Dial: View {
        var level = 0
        override func accessibilityIncrement() { level += 1 }
        override func accessibilityDecrement() { level -= 1 }
      }
      let (dial, box, inner) = (Dial(), View(), Button("Inside"))
      dial.accessibilityTraits = .adjustable
      dial.accessibilityLabel = "Level"
      dial.accessibilityValue = "low"
      dial.accessibilityCustomActions = [
        AccessibilityCustomAction(name: "reset") { [unowned dial] in
          dial.level = 9
          return true
        }
      ]
      box.addSubview(inner)
      inner.frame = Rect(x: 0, y: 0, width: 50, height: 20)
      let stage = try UIStage { $0.rootView = StackView(.vertical, spacing: 0, [dial, box]) }
      dial.preferredSize = Size(width: 100, height: 100)
      box.preferredSize = Size(width: 100, height: 100)
      start(stage)
      let slider = try element(stage, .slider, "Level")
      #expect(slider.properties.actions == ["increment", "decrement", "reset"] && slider.properties.value == "low")
      stage.program.machine.perform(.action(0), on: slider)
      stage.settle()
      #expect(dial.level == 1)
      stage.program.machine.perform(.action(2), on: slider)
      stage.settle()
      #expect(try dial.level == 9 && (element(stage, .button).properties.label == "Inside"))
      // An element of its own has none in it
      box.isAccessibilityElement = true
      box.accessibilityLabel = "All"
      stage.settle()
      #expect(try element(stage, .group, "All").elements.isEmpty)
      box.accessibilityElements = [AccessibilityElement(.image, label: "A cat")]
      stage.settle()
      #expect(try element(stage, .group, "All").elements.map(\.properties.label) == ["A cat"])
      box.accessibilityElementsHidden = true
      stage.settle()
      #expect(stage.program.machine.accessibleWindows.first?.first(.group, "All") == nil)
      Accessibility.post(notification: .announcement, argument: "Saved")
      #expect(stage.program.machine.accessibilityAnnouncements == ["Saved"])
    }

    @Test("A window in the background is there, but not showing, and cannot be used")
    func background() throws {
      let (stage, form) = try makeStage()
      start(stage)
      let button = try element(stage, .button)
      #expect(button.properties.states.contains(.showing))
      stage.program.machine.lock()
      stage.settle()
      let hidden = try element(stage, .button)
      #expect(!hidden.properties.states.contains(.showing) && hidden.id == button.id)
      #expect(try !(element(stage, .window).properties.states.contains(.active)))
      stage.program.machine.perform(.action(0), on: hidden)
      stage.settle()
      stage.program.machine.unlock()
      stage.settle()
      #expect(try form.log.isEmpty && (element(stage, .button).properties.states.contains(.showing)))
      stage.window.isHidden = true
      stage.settle()
      #expect(stage.program.machine.accessibleWindows.isEmpty)
    }

    @Test("A menu bar and its open menu are read, chosen from, and go")
    func menus() throws {
      var log: [String] = []
      let bar = MenuBar([
        Menu(
          "File",
          children: [
            MenuItem("Open") { log.append("open") }, MenuItem("Off", attributes: .disabled) {},
            Menu(options: .displayInline, children: [MenuItem("Quit", state: .on) { log.append("quit") }]),
          ]), Menu("Edit", children: [MenuItem("Cut") {}]),
      ])
      let stage = try UIStage { $0.rootView = StackView(.vertical, spacing: 0, [bar, TextView()]) }
      start(stage)
      let machine = stage.program.machine
      #expect(try element(stage, .menuBar).elements.map(\.properties.label) == ["File", "Edit"])
      machine.perform(.action(0), on: try element(stage, .menu, "File"))
      stage.settle()
      let menu = try #require(machine.accessibleWindows.first?.elements.last)
      #expect(
        menu.outline == """
          menu "File" focusable
            menuItem "Open" focusable focused selectable selected
            menuItem "Off" disabled focusable selectable
            separator
            checkMenuItem "Quit" focusable selectable checkable checked
          """)
      #expect(menu.elements.map(\.properties.position?.index) == [0, 1, nil, 2])
      #expect(menu.elements.compactMap(\.properties.position?.count) == [3, 3, 3])
      machine.perform(.action(0), on: menu.elements[1])
      machine.perform(.action(0), on: menu.elements[3])
      stage.settle()
      #expect(log == ["quit"] && machine.accessibleWindows.first?.first(.checkMenuItem) == nil)
    }

    @Test("The keys come to the row of the innermost menu, or to the menu itself while no row has them")
    func openMenus() throws {
      let more = Menu("More", children: [MenuItem("Copy") {}])
      let bar = MenuBar([
        Menu("File", children: [MenuItem("Off", attributes: .disabled) {}]), Menu("Edit", children: [more]),
      ])
      let stage = try UIStage { $0.rootView = StackView(.vertical, spacing: 0, [bar, TextView()]) }
      start(stage)
      func focused() -> [String] {
        var found: [String] = []
        func look(_ element: AccessibleElement) {
          let properties = element.properties
          if properties.states.contains(.focused) { found.append("\(properties.role) \(properties.label)") }
          element.elements.forEach(look)
        }
        stage.program.machine.accessibleWindows.forEach(look)
        return found
      }
      stage.program.machine.perform(.action(0), on: try element(stage, .menu, "File"))
      stage.settle()
      #expect(focused() == ["menu File"])
      MenuSession.current?.end()
      stage.program.machine.perform(.action(0), on: try element(stage, .menu, "Edit"))
      stage.settle()
      #expect(focused() == ["menu More"])
      func press(_ symbol: UInt32) throws {
        let menu = try #require(MenuSession.current?.innermost)
        MenuSession.current?.handle(Key(code: 30, symbol: symbol, characters: "", isDown: true), in: menu)
        stage.settle()
      }
      try press(KeySymbol.right)
      #expect(focused() == ["menuItem Copy"])
      try press(KeySymbol.left)
      #expect(focused() == ["menu More"])
    }

    @Test("Of a date its text is known, the part that keys change, and a number that changes with it")
    func dates() throws {
      let picker = DatePicker(Date(timeIntervalSince1970: 946_684_800))
      let stage = try UIStage { $0.rootView = picker }
      start(stage)
      func date() throws -> AccessibilityProperties { try element(stage, .dateField).properties }
      let text = try date().text
      #expect(text?.string == picker.shownText && text?.selection.isEmpty == true)
      picker.becomeFirstResponder()
      stage.settle()
      let (first, number) = (try date().text?.selection, try date().range?.value)
      #expect(first == 0..<2)
      stage.press([KeySymbol.right])
      stage.settle()
      #expect(try date().text?.selection == 3..<5 && date().range?.value == number)
      stage.press([KeySymbol.up])
      stage.settle()
      #expect(try date().range?.value != number)
    }

    @Test("A date is set by a number, as far as its user could enter it")
    func setDate() throws {
      let first = DateFields(year: 2024, month: 5, day: 9, hour: 8, minute: 30)
      let picker = DatePicker(first.date)
      let record = picker.recordEvents()
      let stage = try UIStage { $0.rootView = picker }
      start(stage)
      func set(_ number: Double) throws -> DateFields {
        stage.program.machine.perform(.setValue(number), on: try element(stage, .dateField))
        stage.settle()
        #expect(try element(stage, .dateField).properties.range?.value == picker.date.timeIntervalSince1970)
        return DateFields(picker.date)
      }
      let next = DateFields(year: 2033, month: 11, day: 22, hour: 1, minute: 2)
      let seconds = next.date.timeIntervalSince1970
      // The time of day is not shown, and stays.
      let expected = DateFields(year: 2033, month: 11, day: 22, hour: 8, minute: 30)
      #expect(try set(seconds) == expected && record.take() == ["value", "primary"])
      #expect(try set(seconds) == expected && record.take() == [])
      // What is being typed, which nobody has been told of, is replaced.
      picker.becomeFirstResponder()
      stage.type("1")
      #expect(try set(seconds) == expected && record.take() == [])
      picker.datePickerMode = .dateAndTime
      #expect(try set(seconds) == next && record.take() == ["value", "primary"])
      picker.maximumDate = first.date
      #expect(try set(seconds) == first && record.take() == [])
      picker.date = next.date.addingTimeInterval(-1e9)
      #expect(try set(seconds) == first && record.take() == ["value", "primary"])
      picker.maximumDate = nil
      #expect(try set(1e300).year == 9999 && set(-1e300).year == 1)
      picker.isEnabled = false
      #expect(try set(seconds).year == 1)
    }

    @Test("The keys go from row to row, also to one that the next frame brings into sight, and not by the list")
    func focusOutOfSight() throws {
      let list = try ListStage(Numbers(Array(0..<100)))
      start(list.stage)
      list.table.becomeFirstResponder()
      list.stage.settle()
      func focused() throws -> [String] {
        let table = try element(list.stage, .list)
        return ([table] + table.elements).filter { $0.properties.states.contains(.focused) }.map {
          $0.properties.role == .list ? "list" : $0.properties.label
        }
      }
      #expect(try focused() == ["list"])
      for (key, row) in [
        (Symbol.down, 0), (Symbol.end, 99), (Symbol.home, 0), (Symbol.pageDown, 9), (Symbol.pageDown, 18),
        (Symbol.pageUp, 9),
      ] {
        list.stage.press([key])
        #expect(try focused() != ["list"], "before the frame")
        list.stage.settle()
        #expect(try focused() == ["\(row)"])
      }
      // Where the row of the keys is scrolled out of sight it is the list that has them, before the frame and after it.
      list.table.contentOffset.y = 2000
      for _ in 0..<3 {
        list.stage.settle()
        #expect(try focused() == ["list"])
        list.table.contentOffset.y += 50
        list.stage.send(.move(5, 5))
        #expect(try focused() == ["list"])
      }
    }

    @Test("The swatches of a colour panel are items of a list, which keys walk")
    func swatches() throws {
      let grid = SwatchGrid()
      grid.accessibilityLabel = "Colors"
      let stage = try UIStage { $0.rootView = grid }
      start(stage)
      grid.becomeFirstResponder()
      stage.settle()
      let list = try element(stage, .list, "Colors")
      #expect(list.elements.count == Swatches.colors.count && list.properties.states.contains(.focused))
      stage.press([KeySymbol.right])
      stage.settle()
      let item = try element(stage, .listItem, ColorCode.text(try #require(grid.selectedColor)))
      #expect(item.properties.states.isSuperset(of: [.focused, .selected]))
      #expect(try !element(stage, .list).properties.states.contains(.focused))
      stage.program.machine.perform(.action(0), on: list.elements[3])
      stage.settle()
      #expect(grid.selectedIndex == 3)
    }

    @Test("Beneath an alert nothing can be used")
    func alert() throws {
      let (stage, form) = try makeStage()
      start(stage)
      let button = try element(stage, .button, "Send")
      let alert = AlertController(title: "Sure?", message: "It is sent.")
      alert.addAction(AlertAction("Yes") { form.log.append("yes") })
      alert.present(above: stage.window)
      stage.settle()
      let dialog = try element(stage, .dialog, "Sure?")
      #expect(dialog.properties.states.isSuperset(of: [.modal, .active]))
      // The heading is not in the title again.
      let title = try #require(stage.window.windowScene?.windows.last?.title)
      #expect(title == ProcessInfo.processInfo.processName)
      stage.program.machine.perform(.action(0), on: button)
      stage.program.machine.perform(.action(0), on: try #require(dialog.first(.button, "Yes")))
      stage.settle()
      #expect(form.log == ["yes"])
    }
  }
}
