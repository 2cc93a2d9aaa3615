import ProsceniumJSON
import Testing

@testable import ProsceniumCore

@MainActor @Suite("Suspension in the manifest's file") struct SuspensionManifestTests {
  @Test("It names the policy")
  func policy() {
    var manifest = ApplicationManifest()
    let property = Suspension.manifestProperties[0]
    #expect(property.name == "suspensionPolicy" && manifest.suspensionPolicy == .never)
    #expect(property.replace(.string("whenAllInBackground"), &manifest))
    for value in [JSONValue.string("always"), .bool(true), .null] { #expect(!property.replace(value, &manifest)) }
    #expect(manifest.suspensionPolicy == .whenAllInBackground)
    #expect(property.replace(.string("never"), &manifest) && manifest.suspensionPolicy == .never)
  }
}
