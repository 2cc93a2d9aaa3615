/// Something that the program does when a launcher asks for it: an entry of the menu of its icon.
///
/// What a program has it says with ``ApplicationDelegate/shortcutItems``; `<program> --install-desktop-entry` writes them as
/// actions of the desktop entry. UIKit's `userInfo` takes more than texts; here an item stands in a file as well.
public struct ApplicationShortcutItem: Hashable, Sendable {
  /// Which item it is, as the program calls it, `org.example.compose` say; no two items have the same.
  public var type: String
  /// What people read.
  public var localizedTitle: String
  /// What the program wants to know when it performs the item; handed back as it is.
  public var userInfo: [String: String]
  /// What decides which scene performs the item (``Scene/activationConditions``); the one that was active last where nil.
  ///
  /// A caller on the bus may send a text along with the action, as a notification's button does: that stands here then.
  public var targetContentIdentifier: String?

  /// An item.
  /// - Parameters:
  ///   - type: Which one it is.
  ///   - localizedTitle: What people read.
  ///   - userInfo: What the program wants to know.
  ///   - targetContentIdentifier: What decides which scene performs it.
  public init(
    type: String, localizedTitle: String, userInfo: [String: String] = [:], targetContentIdentifier: String? = nil
  ) {
    self.type = type
    self.localizedTitle = localizedTitle
    self.userInfo = userInfo
    self.targetContentIdentifier = targetContentIdentifier
  }

  /// The name of the action: the type where that can be one, ASCII letters, digits and hyphens (Desktop Entry Specification,
  /// "Additional applications actions"); else every other byte than letters and digits as `-` and two hexadecimal digits.
  package var actionName: String {
    func isPlain(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    if !type.isEmpty, type.utf8.allSatisfy({ isPlain($0) || $0 == UInt8(ascii: "-") }) { return type }
    return type.utf8.map { byte in
      isPlain(byte)
        ? String(Unicode.Scalar(byte)) : "-" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}

extension [ApplicationShortcutItem] {
  /// The item that somebody else means: by its type, else by the name of its action.
  package func item(named name: String) -> ApplicationShortcutItem? {
    first { $0.type == name } ?? first { $0.actionName == name }
  }
}
