import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import TestSupport
import Testing

extension UISuites {
  /// The views that interface files become, and the errors of those that become none.
  @MainActor @Suite("Views of interface files") struct InterfaceTests {
    final class Controller: ViewController {
      weak var heading: Label?
      var button: Button?
      var log: [String] = []
      override func viewDidLoad() { log.append("load \(heading?.text ?? "none")") }
      func save() { log.append("save") }
      func press(_ sender: Button) { log.append("press \(sender.title)") }
      func choose(_ sender: Badge) { log.append("choose") }
    }

    final class Badge: Control {
      weak var title: Label?
      var taps = 0
      func tap() { taps += 1 }
    }

    /// No view.
    final class Model: Responder {}

    static let classes = [
      InterfaceClass("Controller", Controller.init) {
        $0.outlet("title", \.heading)
        $0.outlet("button", \.button)
        $0.action("save", Controller.save)
        $0.action("press", Controller.press)
        $0.action("choose", Controller.choose)
      },
      InterfaceClass("Plain", ViewController.init),
      InterfaceClass("Badge", Badge.init) { $0.action("tap", Badge.tap) },
      InterfaceClass("Column", { StackView(.vertical) }),
      InterfaceClass("Model", Model.init),
      InterfaceClass("Eager") {
        let controller = ViewController()
        _ = controller.view
        return controller
      },
    ]

    /// Reads a file of these lines, of which the first one is the second line of the file.
    func load(
      _ lines: String, _ change: (inout InterfaceFile) -> Void = { _ in }
    ) throws -> (controller: ViewController, warnings: [InterfaceError]) {
      let text = TemporaryFile("<interface>\n" + lines + "</interface>")
      var file = InterfaceFile(text.path, classes: Self.classes)
      change(&file)
      let loaded = try file.load(try InterfaceDocument(contentsOf: text.path))
      return (try file.makeViewController(), loaded.warnings)
    }

    func view(_ lines: String) throws -> View { try load(lines).controller.view }

    /// The views of a kind in a view, in their order.
    func all<Kind: View>(_ kind: Kind.Type, in view: View) -> [Kind] {
      ((view as? Kind).map { [$0] } ?? []) + view.subviews.flatMap { all(kind, in: $0) }
    }

    static let card = """
      <template class="Controller" parent="GtkBox">
        <property name="orientation">vertical</property>
        <child>
          <object class="GtkLabel" id="title"><property name="label">Hello</property></object>
        </child>
        <child>
          <object class="GtkButton" id="button">
            <property name="label">_Save __it</property><property name="use_underline">True</property>
            <signal name="clicked" handler="save" swapped="no"/>
            <signal name="clicked" handler="press"/>
          </object>
        </child>
      </template>
      """

    @Test("Outlets are set before the view is loaded, and actions reach the controller")
    func connections() throws {
      let controller = try #require(try load(Self.card).controller as? Controller)
      #expect(controller.log == [] && controller.button?.title == "Save _it")
      let box = try #require(controller.view as? StackView)
      #expect(controller.log == ["load Hello"] && box.axis == .vertical && box.spacing == 0)
      #expect(box.subviews.count == 2 && box.subviews[1] === controller.button)
      controller.button?.primaryAction(nil)
      #expect(controller.log == ["load Hello", "save", "press Save _it"])
    }

    @Test("A view does not hold the controller that its signals call")
    func notHeld() throws {
      weak var controller: ViewController?
      let button: Button
      do {
        let loaded = try #require(try load(Self.card).controller as? Controller)
        controller = loaded
        button = try #require(loaded.button)
      }
      #expect(controller == nil)
      button.primaryAction(nil)
    }

    @Test("A press on a real window's button is heard, and the window is as the file says")
    func inWindow() throws {
      let text = TemporaryFile(
        "<interface>"
          + Self.card.replacing(
            "class=\"Controller\" parent=\"GtkBox\"", with: "class=\"Controller\" parent=\"GtkWindow\""
          )
          .replacing(
            "<property name=\"orientation\">vertical</property>",
            with: "<property name='can-focus'>False</property><property name='title'>Card</property>"
              + "<property name='default-width'>300</property><property name='default_height'>200</property>"
              + "<property name='resizable'>False</property><child><object class='GtkBox'>"
          )
          .replacing("</template>", with: "</object></child></template>") + "</interface>")
      let scene = CardScene()
      let configuration = SceneConfiguration(name: "Card") { scene }
      configuration.interfaceFile = InterfaceFile(text.path, classes: Self.classes)
      #expect(TestFonts.isSet)
      let delegate = CardProgram(configuration)
      let program = HeadlessProgram(delegate: { delegate })
      program.launch()
      program.advance(by: 100)
      #expect(!program.trace.contains { $0.kind == "error" }, "\(program.trace.map(\.description))")
      let window = try #require(scene.window)
      let controller = try #require(window.rootViewController as? Controller)
      #expect(controller.log == ["load Hello"] && scene.log == ["connect Card Controller", "load Hello"])
      #expect(window.frame.size == Size(width: 300, height: 200) && window.maximumSize == Size(width: 300, height: 200))
      let button = try #require(controller.button)
      let place = button.convert(Point(x: 5, y: 5), to: nil)
      let id = try #require(window.id)
      for kind in [InputEvent.Kind.press(place.x, place.y), .release(place.x, place.y)] {
        program.platform.send(.input(id, InputEvent(kind, time: 1)))
      }
      program.advance(by: 100)
      #expect(controller.log.suffix(2) == ["save", "press Save _it"])
    }

