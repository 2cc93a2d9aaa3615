import ProsceniumJSON

/// A property of the manifest that a file may replace.
@MainActor struct ManifestProperty {
  /// The property's name, in Swift and in the file.
  let name: String
  /// The values that the file may have, for an error.
  let expected: String
  /// Stores a value of the file; false where it is none of those.
  let replace: @MainActor (JSONValue, inout ApplicationManifest) -> Bool

  /// A property whose value is made from the file's; nil where it is none of the expected ones.
  static func value<Value>(
    _ name: String, _ expected: String, _ path: WritableKeyPath<ApplicationManifest, Value>,
    _ make: @escaping @MainActor (JSONValue) -> Value?
  ) -> ManifestProperty {
    ManifestProperty(name: name, expected: expected) { value, manifest in
      make(value).map { manifest[keyPath: path] = $0 } != nil
    }
  }

  /// A property that is true or false.
  static func flag(_ name: String, _ path: WritableKeyPath<ApplicationManifest, Bool>) -> ManifestProperty {
    value(name, "true or false", path) { $0.flag }
  }

  /// A property that is one of several cases.
  static func choice<Value: CaseIterable>(
    _ name: String, _ path: WritableKeyPath<ApplicationManifest, Value>
  ) -> ManifestProperty {
    value(name, Value.names, path) { Value(named: $0) }
  }

  /// A property that is a set of texts.
  static func texts(_ name: String, _ path: WritableKeyPath<ApplicationManifest, Set<String>>) -> ManifestProperty {
    value(name, "an array of strings", path) { value in
      guard case .array(let values) = value else { return nil }
      let texts = values.compactMap(\.text)
      return texts.count == values.count ? Set(texts) : nil
    }
  }

  /// A property that is an object with values of its own; each value that the object has is replaced.
  /// - Parameters:
  ///   - name: The property's name.
  ///   - path: The property.
  ///   - members: For each key of the object the function that stores its value: false where the value is invalid.
  /// - Returns: The property.
  static func object<Value>(
    _ name: String, _ path: WritableKeyPath<ApplicationManifest, Value>,
    _ members: [String: (JSONValue, inout Value) -> Bool]
  ) -> ManifestProperty {
    let keys = members.keys.sorted().joined(separator: ", ")
    return ManifestProperty(name: name, expected: "an object with \(keys)") { value, manifest in
      guard let values = value.members else { return false }
      var copy = manifest[keyPath: path]
      for (key, value) in values { guard members[key]?(value, &copy) == true else { return false } }
      manifest[keyPath: path] = copy
      return true
    }
  }

  /// The properties that belong to no feature.
  static let common: [ManifestProperty] = [
    .value("applicationIdentifier", "a string", \.applicationIdentifier) { $0.text == "" ? nil : $0.text },
    ManifestProperty(name: "sceneConfigurations", expected: SceneConfiguration.expectedInFile) { value, manifest in
      guard let members = value.members else { return false }
      let configurations = manifest.sceneConfigurations.map { $0.copy() }
      manifest.sceneConfigurations = configurations
      return members.allSatisfy { name, changes in
        configurations.first { $0.name == name }?.replace(changes) == true
      }
    },
    .flag("supportsMultipleScenes", \.supportsMultipleScenes),
    .choice("instancePolicy", \.instancePolicy),
    .flag("exitsOnSuspend", \.exitsOnSuspend),
    .choice("launchOrientation", \.launchOrientation),
  ]
}

extension CaseIterable {
  /// The cases, for an error.
  static var names: String { allCases.map { "\"\($0)\"" }.joined(separator: ", ") }

  /// The case of a name.
  init?(named value: JSONValue) {
    guard let found = Self.allCases.first(where: { "\($0)" == value.text }) else { return nil }
    self = found
  }
}

extension JSONValue {
  /// True or false; nil for every other value.
  var flag: Bool? {
    guard case .bool(let isOn) = self else { return nil }
    return isOn
  }

  /// A number of seconds, not negative.
  var duration: Duration? {
    switch self {
    case .int(let seconds) where seconds >= 0 && seconds <= 1_000_000_000: .seconds(seconds)
    case .double(let seconds) where seconds >= 0 && seconds <= 1e9: .seconds(seconds)
    default: nil
    }
  }

  /// A whole number from 0.
  var count: Int? {
    guard case .int(let number) = self, number >= 0 else { return nil }
    return number
  }
}

extension SceneConfiguration {
  static var expectedInFile: String {
    let added = Features.all.flatMap { $0.configurationProperties.keys }.sorted().map { ", " + $0 }.joined()
    return "an object with the names of configurations that the program has, each with closePolicy, restorePolicy, "
      + "activationPolicy, treatsOcclusionAsHidden\(added)"
  }

  /// Replaces values by those of a manifest's file; false where one is invalid.
  func replace(_ value: JSONValue) -> Bool {
    guard let members = value.members else { return false }
    let added = Features.all.map { $0.configurationProperties }
    return members.allSatisfy { key, value in
      switch key {
      case "closePolicy": ClosePolicy(named: value).map { closePolicy = $0 } != nil
      case "restorePolicy": RestorePolicy(named: value).map { restorePolicy = $0 } != nil
      case "activationPolicy": ActivationPolicy(named: value).map { activationPolicy = $0 } != nil
      case "treatsOcclusionAsHidden": value.flag.map { treatsOcclusionAsHidden = $0 } != nil
      default: added.lazy.compactMap { $0[key] }.first?(value, self) ?? false
      }
    }
  }
}
