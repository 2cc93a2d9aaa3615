/// The manifest of configurations, by name and role.
@MainActor struct SceneConfigurationRegistry {
  private let configurations: [SceneConfiguration]

  /// Makes a registry of the manifest; a name that occurs twice is an error.
  init(_ configurations: [SceneConfiguration]) throws(SceneError) {
    var names: Set<String> = []
    for configuration in configurations {
      guard let name = configuration.name else {
        throw SceneError(
          .requestDenied, "sceneConfigurations: a configuration has no name. Give each one a name of its own.")
      }
      guard names.insert(name).inserted else {
        throw SceneError(
          .requestDenied, "sceneConfigurations: the name \"\(name)\" occurs twice. Names must be unique.")
      }
    }
    self.configurations = configurations
  }

  var isEmpty: Bool { configurations.isEmpty }

  /// Whether the manifest has a configuration with the name and the role of another one; it has none without a name.
  func has(_ other: SceneConfiguration) -> Bool {
    other.name != nil && configurations.contains { $0.name == other.name && $0.role == other.role }
  }

  func has(role: SceneSession.Role) -> Bool { configurations.contains { $0.role == role } }

  /// The configuration that a reference stands for, as a copy of its own, with what the reference has changed.
  func resolve(_ configuration: SceneConfiguration) throws(SceneError) -> SceneConfiguration {
    guard configuration.isReference else { return configuration.copy() }
    if let name = configuration.name {
      if let found = configurations.first(where: { $0.name == name }) {
        guard found.role == configuration.role else {
          throw SceneError(
            .requestDenied,
            "The configuration \"\(name)\" is for the role \(found.role.rawValue), the session's role is "
              + "\(configuration.role.rawValue).")
        }
        let copy = found.copy()
        copy.takeChanges(of: configuration)
        return copy
      }
      // UIKit's templates name a configuration that need not exist where none is registered.
      guard !configurations.isEmpty else { return configuration.copy() }
      let known = configurations.compactMap(\.name).joined(separator: ", ")
      throw SceneError(
        .requestDenied, "There is no configuration named \"\(name)\"; sceneConfigurations has: \(known).")
    }
    let copy = try first(for: configuration.role)
    copy.takeChanges(of: configuration)
    return copy
  }

  /// The default configuration of a role.
  func first(for role: SceneSession.Role) throws(SceneError) -> SceneConfiguration {
    guard let found = find(role) else {
      throw SceneError(
        .requestDenied,
        "sceneConfigurations has no configuration for the role \(role.rawValue). Add one, or implement "
          + "application(_:configurationForConnecting:options:).")
    }
    return found
  }

  /// The default configuration of a role; nil where the manifest has none.
  func find(_ role: SceneSession.Role) -> SceneConfiguration? {
    configurations.first { $0.role == role }?.copy()
  }
}
