import ProsceniumJSON
import Testing

@testable import ProsceniumCore

@MainActor @Suite("What a program opens, in the manifest's file") struct OpenRequestsManifestTests {
  private func replace(_ name: String, _ value: JSONValue, _ manifest: inout ApplicationManifest) -> Bool? {
    OpenRequests.manifestProperties.first { $0.name == name }?.replace(value, &manifest)
  }

  @Test("Schemes and extensions are arrays of texts, the replay of payloads is true or false")
  func values() {
    var manifest = ApplicationManifest()
    #expect(manifest.openedURLSchemes.isEmpty && manifest.openedFileExtensions.isEmpty)
    #expect(!manifest.replaysConnectionPayloads && manifest.shortcutItems.isEmpty)
    #expect(replace("openedURLSchemes", .array([.string("a"), .string("b"), .string("a")]), &manifest) == true)
    #expect(replace("openedFileExtensions", .array([.string("txt")]), &manifest) == true)
    #expect(replace("replaysConnectionPayloads", .bool(true), &manifest) == true)
    for value in [JSONValue.string("c"), .array([.string("c"), .int(1)]), .object([:]), .null] {
      #expect(replace("openedURLSchemes", value, &manifest) == false)
      #expect(replace("openedFileExtensions", value, &manifest) == false)
      #expect(replace("replaysConnectionPayloads", value, &manifest) == false)
    }
    #expect(manifest.openedURLSchemes == ["a", "b"] && manifest.openedFileExtensions == ["txt"])
    #expect(manifest.replaysConnectionPayloads)
    #expect(replace("openedURLSchemes", .array([]), &manifest) == true && manifest.openedURLSchemes.isEmpty)
  }

  private func items(_ values: JSONValue) -> [ApplicationShortcutItem]? {
    var manifest = ApplicationManifest()
    return replace("shortcutItems", values, &manifest) == true ? manifest.shortcutItems : nil
  }

  @Test("A packager writes shortcut items with all that an item has")
  func shortcutItems() {
    let whole: JSONValue = .object([
      "type": .string("org.example.compose"), "title": .string("Compose"), "subtitle": .string("A new letter"),
      "icon": .string("mail-message-new"), "targetContentIdentifier": .string("letters"),
      "userInfo": .object(["kind": .string("letter")]),
    ])
    let least: JSONValue = .object(["type": .string("read"), "title": .string("Read")])
    #expect(
      items(.array([whole, least])) == [
        ApplicationShortcutItem(
          type: "org.example.compose", localizedTitle: "Compose", userInfo: ["kind": "letter"],
          targetContentIdentifier: "letters", localizedSubtitle: "A new letter", icon: "mail-message-new"),
        ApplicationShortcutItem(type: "read", localizedTitle: "Read"),
      ])
    #expect(items(.array([])) == [])
  }

  @Test(
    "Items without a type or a title, and values of another kind, are refused",
    arguments: [
      JSONValue.object([:]), .object(["type": .string("read")]), .object(["title": .string("Read")]), .string("read"),
      .object(["type": .string(""), "title": .string("Read")]), .object(["type": .int(1), "title": .string("Read")]),
      .object(["type": .string("read"), "title": .string("Read"), "colour": .string("red")]),
      .object(["type": .string("read"), "title": .string("Read"), "userInfo": .object(["n": .int(1)])]),
    ])
  func refusedItems(_ value: JSONValue) {
    #expect(items(.array([value])) == nil && items(value) == nil)
  }
}
