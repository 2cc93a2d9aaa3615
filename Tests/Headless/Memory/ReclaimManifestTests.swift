import ProsceniumJSON
import ProsceniumTesting
import Testing

@testable import ProsceniumCore

@MainActor @Suite("Reclaiming in the manifest", .serialized) struct ReclaimManifestTests {
  private let property = Memory.manifestProperties[0]

  @Test("The file replaces each value that it has")
  func values() {
    var manifest = ApplicationManifest()
    var policy = ReclaimPolicy()
    #expect(property.name == "reclaimPolicy" && manifest.reclaimPolicy == policy)
    #expect(property.replace(.object(["maximumBackgroundScenes": .int(2)]), &manifest))
    policy.maximumBackgroundScenes = 2
    #expect(manifest.reclaimPolicy == policy)
    let rest: [String: JSONValue] = [
      "maximumBackgroundTime": .double(1.5), "disconnectsUnderPressure": .bool(false),
      "endsUnderCriticalPressure": .bool(true),
    ]
    #expect(property.replace(.object(rest), &manifest))
    (policy.maximumBackgroundTime, policy.disconnectsUnderPressure) = (.milliseconds(1500), false)
    policy.endsUnderCriticalPressure = true
    #expect(manifest.reclaimPolicy == policy)
  }

  @Test(
    "A value that cannot be used leaves all of it as it is",
    arguments: [
      ["maximumBackgroundScenes": JSONValue.int(-1)], ["maximumBackgroundScenes": .double(1.5)],
      ["maximumBackgroundTime": .int(-1)], ["maximumBackgroundTime": .string("1")],
      ["disconnectsUnderPressure": .int(0)], ["endsUnderCriticalPressure": .null],
      ["endsUnderCriticalPressure": .bool(true), "unknown": .int(1)],
    ])
  func unusable(_ members: [String: JSONValue]) {
    var manifest = ApplicationManifest()
    #expect(!property.replace(.object(members), &manifest) && !property.replace(.array([]), &manifest))
    #expect(manifest.reclaimPolicy == ReclaimPolicy())
  }

  private final class Choosing: Application {
    override init() {
      super.init()
      reclaimPolicy = ReclaimPolicy()
    }
  }

  @Test("The manifest's policy holds until the property is set, also before the launch and to the default")
  func precedence() {
    let delegate = RecordingDelegate()
    delegate.manifest.reclaimPolicy.maximumBackgroundScenes = 1
    let program = HeadlessProgram(delegate: { delegate })
    #expect(program.application.reclaimPolicy == ReclaimPolicy())
    program.launch()
    #expect(program.application.reclaimPolicy.maximumBackgroundScenes == 1)
    program.application.reclaimPolicy.maximumBackgroundScenes = 5
    #expect(program.application.reclaimPolicy.maximumBackgroundScenes == 5)
    #expect(program.application.resolvedManifest.reclaimPolicy.maximumBackgroundScenes == 1)
    let other = HeadlessProgram(application: { Choosing() }, delegate: { delegate })
    other.launch()
    #expect(other.application.reclaimPolicy == ReclaimPolicy())
  }
}
