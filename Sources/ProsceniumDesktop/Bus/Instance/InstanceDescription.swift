package import ProsceniumPlatform

/// What others are told about this instance, and what decides which of their calls are for it.
package struct InstanceDescription: Hashable, Sendable {
  /// The application's id.
  package var identifier: String
  /// The display of its windows, as `DISPLAY` has it.
  package var display: String
  /// URL schemes that the program opens.
  package var schemes: Set<String>
  /// What launchers may ask it to do.
  package var shortcuts: [ApplicationShortcutItem]
  /// Whether there may be more of them: then each has a name of its own.
  package var isOneOfMany: Bool

  package init(
    identifier: String, display: String, schemes: Set<String>, shortcuts: [ApplicationShortcutItem] = [],
    isOneOfMany: Bool
  ) {
    self.identifier = identifier
    self.display = display
    self.schemes = schemes
    self.shortcuts = shortcuts
    self.isOneOfMany = isOneOfMany
  }
}