    /// A view of 120 x 80 points.
    private static let box =
      "<object class='GtkWidget'><property name='width-request'>120</property>"
      + "<property name='height-request'>80</property></object>"

    /// The window of a program whose interface is a window with these parts, around a view and beside other objects.
    private func window(
      _ parts: String, around view: String = Self.box, beside others: String = "", classes: [InterfaceClass] = []
    ) throws -> Window {
      let text = TemporaryFile(
        "<interface><object class='GtkWindow'>\(parts)<child>\(view)</child></object>\(others)</interface>")
      let scene = CardScene()
      let configuration = SceneConfiguration(name: "Card") { scene }
      configuration.launchSize = Size(width: 640, height: 480)
      configuration.interfaceFile = InterfaceFile(text.path, classes: classes)
      let delegate = CardProgram(configuration)
      let program = HeadlessProgram(delegate: { delegate })
      program.launch()
      program.advance(by: 100)
      #expect(!program.trace.contains { $0.kind == "error" }, "\(program.trace.map(\.description))")
      return try #require(scene.window)
    }

    @Test("A window has what is said of its size; of what is not said, the size of its content")
    func windowSizes() throws {
      func property(_ name: String, _ value: String) -> String { "<property name='\(name)'>\(value)</property>" }
      let free = try window("")
      #expect(free.frame.size == Size(width: 640, height: 480) && free.maximumSize == nil)
      #expect(try window(property("default-width", "300")).frame.size == Size(width: 300, height: 80))
      #expect(try window(property("default-height", "300")).frame.size == Size(width: 120, height: 300))
      let fixed = try window(property("resizable", "False"))
      #expect(fixed.frame.size == Size(width: 120, height: 80) && fixed.maximumSize == Size(width: 120, height: 80))
      #expect(fixed.minimumSize == fixed.maximumSize)
      let requested = try window(
        property("width-request", "200") + property("default-width", "150") + property("default-height", "90"))
      #expect(requested.frame.size == Size(width: 200, height: 90) && requested.maximumSize == nil)
      #expect(requested.minimumSize?.width == 200)
      let both = try window(
        property("width-request", "200") + property("height-request", "100") + property("resizable", "False"))
      #expect(both.frame.size == Size(width: 200, height: 100) && both.maximumSize == Size(width: 200, height: 100))
    }

    /// A view that is larger when its outlet is set.
    final class Poster: View {
      var picture: View?
      override func sizeThatFits(_ size: Size) -> Size {
        picture == nil ? Size(width: 30, height: 20) : Size(width: 210, height: 90)
      }
    }

    @Test("The size of a window's content is that of its views when their outlets are set")
    func windowSizeAfterOutlets() throws {
      let poster = InterfaceClass("Poster", Poster.init) { $0.outlet("picture", \.picture) }
      let window = try window(
        "<property name='resizable'>False</property>", around: "<object class='Poster'/>",
        beside: "<object class='GtkWidget' id='picture'/>", classes: [poster])
      #expect(window.frame.size == Size(width: 210, height: 90) && window.maximumSize == Size(width: 210, height: 90))
    }

    final class CardScene: Responder, WindowSceneDelegate {
      var window: Window?
      var log: [String] = []
      func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
        let controller = window?.rootViewController as? Controller
        log =
          ["connect \(window?.title ?? "none") \(controller.map { "\(type(of: $0))" } ?? "none")"]
          + (controller?.log ?? [])
      }
    }

    final class CardProgram: Responder, ApplicationDelegate {
      let manifest: ApplicationManifest
      init(_ configuration: SceneConfiguration) {
        manifest = ApplicationManifest(sceneConfigurations: [configuration])
      }
    }

    // MARK: What files say

