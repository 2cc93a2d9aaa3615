import CPango
public import ProsceniumCore

/// A text laid out by Pango, with combining characters, both directions of writing and emoji.
///
/// All lengths are points. Positions in the text are UTF-8 offsets (those of `text.utf8`); an offset out of range or
/// within a character is replaced by the nearest valid one before it. Use it on the main thread only.
///
/// The time of a layout grows with its text: use one layout for each paragraph of a long text.
@preconcurrency @MainActor public final class TextLayout {
  private let layout: PangoObject?

  /// The direction of the text, where its letters do not decide.
  private let direction: TextDirection?

  /// Creates an empty text.
  public convenience init() { self.init(direction: nil, displayScale: Self.standardScale) }

  /// Creates an empty text for the pixels of a window.
  /// - Parameters:
  ///   - direction: The direction of the text that it is a part of; nil where its own letters decide.
  ///   - displayScale: The number of pixels per point.
  init(direction: TextDirection? = nil, displayScale: Double) {
    self.direction = direction
    self.displayScale = displayScale
    let context = direction == .rightToLeft ? PangoShared.rightToLeftContext : PangoShared.context
    layout = PangoObject(pango_layout_new(context?.pointer))
    if let pointer { pango_layout_set_attributes(pointer, PangoShared.attributes) }
    applyFont()
    applyWidth()
  }

  /// Creates a text in a font.
  /// - Parameters:
  ///   - text: The text.
  ///   - font: The font.
  public convenience init(_ text: String, font: Font = .system) {
    self.init()
    set(text, font)
  }

  /// Creates an empty text for the window of a view.
  convenience init(in view: View) {
    self.init(displayScale: view.window.map { Pixels(of: $0).scale } ?? Self.standardScale)
  }

  /// The layout of Pango; nil only without memory.
  var pointer: OpaquePointer? { layout?.pointer }

  /// The text.
  public var text = "" {
    // Not `==`, which compares canonical equivalents as equal.
    didSet {
      Responder.requireMainThread()
      if !oldValue.utf8.elementsEqual(text.utf8) { applyText() }
    }
  }

  /// The font; characters that it lacks come from other fonts.
  public var font = Font.system {
    didSet {
      Responder.requireMainThread()
      if oldValue != font { applyFont() }
    }
  }

  /// The number of pixels per point for which the letters are placed; at first that of the first screen.
  ///
  /// Each letter stands on a whole pixel where it is that of the window (`Window.scale`), so that sizes and line
  /// breaks may differ from one scale to another. The views of the framework follow their window; set it for a text
  /// that you draw, before you measure it. Limited to 0.1...32.
  public var displayScale: Double {
    didSet {
      Responder.requireMainThread()
      guard displayScale.isFinite else { return displayScale = oldValue }
      displayScale = min(max(displayScale, 0.1), 32)
      guard oldValue != displayScale else { return }
      applyFont()
      applyWidth()
    }
  }

  /// The scale of the first screen.
  static var standardScale: Double { Application.sharedIfLaunched?.screens.first?.scale ?? 1 }

  /// The largest width of a line in points; no limit where nil.
  public var width: Int? {
    didSet {
      Responder.requireMainThread()
      if oldValue != width { applyWidth() }
    }
  }

  /// The places where lines may be wrapped; used only with a ``width``.
  public var wrapping = TextWrapping.word {
    didSet {
      Responder.requireMainThread()
      if oldValue != wrapping { applyWidth() }
    }
  }

  /// The largest number of lines, the last one with an ellipsis if text is left out; no limit where nil.
  ///
  /// Where it is 1 the whole text is one line, with spaces for its line endings. A larger number is that of each
  /// paragraph.
  public var maximumLines: Int? {
    didSet {
      Responder.requireMainThread()
      guard oldValue != maximumLines else { return }
      applyText()
      applyWidth()
    }
  }

