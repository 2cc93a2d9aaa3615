import ProsceniumJSON
import Testing

@testable import ProsceniumCore

@MainActor @Suite("The watchdog in the manifest's file") struct WatchdogManifestTests {
  @Test("The policy is one of its names, and each limit a time in seconds")
  func values() throws {
    let properties = WatchdogFeature.manifestProperties
    let policy = try #require(properties.first { $0.name == "watchdogPolicy" })
    let limits = try #require(properties.first { $0.name == "watchdogLimits" })
    var manifest = ApplicationManifest()
    var expected = WatchdogLimits()
    #expect(manifest.watchdogPolicy == .report && manifest.watchdogLimits == expected)
    for value in WatchdogPolicy.allCases {
      #expect(policy.replace(.string(value.rawValue), &manifest) && manifest.watchdogPolicy == value)
    }
    for value in [JSONValue.string("kill"), .bool(false), .null] { #expect(!policy.replace(value, &manifest)) }
    #expect(limits.replace(.object(["launch": .int(20), "sceneUpdate": .double(0.5)]), &manifest))
    (expected.launch, expected.sceneUpdate) = (.seconds(20), .milliseconds(500))
    #expect(limits.replace(.object(["background": .int(1), "termination": .int(0), "event": .int(3)]), &manifest))
    expected.event = .seconds(3)
    (expected.background, expected.termination) = (.seconds(1), .zero)
    for members in [["launch": JSONValue.int(-1)], ["launch": .string("5")], ["launch": .int(1), "other": .int(1)]] {
      #expect(!limits.replace(.object(members), &manifest))
    }
    #expect(manifest.watchdogLimits == expected)
  }
}
