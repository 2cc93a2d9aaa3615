/// What a program declares that other programs may request of it.
package struct OpenableContent: Hashable, Sendable {
  /// The URL schemes that the program opens.
  package var schemes: Set<String> = []
  /// The file name extensions that the program opens, without the dot.
  package var fileExtensions: Set<String> = []
  /// The actions that launchers offer.
  package var shortcutItems: [ApplicationShortcutItem] = []

  package init(
    schemes: Set<String> = [], fileExtensions: Set<String> = [], shortcutItems: [ApplicationShortcutItem] = []
  ) {
    self.schemes = schemes
    self.fileExtensions = fileExtensions
    self.shortcutItems = shortcutItems
  }
}
