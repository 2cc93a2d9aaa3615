public import FoundationEssentials

/// Copied data, for the parts of a program and for other programs.
///
/// Copying makes the program the owner at once. Pasted data comes from another program, which may be slow or never
/// answer: reading is asynchronous, and ends without a result after five seconds without data. Data that this
/// program has copied itself is returned without a request. It can be pasted as long as the program
/// runs.
///
/// Used on the main thread, while the program is running.
@preconcurrency @MainActor public final class Pasteboard {
  /// The data that the user copies and cuts (on X11 the selection `CLIPBOARD`).
  public static let general = Pasteboard(.general)

  /// The data that the user selected last, pasted by the middle button (on X11 the selection `PRIMARY`).
  public static let primary = Pasteboard(.primary)

  private let name: PasteboardName

  private init(_ name: PasteboardName) { self.name = name }

  private var platform: (any Platform)? { Application.sharedIfLaunched?.conductor?.platform }

  // MARK: Copying

  /// Replaces the contents by a text.
  /// - Parameter string: The text.
  public func setString(_ string: String) { setItems([PasteboardItem(text: string)]) }

  /// Replaces the contents by one object in several representations, the best one first.
  ///
  /// Of each type the first representation counts. With none, the program releases the pasteboard if it owns it.
  /// - Parameter items: The representations.
  public func setItems(_ items: [PasteboardItem]) {
    assertMainThread()
    var types: Set<String> = []
    platform?.write(items.filter { types.insert($0.type).inserted }, to: name)
  }

  // MARK: Pasting

  /// Reads the text.
  /// - Returns: The text; nil where there is none, or its owner does not answer.
  public func string() async -> String? {
    await data(type: PasteboardItem.textType).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The contents in a MIME type, such as `image/png`; nil where there are none, or the owner does not
  /// answer.
  /// - Parameter type: The MIME type.
  /// - Returns: The bytes.
  public func data(type: String) async -> Data? { await item(ofTypes: [type])?.data }

  /// The contents in the first of these types that the owner has.
  /// - Parameter types: The MIME types, the best one first.
  /// - Returns: The representation; nil where there is none, or the owner does not answer.
  public func item(ofTypes types: [String]) async -> PasteboardItem? {
    guard let platform else { return nil }
    return await withMainActorContinuation { continuation in
      platform.read(types, from: name) { continuation.resume(returning: $0) }
    }
  }

  /// Asks for the MIME types of the contents.
  /// - Returns: The types; empty where there are none, or the owner does not answer.
  public func types() async -> [String] {
    guard let platform else { return [] }
    return await withMainActorContinuation { continuation in
      platform.readTypes(of: name) { continuation.resume(returning: $0) }
    }
  }

  /// Asks whether the contents have text.
  /// - Returns: Whether they do.
  public func hasStrings() async -> Bool { await types().contains(PasteboardItem.textType) }

  /// Asks whether the contents have a picture, of any type.
  /// - Returns: Whether they do.
  public func hasImages() async -> Bool { await types().contains { $0.hasPrefix("image/") } }
}
