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
}
