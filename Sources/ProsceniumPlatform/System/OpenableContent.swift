/// The content that other programs may open in a program, as it declares it.
package struct OpenableContent: Hashable, Sendable {
  /// The URL schemes that the program opens.
  package var schemes: Set<String> = []
  /// The file name extensions that the program opens, without the dot.
  package var fileExtensions: Set<String> = []
  /// The actions that launchers offer.
  package var shortcutItems: [ApplicationShortcutItem] = []
  /// The types of activities of other programs that the program continues.
  package var activityTypes: Set<String> = []

  package init() {}
}
