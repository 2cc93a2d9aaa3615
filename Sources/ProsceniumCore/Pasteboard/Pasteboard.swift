public import FoundationEssentials

/// What is copied and pasted, between the parts of a program and between programs.
///
/// Copying takes the pasteboard at once. What is pasted comes from another program, which may take its time or never
/// answer: so reading is asynchronous, and ends without an answer when nothing has come for five seconds. What this
/// program has copied itself is answered without asking anybody. What was copied can be pasted as long as the program
/// runs.
///
/// All of it is used on the main thread, while the program is running.
@preconcurrency @MainActor public final class Pasteboard {
  /// What the user copies and cuts (on X11 the selection `CLIPBOARD`).
  public static let general = Pasteboard(.general)

  /// What the user selected last, pasted by the middle button (on X11 the selection `PRIMARY`).
  public static let primary = Pasteboard(.primary)

  private let name: PasteboardName

  private init(_ name: PasteboardName) { self.name = name }

  private var platform: (any Platform)? { Application.sharedIfLaunched?.conductor?.platform }

  // MARK: Copying

  /// Replaces what is there by a text.
  public func setString(_ string: String) { setItems([PasteboardItem(text: string)]) }

  /// Replaces what is there by one thing in several forms, the best form first.
  ///
  /// Of each type there is one form: the first. Without any form the pasteboard is given up, if it is this program's.
  public func setItems(_ items: [PasteboardItem]) {
    var types: Set<String> = []
    platform?.write(items.filter { types.insert($0.type).inserted }, to: name)
  }

  // MARK: Pasting

  /// The text that is there; nil where there is none, or its owner does not answer.
  public func string() async -> String? {
    await data(type: PasteboardItem.textType).map { String(decoding: $0, as: UTF8.self) }
  }

  /// What is there in the form of a MIME type, such as `image/png`; nil where there is none, or its owner does not
  /// answer.
  public func data(type: String) async -> Data? { await item(ofTypes: [type])?.data }

  /// What is there in the first of these forms that its owner has.
  public func item(ofTypes types: [String]) async -> PasteboardItem? {
    guard let platform else { return nil }
    return await withCheckedContinuation { continuation in
      platform.read(types, from: name) { continuation.resume(returning: $0) }
    }
  }

  /// The MIME types of all forms of what is there; empty where there is nothing, or its owner does not answer.
  public func types() async -> [String] {
    guard let platform else { return [] }
    return await withCheckedContinuation { continuation in
      platform.readTypes(of: name) { continuation.resume(returning: $0) }
    }
  }

  /// Whether there is text.
  public func hasStrings() async -> Bool { await types().contains(PasteboardItem.textType) }

  /// Whether there is a picture, of whatever type.
  public func hasImages() async -> Bool { await types().contains { $0.hasPrefix("image/") } }
}
