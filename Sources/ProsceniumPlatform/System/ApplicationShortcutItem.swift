/// An action of the program that launchers offer in the menu of its icon.
///
/// ``ApplicationManifest/shortcutItems`` lists a program's items; `<program> --install-desktop-entry` writes them as
/// actions of the desktop entry. UIKit's `userInfo` accepts more types than strings; here items are also stored in a
/// file.
public struct ApplicationShortcutItem: Hashable, Sendable {
  /// The item's identifier, as `org.example.compose`; each item has another one.
  public var type: String
  /// The title that the user reads.
  public var localizedTitle: String
  /// A second line below the title; nil for none.
  ///
  /// Desktop entries have no place for it.
  public var localizedSubtitle: String?
  /// The name of an icon of the icon theme (Icon Theme Specification), or the absolute path of a picture; nil for none.
  public var icon: String?
  /// Values for the program, which gets them back when it performs the item.
  public var userInfo: [String: String]
  /// The content by which the scene that performs the item is chosen (``Scene/activationConditions``).
  ///
  /// Where nil, the scene that was active last performs the item. A caller on the bus may send a text with the action,
  /// as a notification's button does, which is stored here.
  public var targetContentIdentifier: String?

  /// Makes an item.
  /// - Parameters:
  ///   - type: The item's identifier.
  ///   - localizedTitle: The title that the user reads.
  ///   - userInfo: Values for the program.
  ///   - targetContentIdentifier: The content by which the scene is chosen.
  ///   - localizedSubtitle: A second line below the title.
  ///   - icon: The name of an icon, or the absolute path of a picture.
  public init(
    type: String, localizedTitle: String, userInfo: [String: String] = [:], targetContentIdentifier: String? = nil,
    localizedSubtitle: String? = nil, icon: String? = nil
  ) {
    self.localizedSubtitle = localizedSubtitle
    self.icon = icon
    self.type = type
    self.localizedTitle = localizedTitle
    self.userInfo = userInfo
    self.targetContentIdentifier = targetContentIdentifier
  }

  /// The name of the action in the desktop entry.
  ///
  /// The type where that is a valid name, of ASCII letters, digits and hyphens (Desktop Entry Specification,
  /// "Additional applications actions"); else the type with each byte that is no letter or digit as `-` and two
  /// hexadecimal digits.
  package var actionName: String {
    let isValid = type.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    return isValid ? type : type.escaped("-") { $0.isLetter || $0.isDigit }
  }
}

extension [ApplicationShortcutItem] {
  /// The item of a type or, where there is none, of the name of an action.
  package func item(named name: String) -> ApplicationShortcutItem? {
    first { $0.type == name } ?? first { $0.actionName == name }
  }
}