  /// The alignment of lines within the ``width``.
  ///
  /// The order of words is that of the text's letters with each of them. With ``TextAlignment/left`` and
  /// ``TextAlignment/right`` paragraphs of another direction than the first one stand at the other side.
  public var alignment = TextAlignment.natural {
    didSet {
      Responder.requireMainThread()
      if oldValue != alignment { applyAlignment() }
    }
  }

  /// The distance of lines in heights of a line; 0 for the font's own.
  public var lineSpacing = 0.0 {
    didSet {
      Responder.requireMainThread()
      guard let pointer, lineSpacing.isFinite else { return }
      pango_layout_set_line_spacing(pointer, Float(min(max(lineSpacing, 0), 100)))
    }
  }

  /// The size of the text in points, rounded up.
  public var size: Size {
    guard let pointer else { return Size(width: 0, height: 0) }
    var (width, height): (Int32, Int32) = (0, 0)
    pango_layout_get_size(pointer, &width, &height)
    return Size(width: ceilPoints(width), height: ceilPoints(height))
  }

  /// The size without a ``width``, which this sets to nil; kept, because measuring lays out the text.
  func measured() -> Size {
    if let natural { return natural }
    width = nil
    natural = size
    return size
  }
  private var natural: Size?

  /// The distance in points from the top to the first baseline.
  public var baseline: Int { pointer.map { floorPoints(pango_layout_get_baseline($0)) } ?? 0 }

  /// The number of lines; at least one.
  public var lineCount: Int { pointer.map { Int(pango_layout_get_line_count($0)) } ?? 1 }

  /// Whether a part of the text is replaced by an ellipsis.
  public var isTruncated: Bool { pointer.map { pango_layout_is_ellipsized($0) != 0 } ?? false }

  /// Draws those of the first lines of the text that are in a visible part.
  /// - Parameters:
  ///   - context: The context to draw in.
  ///   - count: The number of lines.
  ///   - heights: The visible part, in points from the text's upper edge.
  ///   - origin: The upper left corner of the text, in points.
  ///   - color: The colour of the letters.
  func draw(in context: DrawingContext, lines count: Int, within heights: Range<Int>, at origin: Point, color: Color) {
    if let pointer { PangoShared.reportMissingFonts(pointer) }
    context.setSource(color, 1)
    context.withCairo(displayScale, at: origin) { cairo, x, y in
      eachLine { number, line, extents, baseline in
        guard number < count else { return false }
        // Combining marks may extend into other lines.
        var ink = PangoRectangle()
        pango_layout_line_get_extents(line, &ink, nil)
        let (top, bottom) = (floorPoints(baseline + ink.y), ceilPoints(baseline + ink.y + ink.height))
        guard top < heights.upperBound, bottom > heights.lowerBound else { return true }
        cairo_move_to(
          cairo, x + Double(extents.x) / Double(PANGO_SCALE), y + Double(baseline) / Double(PANGO_SCALE))
        pango_cairo_show_layout_line(cairo, line)
        return true
      }
      cairo_new_path(cairo)
    }
  }

  /// Draws the text.
  /// - Parameters:
  ///   - context: The context to draw in.
  ///   - origin: The upper left corner of the text, or of its ``width``, in points.
  ///   - color: The colour of the letters; emoji have their own.
  ///   - alpha: The opacity, 0...1, by which that of the colour is multiplied.
  public func draw(in context: DrawingContext, at origin: Point, color: Color, alpha: Double = 1) {
    guard let pointer else { return }
    PangoShared.reportMissingFonts(pointer)
    context.setSource(color, alpha)
    context.withCairo(displayScale, at: origin) { cairo, x, y in
      cairo_move_to(cairo, x, y)
      pango_cairo_show_layout(cairo, pointer)
      // The current point would become the start of the next path.
      cairo_new_path(cairo)
    }
  }

  /// A number that changes with each new layout of the text.
  var serial: UInt32 { pointer.map { pango_layout_get_serial($0) } ?? 0 }

