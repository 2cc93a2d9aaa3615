/// What a text is for, as an input method is told before it offers words (UIKit's `UITextInputTraits`).
public struct TextInputTraits: Hashable, Sendable {
  /// What is typed (UIKit's `UIKeyboardType`).
  public enum KeyboardType: Hashable, Sendable, CaseIterable {
    /// Any text.
    case `default`
    /// ASCII characters.
    case asciiCapable
    /// The address of a page.
    case url
    /// An address of mail.
    case emailAddress
    /// Digits.
    case numberPad
    /// A number, with a sign and a decimal separator.
    case decimalPad
    /// A telephone number.
    case phonePad
    /// The name of a person.
    case namePhonePad
    /// Commands of a terminal.
    case terminal
  }

  /// Which letters an input method writes in upper case (UIKit's `UITextAutocapitalizationType`).
  public enum AutocapitalizationType: Hashable, Sendable, CaseIterable {
    /// The input method's own choice.
    case automatic
    /// None.
    case none
    /// The first one of each word.
    case words
    /// The first one of each sentence.
    case sentences
    /// All.
    case allCharacters
  }

  /// Whether an input method does something for the user (UIKit's `UITextSpellCheckingType`).
  public enum Assistance: Hashable, Sendable, CaseIterable {
    /// As the input method is set.
    case automatic
    /// It should.
    case yes
    /// It should not.
    case no
  }

  /// What is typed.
  public var keyboardType = KeyboardType.default
  /// Whether the text is a secret: an input method never gets a part of it, and should not remember what is typed.
  public var isSecureTextEntry = false
  /// Which letters are written in upper case.
  public var autocapitalizationType = AutocapitalizationType.automatic
  /// Whether words are checked.
  public var spellCheckingType = Assistance.automatic
  /// Whether words are completed.
  public var inlinePredictionType = Assistance.automatic
  /// Whether the text has more than one line.
  public var isMultiline = false

  /// The traits of any text.
  public init() {}
}

/// A text that an input method composes, and that is not part of the document yet (UIKit's marked text).
///
/// Positions are numbers of characters (grapheme clusters, as in `String`) of ``text``.
public struct TextComposition: Hashable, Sendable {
  /// A part of the text that is shown in a way of its own.
  public struct Segment: Hashable, Sendable {
    /// The characters.
    public var range: Range<Int>
    /// Whether they are what the next choice replaces, shown as a selection.
    public var isHighlighted: Bool

    /// A part of a text.
    /// - Parameters:
    ///   - range: The characters.
    ///   - isHighlighted: Whether they are what the next choice replaces.
    public init(_ range: Range<Int>, isHighlighted: Bool) {
      self.range = range
      self.isHighlighted = isHighlighted
    }
  }

  /// The text, on one line.
  public let text: String
  /// The number of characters before the caret; nil where no caret is shown.
  public let caret: Int?
  /// The parts that are highlighted, in order; all of the text is underlined.
  public let segments: [Segment]
  /// What stays in the document when the user goes elsewhere in the middle of it; empty for nothing.
  public let remainder: String

  /// A text that is being composed.
  ///
  /// Bounds outside the text count as its nearest end; parts without characters are left out.
  /// - Parameters:
  ///   - text: The text; line endings and control characters become spaces.
  ///   - caret: The number of characters before the caret; nil for no caret.
  ///   - segments: The parts that are shown in a way of their own.
  ///   - remainder: What stays when the user goes elsewhere.
  public init(_ text: String, caret: Int? = nil, segments: [Segment] = [], remainder: String = "") {
    func isPlain(_ character: Character) -> Bool {
      character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } && !character.isNewline
    }
    let text = text.allSatisfy(isPlain) ? text : String(text.map { isPlain($0) ? $0 : " " })
    let count = text.count
    func limited(_ place: Int) -> Int { min(max(0, place), count) }
    self.text = text
    self.caret = caret.map(limited)
    self.segments = segments.compactMap { segment in
      let range = limited(segment.range.lowerBound)..<limited(segment.range.upperBound)
      return range.isEmpty ? nil : Segment(range, isHighlighted: segment.isHighlighted)
    }
    self.remainder = remainder
  }
}

/// The text around a caret, as much of it as an input method should know.
///
/// Positions are numbers of characters of ``text``.
public struct SurroundingText: Hashable, Sendable {
  /// The text: a paragraph, or the nearest part of a long one.
  public let text: String
  /// The fixed end of the selection; ``caret`` without a selection.
  public let anchor: Int
  /// The caret.
  public let caret: Int

  /// A text around a caret; bounds outside the text count as its nearest end.
  /// - Parameters:
  ///   - text: The text.
  ///   - anchor: The fixed end of the selection.
  ///   - caret: The caret.
  public init(_ text: String, anchor: Int, caret: Int) {
    let count = text.count
    self.text = text
    self.anchor = min(max(0, anchor), count)
    self.caret = min(max(0, caret), count)
  }
}