    @Test(
      "A window's file as Glade writes it: helpers, a window with an empty place for its title bar, and dialogs' parts")
    func glade() throws {
      let loaded = try load(
        """
        <requires lib="gtk+" version="3.24"/>
        <object class="GtkAccelGroup" id="keys"/>
        <object class="GtkListStore" id="list"><columns><column type="gchararray"/></columns></object>
        <object class="GtkEntryCompletion" id="completion"><property name="model">list</property></object>
        <object class="GtkImage" id="picture"><property name="visible">True</property></object>
        <object class="GtkLabel" id="other"><property name="label">Other</property></object>
        <object class="GtkWindow" id="window"><child type="titlebar"><placeholder/></child>
        <child internal-child="accessible"><object class="AtkObject" id="a"/></child><child>
        <object class="GtkButton"><property name="label">Go</property><property name="image">picture</property></object>
        </child></object>
        """)
      #expect((loaded.controller.view as? Button)?.title == "Go")
      #expect(loaded.warnings.map(\.line) == [10])
    }

    @Test("The interface is the template, else the first window, else the first view, wherever it is in the file")
    func interface() throws {
      let (label, box) = ("<object class='GtkLabel'/>", "<object class='GtkBox'/>")
      let window = "<object class='GtkWindow'><child><object class='GtkButton'/></child></object>"
      let template = """
        <template class="Controller" parent="GtkBox"><child><object class="GtkLabel" id="title"/></child>
        <child><object class="Badge"/></child>
        <child><object class="GtkButton" id="button"><signal name="clicked" handler="save"/></object></child></template>
        """
      #expect(try view(label + box) is Label)
      #expect(try view(label + window) is Button)
      #expect(try view("<object class='GtkImage' id='a'/>" + label) is ImageView)
      let button = "<object class='GtkButton'><property name='image'>a</property></object>"
      #expect(try view("<object class='GtkImage' id='a'/>" + button) is Button)
      // The actions of the template are called, whatever of the program's classes comes before it
      let controller = try load("<object class='Badge'/>" + template).controller
      all(Button.self, in: controller.view).first?.primaryAction(nil)
      #expect((controller as? Controller)?.log.last == "save")
    }

    @Test("Names and descriptions for assistive programs are read, as Glade and Cambalache write them")
    func accessibility() throws {
      let old = try view(
        """
        <object class="GtkBox"><child><object class="GtkButton"><child internal-child="accessible">
        <object class="AtkObject" id="b"><property name="AtkObject::accessible-name" translatable="yes">Delete</property>
        <property name="AtkObject::accessible-description">The whole note</property></object></child></object></child>
        <child><object class="GtkMenuBar"><child internal-child="accessible"><object class="AtkObject">
        <property name="accessible-name">Bar</property></object></child></object></child></object>
        """)
      let button = try #require(all(Button.self, in: old).first)
      #expect(button.accessibilityLabel == "Delete" && button.accessibilityHint == "The whole note")
      #expect(all(MenuBar.self, in: old).first?.accessibilityLabel == "Bar")
      let new = try load(
        """
        <object class="GtkButton"><accessibility><property name="label" translatable="yes">Delete</property>
        <property name="description">The whole note</property><relation name="labelled-by">x</relation></accessibility></object>
        """
      ) { $0.translate = { text, _ in "<\(text)>" } }
      #expect(new.controller.view.accessibilityLabel == "<Delete>")
      #expect(new.controller.view.accessibilityHint == "The whole note" && new.warnings.isEmpty)
    }

