import ProsceniumJSON
import ProsceniumLoop
import ProsceniumTesting
import TestSupport
import Testing

@testable import ProsceniumCore

/// The file beside the program that replaces values of its manifest.
@MainActor @Suite("The manifest's file", .serialized) struct ManifestFileTests {
  /// A manifest with two configurations, with the values of a file with this text, and a sentence about each problem.
  private func resolve(_ text: String) -> (manifest: ApplicationManifest, problems: [String]) {
    let names = ["Main", "Side"]
    var manifest = ApplicationManifest(
      applicationIdentifier: "org.example.Own",
      sceneConfigurations: names.map { SceneConfiguration(name: $0, sessionRole: .windowApplication) })
    let file = TemporaryFile(text)
    return withExtendedLifetime(file) {
      let problems = manifest.replaceValues(from: file.path)
      return (manifest, problems)
    }
  }

  private var names: [String] {
    (ManifestProperty.common + Features.all.flatMap { $0.manifestProperties }).map(\.name)
  }

  @Test("Each value is replaced, and the program's own object is left as it is")
  func values() {
    let (manifest, problems) = resolve(
      #"""
      {"applicationIdentifier": "org.example.Packaged", "supportsMultipleScenes": false, "exitsOnSuspend": true, "launchOrientation": "landscape",
       "instancePolicy": "separateStores",
       "sceneConfigurations": {"Side": {"closePolicy": "background", "restorePolicy": "afterCrashOrSessionEnd",
         "activationPolicy": "whenVisible", "treatsOcclusionAsHidden": true}}}
      """#)
    #expect(problems.isEmpty)
    #expect(manifest.applicationIdentifier == "org.example.Packaged" && !manifest.supportsMultipleScenes)
    #expect(manifest.exitsOnSuspend && manifest.instancePolicy == .separateStores)
    #expect(manifest.launchOrientation == .landscape)
    let (main, side) = (manifest.sceneConfigurations[0], manifest.sceneConfigurations[1])
    #expect(main.closePolicy == .discard && main.restorePolicy == .always && main.activationPolicy == .whenFocused)
    #expect(side.closePolicy == .background && side.restorePolicy == .afterCrashOrSessionEnd)
    #expect(side.activationPolicy == .whenVisible && side.treatsOcclusionAsHidden && !main.treatsOcclusionAsHidden)
  }

  @Test(
    "A value of another kind is left as the program has it, and reported with what it has to be",
    arguments: [
      (#""applicationIdentifier": """#, "a string"), (#""applicationIdentifier": 1"#, "a string"),
      (#""supportsMultipleScenes": 0"#, "true or false"), (#""supportsMultipleScenes": "no""#, "true or false"),
      (#""exitsOnSuspend": null"#, "true or false"),
      (#""launchOrientation": "sideways""#, #""automatic", "portrait", "landscape""#),
      (#""instancePolicy": "many""#, #""single", "separateStores""#), (#""instancePolicy": ["single"]"#, "\"single\""),
      (#""sceneConfigurations": []"#, "an object"), (#""sceneConfigurations": {"None": {}}"#, "an object"),
      (#""sceneConfigurations": {"Main": true}"#, "an object"),
      (
        #""sceneConfigurations": {"Main": {"closePolicy": "background"}, "Side": {"closePolicy": "never"}}"#,
        "closePolicy"
      ),
      (#""sceneConfigurations": {"Main": {"closePolicy": "background", "launchSize": 3}}"#, "closePolicy"),
      (#""sceneConfigurations": {"Main": {"restorePolicy": true}}"#, "restorePolicy"),
      (#""sceneConfigurations": {"Main": {"treatsOcclusionAsHidden": "true"}}"#, "treatsOcclusionAsHidden"),
    ])
  func wrongKinds(_ member: String, _ expected: String) {
    let (manifest, problems) = resolve("{\(member)}")
    #expect(problems.count == 1 && problems[0].contains("cannot be used") && problems[0].contains(expected))
    #expect(manifest.applicationIdentifier == "org.example.Own" && manifest.supportsMultipleScenes)
    #expect(!manifest.exitsOnSuspend && manifest.instancePolicy == .single)
    #expect(manifest.sceneConfigurations.allSatisfy { $0.closePolicy == .discard && !$0.treatsOcclusionAsHidden })
  }

  @Test("No property of any feature takes null, and each says what it has to be; names are unique")
  func noProperty() {
    #expect(Set(names).count == names.count)
    for name in names {
      let (_, problems) = resolve(#"{"\#(name)": null}"#)
      #expect(problems.count == 1 && problems[0].contains("\"\(name)\""), "\(name): \(problems)")
    }
  }

  @Test("A name that the program does not know is reported with those that it knows; the others count")
  func unknownNames() {
    let (manifest, problems) = resolve(#"{"a": 1, "supportsMultipleScenes": false, "z": {"b": []}}"#)
    #expect(problems.count == 2 && problems[0].contains("\"a\"") && problems[1].contains("\"z\""))
    #expect(names.allSatisfy(problems[0].contains))
    #expect(!manifest.supportsMultipleScenes)
  }

  /// Files that are none, by what is wrong with them; a missing one is no error.
  private nonisolated static let unusable = [
    "empty": "", "no JSON": "{supportsMultipleScenes: false", "an array": "[1]", "a text": "\"a\"",
    "no UTF-8": String(decoding: [0x7B, 0x22], as: UTF8.self) + "\u{0}",
    "a number too large": #"{"exitsOnSuspend": 1e999}"#,
    "nested deeply": String(repeating: #"{"a":"#, count: 100_000) + "1" + String(repeating: "}", count: 100_000),
    "an array nested deeply": #"{"a":"# + String(repeating: "[", count: 100_000),
    "too large": #"{"applicationIdentifier": ""# + String(repeating: "a", count: 1 << 20) + "\"}",
  ]

  @Test(
    "A file that cannot be used is one report, and the program launches as it is", arguments: unusable.keys.sorted())
  func unusableFile(_ kind: String) throws {
    let file = TemporaryFile(try #require(Self.unusable[kind]))
    withExtendedLifetime(file) { launch(file.path, reports: 1) }
  }

  @Test("So is a folder in its place; a file that is not there is no report")
  func noFile() {
    launch("/tmp", reports: 1)
    launch("/nonexistent/manifest.json", reports: 0)
    launch("/dev/null/manifest.json", reports: 1)
  }

  /// Launches with a file of which nothing can be used.
  private func launch(_ path: String, reports: Int) {
    let program = HeadlessProgram()
    let delegate = RecordingDelegate()
    program.application.host.manifestFile = path
    StandardError.$isSilent.withValue(true) { program.launch(delegate) }
    program.advance(by: .seconds(1))
    #expect(program.trace.count { $0.kind == "error" } == reports)
    #expect(delegate.calls.last == "scene1 sceneDidBecomeActive" && program.application.supportsMultipleScenes)
  }

  @Test("What the file says holds from the launch on: a second scene is denied, another problem is reported beside it")
  func launched() {
    let program = HeadlessProgram()
    let file = TemporaryFile(#"{"supportsMultipleScenes": false, "applicationIdentifier": "org.example.File", "x": 1}"#)
    program.application.host.manifestFile = file.path
    let delegate = RecordingDelegate()
    withExtendedLifetime(file) { StandardError.$isSilent.withValue(true) { program.launch(delegate) } }
    program.advance(by: .seconds(1))
    #expect(program.application.identifier == "org.example.File" && !program.application.supportsMultipleScenes)
    #expect(program.trace.count { $0.kind == "error" } == 1)
    var denial: SceneError?
    program.application.activateSceneSession(for: SceneSessionActivationRequest()) { denial = $0 as? SceneError }
    program.advance(by: .seconds(1))
    #expect(denial?.code == .multipleScenesNotSupported && program.scenes.count == 1)
  }

  @Test("A time is a number of seconds from 0, with or without a fraction")
  func durations() {
    #expect(JSONValue.int(3).duration == .seconds(3) && JSONValue.int(0).duration == .zero)
    #expect(JSONValue.double(0.25).duration == .milliseconds(250))
    for value in [JSONValue.int(-1), .double(-0.5), .int(.max), .double(1e300), .unsigned(.max), .string("3"), .null] {
      #expect(value.duration == nil)
    }
  }
}
