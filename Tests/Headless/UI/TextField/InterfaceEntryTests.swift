import ProsceniumCore
import ProsceniumTesting
import TestSupport
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// Text fields of interface files.
  @MainActor @Suite("Entries of interface files") struct InterfaceEntryTests {
    private let files = InterfaceTests()

    private func field(_ lines: String) throws -> TextField { try #require(try files.view(lines) as? TextField) }

    @Test("An entry is a text field with its text, its placeholder and its limit")
    func entry() throws {
      let field = try field(
        """
        <object class="GtkEntry"><property name="text">Ada
        Lovelace</property><property name="placeholder-text">Name</property><property name="max_length">30</property>
        <property name="width-chars">20</property></object>
        """)
      #expect(field.text == "Ada Lovelace" && field.placeholder == "Name" && field.maximumLength == 30)
      #expect(!field.isSecureTextEntry && field.clearButtonMode == .never)
      let plain = try self.field("<object class='GtkEntry'><property name='max-length'>0</property></object>")
      #expect(plain.maximumLength == TextField().maximumLength)
    }

    @Test("A password is not shown, and a search can be cleared")
    func kinds() throws {
      #expect(try field("<object class='GtkPasswordEntry'/>").isSecureTextEntry)
      let hidden = "<object class='GtkEntry'><property name='visibility'>False</property></object>"
      #expect(try field(hidden).isSecureTextEntry)
      let search = try field("<object class='GtkSearchEntry'><property name='text'>words</property></object>")
      #expect(search.clearButtonMode == .always && search.text == "words" && !search.isSecureTextEntry)
    }

    final class Panel: ViewController {
      var log: [String] = []
      func change(_ sender: TextField) { log.append(sender.text) }
    }

    @Test(
      "Their signals call the program for what the user does",
      arguments: [
        ("GtkEntry", "changed", ["a", "ab"]), ("GtkEntry", "notify::text", ["a", "ab"]),
        ("GtkPasswordEntry", "activate", ["ab"]), ("GtkSearchEntry", "search-changed", ["a", "ab"]),
      ])
    func signals(name: String, signal: String, heard: [String]) throws {
      let text = TemporaryFile(
        "<interface><template class='Panel' parent='GtkBox'><child><object class='\(name)'>"
          + "<signal name='\(signal)' handler='change'/></object></child></template></interface>")
      let panel = InterfaceClass("Panel", Panel.init) { $0.action("change", Panel.change) }
      let controller = try #require(try InterfaceFile(text.path, classes: [panel]).makeViewController() as? Panel)
      let stage = try UIStage { $0.rootViewController = controller }
      controller.view.subviews.first?.becomeFirstResponder()
      stage.type("ab\n")
      #expect(controller.log == heard)
    }
  }
}