  /// Frees the lines; they are laid out again when they are used.
  func purge() { if let pointer { pango_layout_context_changed(pointer) } }

  // Observers are not called for assignments in an initialiser.
  private func set(_ text: String, _ font: Font) {
    self.text = text
    self.font = font
  }

  private func applyText() {
    natural = nil
    guard let pointer else { return }
    var plain = mayHaveSpaces ? String(String.UnicodeScalarView(text.unicodeScalars.map(shown))) : text
    plain.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        pango_layout_set_text(pointer, characters.baseAddress, Int32(clamping: characters.count))
      }
    }
    if alignment == .left || alignment == .right { applyAlignment() }
  }

  /// Whether the text may have characters for which spaces are shown; found without a look at each character.
  private var mayHaveSpaces: Bool {
    guard maximumLines == 1 else { return text.utf8.contains(0) }
    return text.utf8.contains { $0 < 0x20 || $0 == 0xC2 || $0 == 0xE2 }
  }

  /// What is shown for a character: for one at which Pango stops, or begins another line than the only one, a space of
  /// as many bytes, which keeps the offsets.
  private func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0: " "
    case 0x0A...0x0D where maximumLines == 1: " "
    case 0x85 where maximumLines == 1: "\u{A0}"
    case 0x2028...0x2029 where maximumLines == 1: "\u{2002}"
    default: scalar
    }
  }

  private func applyFont() {
    natural = nil
    guard let pointer, let description = pango_font_description_new() else { return }
    pango_font_description_set_family(description, font.family)
    let size = font.size.isFinite ? min(max(font.size, 1), 1000) : Font.system.size
    // An absolute size: the scale of the window defines points, not the resolution of the screen. Pango rounds places
    // to its whole units of length, so these are pixels.
    pango_font_description_set_absolute_size(description, size * displayScale * Double(PANGO_SCALE))
    pango_font_description_set_weight(description, PangoWeight(UInt32(font.weight.rawValue)))
    pango_font_description_set_style(description, font.isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
    pango_layout_set_font_description(pointer, description)
    pango_font_description_free(description)
  }

  private func applyWidth() {
    guard let pointer else { return }
    let limit = width.map { units(max($0, 0), .up) }
    pango_layout_set_width(pointer, limit ?? -1)
    pango_layout_set_wrap(pointer, wrapping == .character ? PANGO_WRAP_CHAR : PANGO_WRAP_WORD_CHAR)
    // Pango wraps every text with a width, except one with an ellipsis after the first line of each paragraph (height
    // -1).
    let lines = wrapping == .none ? 1 : maximumLines
    pango_layout_set_ellipsize(pointer, limit == nil || lines == nil ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END)
    pango_layout_set_height(pointer, lines.map { -Int32(min(max($0, 1), 1 << 20)) } ?? -1)
    applyAlignment()
  }

  private func applyAlignment() {
    guard let pointer else { return }
    // Where the letters decide the direction Pango exchanges the sides of lines from right to left.
    var isExchanged: Bool { direction == nil && TextDirection(of: text) == .rightToLeft }
    switch alignment {
    case .natural where direction == .rightToLeft: pango_layout_set_alignment(pointer, PANGO_ALIGN_RIGHT)
    case .natural: pango_layout_set_alignment(pointer, PANGO_ALIGN_LEFT)
    case .left: pango_layout_set_alignment(pointer, isExchanged ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT)
    case .center: pango_layout_set_alignment(pointer, PANGO_ALIGN_CENTER)
    case .right: pango_layout_set_alignment(pointer, isExchanged ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT)
    }
    pango_layout_set_auto_dir(pointer, direction == nil ? 1 : 0)
  }
}

extension [TextLayout] {
  /// Lays the texts out for a scale; returns whether one of them had another.
  @MainActor func follow(_ scale: Double) -> Bool {
    let changed = filter { $0.displayScale != scale }
    for text in changed { text.displayScale = scale }
    return !changed.isEmpty
  }
}
