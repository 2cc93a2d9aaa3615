package import ProsceniumPlatform

/// This instance of the program, as other programs see it over the bus.
package struct InstanceDescription: Hashable, Sendable {
  /// The application's id.
  package var identifier: String
  /// The display of its windows, as `DISPLAY` has it.
  package var display: String
  /// The URL schemes that the program opens.
  package var schemes: Set<String>
  /// The shortcut items of launchers.
  package var shortcuts: [ApplicationShortcutItem]
  /// Whether several instances may run, each with a bus name of its own.
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
