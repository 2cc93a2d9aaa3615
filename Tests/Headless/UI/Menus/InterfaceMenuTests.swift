import ProsceniumCore
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// The menu bars that interface files have.
  @MainActor @Suite("Menus of interface files") struct InterfaceMenuTests {
    private let files = InterfaceTests()

    static let objectMenus = """
      <template class="Controller" parent="GtkBox"><child><object class="GtkMenuBar"><child>
      <object class="GtkMenuItem"><property name="label">_File</property><property name="use-underline">True</property>
        <child type="submenu"><object class="GtkMenu">
          <child><object class="GtkImageMenuItem"><property name="label">_Save</property>
            <property name="use_underline">True</property><signal name="activate" handler="save"/></object></child>
          <child><object class="GtkSeparatorMenuItem"/></child>
          <child><object class="GtkCheckMenuItem"><property name="label">_Plain</property>
            <property name="active">True</property></object></child>
          <child><object class="GtkMenuItem"><property name="label">Gone</property>
            <property name="visible">False</property><property name="sensitive">False</property></object></child>
        </object></child></object></child></object></child>
        <child><object class="GtkLabel" id="title"/></child><child><object class="GtkButton" id="button"/></child>
      </template>
      """

    static let modelMenus = """
      <menu id="bar"><submenu><attribute name="label" translatable="yes">_File</attribute>
        <section><item><attribute name="label">_Save</attribute><attribute name="action">win.save</attribute></item>
          <item><attribute name="label">_More</attribute><link name="submenu">
            <item><attribute name="label">Deep</attribute></item></link></item></section>
      </submenu></menu>
      <template class="Controller" parent="GtkBox">
        <child><object class="GtkPopoverMenuBar"><property name="menu-model">bar</property></object></child>
        <child><object class="GtkLabel" id="title"/></child><child><object class="GtkButton" id="button"/></child>
      </template>
      """

    @Test("Menu bars of GTK 3 and menu models of GTK 4 have marked titles, and items that call the controller")
    func menus() throws {
      for (text, rows) in [(Self.objectMenus, ["_Save", "-", "__Plain"]), (Self.modelMenus, ["_Save", "_More"])] {
        let controller = try #require(try files.load(text).controller as? InterfaceTests.Controller)
        let bar = try #require(files.all(MenuBar.self, in: controller.view).first)
        #expect(bar.menus.map(\.titleWithMnemonic) == ["_File"] && bar.menus.map(\.title) == ["File"])
        #expect(bar.menus.first?.rows.map { $0?.titleWithMnemonic ?? "-" } == rows)
        bar.menus.first?.items.first?.perform(from: nil)
        #expect(controller.log.last == "save")
      }
      let bar = try #require(files.all(MenuBar.self, in: try files.load(Self.objectMenus).controller.view).first)
      let items = try #require(bar.menus.first).items
      #expect(items.map(\.isEnabled) == [true, false, false] && items.map(\.state) == [.off, .on, .off])
    }

    nonisolated static let modelButton = """
      <menu id="new"><item><attribute name="label">_Save</attribute><attribute name="action">win.save</attribute></item>
      </menu><template class="Controller" parent="GtkBox">
        <child><object class="GtkMenuButton" id="button"><property name="label">_New</property>
          <property name="use-underline">True</property><property name="menu-model">new</property></object></child>
        <child><object class="GtkLabel" id="title"/></child>
      </template>
      """

    nonisolated static let objectButton = """
      <object class="GtkMenu" id="new"><child><object class="GtkMenuItem"><property name="label">_Save</property>
        <property name="use-underline">True</property><signal name="activate" handler="save"/></object></child></object>
      <template class="Controller" parent="GtkBox">
        <child><object class="GtkMenuButton" id="button"><property name="label">_New</property>
          <property name="use-underline">True</property><property name="popup">new</property></object></child>
        <child><object class="GtkLabel" id="title"/></child>
      </template>
      """

    @Test("A menu button has a menu model, or the menu object that it names", arguments: [modelButton, objectButton])
    func menuButton(_ text: String) throws {
      let (controller, warnings) = try files.load(text)
      #expect(warnings.isEmpty, "\(warnings)")
      let own = try #require(controller as? InterfaceTests.Controller)
      let button = try #require(files.all(Button.self, in: own.view).first)
      #expect(button.titleWithMnemonic == "_New" && button.showsMenuAsPrimaryAction)
      #expect(button.menu?.rows.map { $0?.titleWithMnemonic ?? "-" } == ["_Save"])
      button.menu?.items.first?.perform(from: nil)
      #expect(own.log.last == "save")
      #expect(throws: InterfaceError.self) { try files.load(text.replacing(">new<", with: ">none<")) }
    }

    @Test("A menu whose item calls nothing that there is, or that is nowhere, is not used")
    func wrongMenus() {
      for (old, new) in [
        ("handler=\"save\"", "handler=\"nothing\""), ("name=\"activate\"", "name=\"chosen\""),
        ("GtkCheckMenuItem", "GtkButton"),
      ] { #expect(throws: InterfaceError.self) { try files.load(Self.objectMenus.replacing(old, with: new)) } }
      for (old, new) in [("win.save", "win.nothing"), (">bar<", ">none<")] {
        #expect(throws: InterfaceError.self) { try files.load(Self.modelMenus.replacing(old, with: new)) }
      }
    }
  }
}