    @Test("A choice may be named by its id, and a calendar is a date")
    func choices() throws {
      func box(_ id: String) throws -> PopUpButton? {
        try view(
          """
          <object class="GtkComboBoxText"><property name="active-id">\(id)</property>
          <items><item id="one">First</item><item id="two">Second</item></items></object>
          """) as? PopUpButton
      }
      #expect(try box("two")?.selectedIndex == 1 && box("none")?.selectedIndex == nil)
      let loaded = try load(
        """
        <object class="GtkCalendar"><property name="day">29</property><property name="month">1</property>
        <property name="year">2024</property><property name="show-heading">True</property></object>
        """)
      let picker = try #require(loaded.controller.view as? DatePicker)
      let parts = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: picker.date)
      #expect(parts.year == 2024 && parts.month == 2 && parts.day == 29 && picker.datePickerMode == .date)
      #expect(loaded.warnings.isEmpty)
    }

    @Test("Properties of GTK 3 and GTK 4 are those of the views")
    func properties() throws {
      let label = try #require(
        try view(
          """
          <object class="GtkLabel"><property name="label"> a b </property><property name="wrap">yes</property>
          <property name="xalign">1.0</property><property name="visible">False</property><property name="opacity">0.5</property>
          <attributes><attribute name="weight" value="bold"/><attribute name="scale" value="2"/></attributes></object>
          """) as? Label)
      #expect(label.text == " a b " && label.numberOfLines == 0 && label.alignment == .right && label.isHidden)
      #expect(label.alpha == 0.5 && label.font.weight == .bold && label.font.size == Font.system.size * 2)
      let button = try #require(
        try view(
          """
          <object class="GtkButton"><property name="sensitive">0</property><property name="label">go_on</property>
          <style><class name="suggested-action"/><class name="other"/></style></object>
          """) as? Button)
      #expect(!button.isEnabled && button.style == .filled && button.title == "go_on")
      // The line endings of a text that is not wrapped stay.
      let lines = try all(
        Label.self,
        in: view(
          """
          <object class="GtkBox"><child><object class="GtkLabel"><property name="label">one</property></object></child>
          <child><object class="GtkLabel"><property name="label">one
          two</property></object></child>
          <child><object class="GtkLabel"><property name="label">one
          two</property><property name="wrap">False</property></object></child></object>
          """)
      ).map { $0.sizeThatFits(Size(width: 20, height: 100)).height }
      let titles = try all(
        Button.self,
        in: view(
          """
          <object class="GtkBox"><child><object class="GtkButton"><property name="label">one</property></object></child>
          <child><object class="GtkButton"><property name="label">one
          two</property></object></child></object>
          """)
      ).map { $0.sizeThatFits(Size(width: 200, height: 100)).height }
      #expect(titles.count == 2 && titles[1] > titles[0] + lines[0] / 2)
      #expect(lines.count == 3 && lines[1] > lines[0] * 3 / 2 && lines[1] < lines[0] * 3 && lines[2] == lines[1])
      let texts = try view(
        """
        <object class="GtkTextBuffer" id="b"><property name="text">one
        two</property></object>
        <object class="GtkBox"><child><object class="GtkTextView"><property name="buffer">b</property>
        <property name="editable">False</property><property name="left-margin">20</property></object></child>
        <child><object class="GtkTextView"><property name="buffer"><object class="GtkTextBuffer">
        <property name="text">three</property></object></property></object></child></object>
        """)
      let views = all(TextView.self, in: texts)
      #expect(views.map(\.text) == ["one\ntwo", "three"] && !views[0].isEditable && views[0].textInset.width == 20)
    }

    @Test(
      "Every weight that Pango has is the nearest one of fonts here",
      arguments: [
        ("thin", Font.Weight.light), ("ultralight", .light), ("light", .light), ("semilight", .light),
        ("book", .regular), ("normal", .regular), ("medium", .medium), ("semibold", .semibold), ("bold", .bold),
        ("ultrabold", .bold), ("heavy", .bold), ("ultraheavy", .bold), ("100", .light), ("380", .regular),
        (" 540 ", .medium), ("700", .bold), ("1000", .bold),
      ])
    func weights(text: String, weight: Font.Weight) throws {
      let label = try view(
        "<object class='GtkLabel'><attributes><attribute name='weight' value='\(text)'/></attributes></object>")
      #expect((label as? Label)?.font.weight == weight)
    }

    @Test("A signal may name any object of the file, also a window or one without a view")
    func namedObjects() throws {
      for id in ["title", "button", "help", "menu", "Controller", "top"] {
        let controller = try load(
          """
          <object class="GtkAdjustment" id="help"/><menu id="menu"/>
          <template class="Controller" parent="GtkWindow" id="top"><child><object class="GtkBox">
          <child><object class="GtkLabel" id="title"/></child>
          <child><object class="GtkButton" id="button"><signal name="clicked" handler="save" object="\(id)"/></object></child>
          </object></child></template>
          """
        ).controller
        all(Button.self, in: controller.view).first?.primaryAction(nil)
        #expect((controller as? Controller)?.log.last == "save", "\(id)")
      }
    }

    @Test("A picture is read from the folder of the file")
    func picture() throws {
      let picture = TemporaryFile(Self.png)
      let name = picture.path.split(separator: "/").last ?? ""
      let image = try #require(
        try view("<object class='GtkImage'><property name='pixbuf'>\(name)</property></object>") as? ImageView)
      #expect(image.image?.size == Size(width: 1, height: 1))
    }

    /// A PNG of one pixel.
    static let png: [UInt8] = [
      137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 31, 21,
      196, 137, 0, 0, 0, 13, 73, 68, 65, 84, 120, 156, 99, 248, 207, 192, 240, 31, 0, 5, 0, 1, 255, 137, 153, 61, 29,
      0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130,
    ]

    @Test("Boxes place their children as GTK does, by packing or by what the children ask for")
    func boxes() throws {
      func box(_ name: String, _ properties: String, _ packing: String) -> String {
        """
        <child><object class="\(name)"><property name="width-request">30</property>
        <property name="height-request">10</property>\(properties)</object><packing>\(packing)</packing></child>
        """
      }
      func property(_ name: String, _ value: String) -> String { "<property name=\"\(name)\">\(value)</property>" }
      func frames(_ children: String) throws -> [Rect] {
        let box = try view("<object class='GtkBox'><property name='spacing'>4</property>\(children)</object>")
        box.frame = Rect(x: 0, y: 0, width: 200, height: 50)
        box.layoutIfNeeded()
        return box.subviews.filter { !($0 is Spacer) }.map(\.frame)
      }
      let widget = "GtkWidget"
      // Without expansion: one after the other, as high as the box
      #expect(
        try frames(box(widget, "", "") + box(widget, property("valign", "center"), property("padding", "3"))) == [
          Rect(x: 0, y: 0, width: 30, height: 50), Rect(x: 37, y: 20, width: 30, height: 10),
        ])
      // The room that is left, filled or not, and margins
      #expect(
        try frames(
          box(widget, property("margin", "5"), property("expand", "True"))
            + box(widget, "", property("expand", "True") + property("fill", "False"))) == [
            Rect(x: 5, y: 5, width: 93, height: 40), Rect(x: 138, y: 0, width: 30, height: 50),
          ])
      // At the end, and by position
      #expect(
        try frames(
          box(widget, "", property("position", "1")) + box(widget, "", property("position", "0"))
            + box(widget, property("height-request", "20"), property("pack_type", "end"))
        ).last == Rect(x: 170, y: 0, width: 30, height: 50))
      // A child that asks for room makes the box that has it ask for room, as in GTK 4
      let inner =
        "<object class='GtkBox'><child><object class='GtkWidget'><property name='hexpand'>True</property></object></child></object>"
      #expect(try frames("<child>\(inner)</child>").map(\.size.width) == [200])
    }

    @Test("Boxes and grids of interface files align by the baseline", arguments: ["GtkBox", "GtkGrid"])
    func files(container: String) throws {
      func label(_ column: Int, _ attributes: String) -> String {
        """
        <child><object class="GtkLabel"><property name="label">H</property><property name="valign">baseline</property>
        \(attributes)<layout><property name="column">\(column)</property></layout></object></child>
        """
      }
      let file =
        "<object class='\(container)'>" + label(0, "")
        + label(1, "<attributes><attribute name='scale' value='2'/></attributes>") + "</object>"
      let root = try view(file)
      let size = root.sizeThatFits(Size(width: 200, height: 200))
      root.frame = Rect(x: 0, y: 0, width: size.width, height: size.height)
      root.layoutIfNeeded()
      let lines = all(Label.self, in: root).map { $0.frame.origin.y + TextLayout("H", font: $0.font).baseline }
      #expect(lines.count == 2 && lines[0] == lines[1] && root.subviews[0].frame.origin.y > 0)
    }

    @Test("Grids place their children by rows and columns, as GTK 3 or GTK 4 writes them")
    func grids() throws {
      func cell(_ packing: String, _ layout: String, _ properties: String = "") -> String {
        """
        <child><object class="GtkWidget"><property name="width-request">20</property>
        <property name="height-request">10</property>\(properties)<layout>\(layout)</layout></object>
        <packing>\(packing)</packing></child>
        """
      }
      func property(_ name: String, _ value: Int) -> String { "<property name=\"\(name)\">\(value)</property>" }
      let grid = try view(
        "<object class='GtkGrid'><property name='column-spacing'>5</property><property name='row-spacing'>3</property>"
          + cell(property("left-attach", 0) + property("top-attach", 0), "")
          + cell("", property("column", 1) + property("row", 0), "<property name='hexpand'>True</property>")
          + cell(property("top-attach", 1) + property("width", 2), "", "<property name='valign'>end</property>")
          + "</object>")
      #expect(grid.sizeThatFits(Size(width: 500, height: 500)) == Size(width: 45, height: 23))
      grid.frame = Rect(x: 0, y: 0, width: 100, height: 40)
      grid.layoutIfNeeded()
      #expect(
        grid.subviews.map(\.frame) == [
          Rect(x: 0, y: 0, width: 20, height: 10), Rect(x: 25, y: 0, width: 75, height: 10),
          Rect(x: 0, y: 13, width: 100, height: 10),
        ])
      // Without its second child its column is empty; with too little room the last ones get less
      grid.subviews[1].isHidden = true
      grid.frame = Rect(x: 0, y: 0, width: 10, height: 15)
      grid.layoutIfNeeded()
      #expect(grid.subviews[0].frame == Rect(x: 0, y: 0, width: 5, height: 10))
      #expect(grid.subviews[2].frame == Rect(x: 0, y: 13, width: 10, height: 2))
      let equal = try view(
        "<object class='GtkGrid'><property name='column-homogeneous'>True</property>"
          + cell("", property("column", 0)) + cell("", property("column", 999)) + "</object>")
      equal.frame = Rect(x: 0, y: 0, width: 20_000, height: 40)
      equal.layoutIfNeeded()
      #expect(equal.subviews.map(\.frame.origin.x) == [0, 19_980])
    }

    @Test("Keys go through a grid by its rows and columns, in whatever order the file has them")
    func gridOrder() throws {
      func entry(_ column: Int, _ row: Int) -> String {
        """
        <child><object class="GtkEntry"><property name="placeholder-text">\(row) \(column)</property></object>
        <packing><property name="left-attach">\(column)</property><property name="top-attach">\(row)</property></packing>
        </child>
        """
      }
      let places = [(0, 0), (1, 2), (0, 2), (1, 0), (0, 1)]
      let root = try view("<object class='GtkGrid'>" + places.map(entry).joined() + "</object>")
      let stage = try UIStage { $0.rootView = root }
      stage.settle()
      let order = places.map { _ -> String? in
        stage.press([KeySymbol.tab])
        return (stage.window.firstResponder as? TextField)?.placeholder
      }
      #expect(order == ["0 0", "0 1", "1 0", "2 0", "2 1"])
      let corners = all(TextField.self, in: root).map { $0.convert(Point(x: 0, y: 0), to: nil) }
      #expect(corners[0].x == corners[3].x && corners[0].y == corners[1].y && corners[2].y < corners[3].y)
    }

    @Test("The margins of the outermost view are room within the window")
    func outerMargins() throws {
      let outer = try view("<object class='GtkLabel'><property name='margin-start'>9</property></object>")
      outer.frame = Rect(x: 0, y: 0, width: 100, height: 50)
      outer.layoutIfNeeded()
      #expect(outer.subviews.map(\.frame) == [Rect(x: 9, y: 0, width: 91, height: 50)])
    }

    @Test("A scrolled window has one child, which is as wide as it is, and a text scrolls by itself")
    func scrolling() throws {
      func scroll(_ child: String) throws -> ScrollView {
        let view = try #require(
          try view("<object class='GtkScrolledWindow'><child>\(child)</child></object>") as? ScrollView)
        view.frame = Rect(x: 0, y: 0, width: 100, height: 50)
        view.layoutIfNeeded()
        return view
      }
      let high = try scroll(
        "<object class='GtkViewport'><child><object class='GtkWidget'><property name='height-request'>300</property></object></child></object>"
      )
      #expect(high.contentSize == Size(width: 100, height: 300))
      let text = try scroll("<object class='GtkTextView'/>")
      #expect(text.contentSize == Size(width: 100, height: 50))
    }

    @Test("Classes of the program are views anywhere, and templates")
    func ownClasses() throws {
      let badge = try #require(
        try view(
          """
          <template class="Badge" parent="GtkWidget"><property name="sensitive">False</property>
          <signal name="clicked" handler="tap"/></template>
          """) as? Badge)
      badge.primaryAction(nil)
      #expect(!badge.isEnabled && badge.taps == 1)
      let column = try view(
        """
        <object class="Column"><child><object class="Badge" id="one"><signal name="clicked" handler="tap" object="one"/></object>
        </child><child><object class="GtkButton"><signal name="clicked" handler="tap" object="one"/></object></child></object>
        """)
      all(Badge.self, in: column)[0].primaryAction(nil)
      all(Button.self, in: column)[0].primaryAction(nil)
      #expect(all(Badge.self, in: column)[0].taps == 2)
    }

    @Test("Texts that are marked so are translated, with their context, and others are kept")
    func translation() throws {
      let lines = """
        <object class="GtkBox"><child><object class="GtkLabel"><property name="label" translatable="yes" context="c">Yes</property>
        </object></child><child><object class="GtkLabel"><property name="label" translatable="no">Yes</property></object></child></object>
        """
      let loaded = try load(lines) { $0.translate = { text, context in text == "Yes" ? "Ja \(context ?? "")" : text } }
      #expect(all(Label.self, in: loaded.controller.view).map(\.text) == ["Ja c", "Yes"])
      #expect(all(Label.self, in: try view(lines)).map(\.text) == ["Yes", "Yes"])
    }

    @Test("A widget has its tooltip")
    func toolTip() throws {
      let text = "<object class='GtkBox'><property name='tooltip-text'>Why</property></object>"
      #expect(try view(text).toolTip == "Why")
    }

    @Test("What has no effect is said once, with its line, and what GTK alone needs is not")
    func warnings() throws {
      let warnings = try load(
        """
        <requires lib="gtk" version="4.0"/>
        <object class="GtkBox">
        <property name="can-focus">False</property><property name="tooltip_text">x</property>
        <property name="valign-x">1</property>
        <child><placeholder/></child>
        <child><object class="GtkButton"><property name="image">x</property>
        <property name="image">x</property><layout><property name='row'>1</property></layout></object></child>
        </object>
        <menu id="m"/>
        """
      ).warnings
      #expect(
        warnings.map(\.description) == [
          "5: The property \"valign-x\" of GtkBox has no effect.",
          "7: The property \"image\" of GtkButton has no effect.", "8: The packing \"row\" has no effect.",
          "10: <menu> has no effect.",
        ])
    }

    // MARK: Errors

    @Test(
      "A file that cannot be meant is an error with its line",
      arguments: [
        ("", 1, "no object that could be shown"),
        (
          "<object class='GtkTreeView'/>", 2,
          "There is no view for the class \"GtkTreeView\". There are views for GtkApplicationWindow, GtkBox"
        ),
        ("<object/>", 2, "has no attribute \"class\""),
        ("<template class='Nobody' parent='GtkBox'/>", 2, "has no class \"Nobody\""),
        ("<template class='Model' parent='GtkBox'/>", 2, "neither a ViewController nor a View"),
        ("<template class='Plain' parent='GtkTree'/>", 2, "no view for the class \"GtkTree\""),
        ("<template class='Badge' parent='GtkBox'/>", 2, "A Badge cannot be a GtkBox"),
        ("<template class='Badge' parent='GtkWindow'/>", 2, "is a ViewController; this one is a View"),
        ("<template class='Eager' parent='GtkBox'/>", 2, "uses its view"),
        ("<template class='Plain' parent='GtkBox'/>\n<template class='Plain' parent='GtkBox'/>", 3, "second template"),
        ("<object class='GtkCalendar'><property name='month'>12</property></object>", 2, "from 0 to 11"),
        ("<object class='Plain'/>", 2, "is no View"),
        ("<template class='Controller' parent='GtkBox'/>", 2, "has the outlet \"title\", and the file has no object"),
        (
          "<template class='Controller' parent='GtkBox'>\n<child><object class='GtkButton' id='title'/></child></template>",
          3, "is a Label, and this object is a Button"
        ),
        ("<object class='GtkBox' id='a'>\n<child><object class='GtkBox' id='a'/></child></object>", 3, "in line 2"),
        ("<object class='GtkBox'><property name='spacing'>\nmany</property></object>", 2, "a whole number from 0"),
        (
          "<object class='GtkBox'><property name='spacing'>99999999999999999999</property></object>", 2,
          "cannot be used"
        ),
        ("<object class='GtkLabel'><property name='opacity'>nan</property></object>", 2, "a number from 0.0 to 1.0"),
        ("<object class='GtkBox'><property name='orientation'>up</property></object>", 2, "horizontal, vertical"),
        ("<object class='GtkLabel'><property name='hexpand'>maybe</property></object>", 2, "True or False"),
        ("<object class='GtkWindow'><property name='default-width'>-7</property></object>", 2, "cannot be used"),
        ("<object class='GtkWindow'>\n<signal name='delete-event' handler='x'/></object>", 3, "no signals"),
        ("<object class='GtkLabel'><child>\n<object class='GtkLabel'/></child></object>", 2, "has no children"),
        (
          "<object class='GtkGrid'><child><object class='GtkLabel'/><packing>\n<property name='width'>0</property></packing>"
            + "</child></object>", 3, "The value \"0\" of \"width\" cannot be used"
        ),
        (
          "<object class='GtkGrid'><child><object class='GtkLabel'><layout><property name='row'>9999</property></layout>"
            + "</object></child></object>", 2, "of \"row\" cannot be used"
        ),
        ("<object class='GtkBox'><child type='label'/></object>", 2, "no place for a child of the type \"label\""),
        (
          "<object class='GtkViewport'><child><object class='GtkBox'/></child>\n<child><object class='GtkBox'/></child></object>",
          3, "one child only"
        ),
        ("<object class='GtkLabel'><signal name='clicked' handler='x'/></object>", 2, "no signal \"clicked\" here"),
        ("<object class='GtkButton'><signal name='pressed' handler='x'/></object>", 2, "Its signals are: clicked"),
        ("<object class='GtkButton'><signal name='clicked'/></object>", 2, "has no attribute \"handler\""),
        ("<object class='GtkButton'><signal name='clicked' handler='x'/></object>", 2, "the file has no template"),
        (
          "<template class='Plain' parent='GtkButton'>\n<signal name='clicked' handler='go'/></template>", 3,
          "Plain has no action \"go\"; it has: none"
        ),
        (
          "<template class='Controller' parent='GtkBox'><child><object class='GtkLabel' id='title'/></child>\n<child>"
            + "<object class='GtkButton' id='button'><signal name='clicked' handler='choose'/></object></child></template>",
          3, "is for a Badge, and this object is a Button"
        ),
        (
          "<template class='Plain' parent='GtkButton'>\n<signal name='clicked' handler='go' object='nobody'/></template>",
          3, "names the object \"nobody\", and the file has no object of this id"
        ),
        ("<object class='GtkWindow'/>\n<object class='GtkWindow'/>", 3, "A window has to be the interface itself"),
        (
          "<object class='GtkBox'><child>\n<object class='GtkApplicationWindow'/></child></object>", 3,
          "this GtkApplicationWindow is another object"
        ),
        (
          "<object class='GtkLabel'><attributes><attribute name='weight' value='99'/></attributes></object>", 2,
          "thin, ultralight"
        ),
        ("<object class='GtkImage'><property name='file'>nothing.png</property></object>", 2, "cannot be shown"),
        ("<object class='GtkImage'><property name='file'>/etc/passwd</property></object>", 2, "This is no PNG"),
      ])
    func errors(lines: String, line: Int, reason: String) {
      let error = #expect(throws: InterfaceError.self) { try load(lines) }
      #expect(error?.line == line && error?.reason.contains(reason) == true, "\(error?.description ?? "none")")
    }

    @Test("A file of another kind is an error")
    func otherRoot() throws {
      let text = TemporaryFile("<glade-interface/>")
      let error = #expect(throws: InterfaceError.self) { try InterfaceFile(text.path).makeViewController() }
      #expect(error?.description == text.path + ":1: The root is <glade-interface>, and not GtkBuilder's <interface>.")
    }

    @Test("Random files of known and unknown parts are an interface or an error, and can be laid out and drawn")
    func fuzz() throws {
      var random = SeededNumbers(testSeed())
      let names = [
        "interface", "object", "template", "child", "property", "signal", "packing", "style", "class", "attributes",
        "attribute", "placeholder", "menu", "requires",
      ]
      let values = [
        "GtkBox", "GtkLabel", "GtkButton", "GtkScrolledWindow", "GtkViewport", "GtkTextView", "GtkWindow", "GtkImage",
        "GtkGrid", "GtkEntry", "Controller", "Badge", "Column", "spacing", "label", "margin", "orientation",
        "expand",
        "clicked", "save", "32767", "-1", "True", "vertical", "title", "é\u{301}", "",
        String(repeating: "x", count: 3000),
      ]
      let keys = ["class", "parent", "id", "name", "handler", "object", "type", "value", "translatable"]
      func element(_ depth: Int) -> String {
        let name = names.randomElement(using: &random) ?? ""
        var text = "<" + name
        for key in keys where Int.random(in: 0..<3, using: &random) == 0 {
          text += " \(key)=\"\(values.randomElement(using: &random) ?? "")\""
        }
        text += ">" + (Bool.random(using: &random) ? values.randomElement(using: &random) ?? "" : "")
        if depth < 6 { for _ in 0..<Int.random(in: 0...3, using: &random) { text += element(depth + 1) } }
        return text + "</\(name)>"
      }
      func known(_ depth: Int) -> String {
        let name = values[Int.random(in: 0..<9, using: &random)]
        let property = values[Int.random(in: 13..<18, using: &random)]
        let inner = depth < 5 ? (0..<Int.random(in: 0...3, using: &random)).map { _ in known(depth + 1) }.joined() : ""
        let value = ["1", "True", "vertical", "40"].randomElement(using: &random) ?? ""
        let part = Int.random(in: 0..<4, using: &random) == 0 ? "<property name='\(property)'>\(value)</property>" : ""
        return "<child><object class='\(name)'>\(part)\(inner)</object></child>"
      }
      var shown = 0
      for round in 0..<1500 {
        let lines =
          round.isMultiple(of: 2) ? element(0) : "<object class='GtkBox'>" + known(0) + known(0) + "</object>"
        do {
          let view = try load(lines).controller.view
          view.frame = Rect(x: 0, y: 0, width: 200, height: 100)
          view.layoutIfNeeded()
          shown += 1
        } catch let error as InterfaceError {
          #expect(error.line ?? 0 >= 1 && !error.reason.isEmpty && error.reason.utf8.count < 2000)
        }
      }
      #expect(shown > 20)
    }

    @Test("The deepest file that is read can be made and laid out, and the richest one too")
    func extremes() throws {
      let depth = 32
      let nested =
        String(repeating: "<object class='GtkBox'><child>", count: depth) + "<object class='GtkLabel'/>"
        + String(repeating: "</child></object>", count: depth)
      let view = try view(nested)
      view.frame = Rect(x: 0, y: 0, width: 200, height: 100)
      #expect(all(StackView.self, in: view).count == depth)
      let many =
        "<object class='GtkBox'>" + String(repeating: "<child><object class='GtkWidget'/></child>", count: 9000)
      #expect(try self.view(many + "</object>").subviews.count == 9000)
    }
  }
}
