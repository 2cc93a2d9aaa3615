import CPango
public import ProsceniumCore

/// A text that has been laid out by Pango: with combining characters, both directions, and emoji.
///
/// All lengths are points, all places in the text are UTF-8 offsets (those of `text.utf8`): an offset out of range or within
/// a character is taken to the nearest one before it that is right. Used on the main thread alone.
///
/// A layout costs time in proportion to its text: make one for each paragraph of a long text.
@preconcurrency @MainActor public final class TextLayout {
  private let layout: PangoObject?

  /// Which side the text begins at, where its own letters are not to decide.
  private let direction: TextDirection?

  /// An empty text.
  public convenience init() { self.init(direction: nil) }

  /// A text that is a part of another one, whose direction it has.
  init(direction: TextDirection?) {
    self.direction = direction
    let context = direction == .rightToLeft ? PangoShared.rightToLeftContext : PangoShared.context
    layout = PangoObject(pango_layout_new(context?.pointer))
    if let pointer { pango_layout_set_attributes(pointer, PangoShared.attributes) }
    applyFont()
    applyWidth()
  }

  /// A text in a font.
  public convenience init(_ text: String, font: Font = .system) {
    self.init()
    set(text, font)
  }

  /// Pango's own; nil only if there is no memory.
  var pointer: OpaquePointer? { layout?.pointer }

  /// The text.
  public var text = "" {
    // Not `==`, to which different code points may be the same text.
    didSet { if !oldValue.utf8.elementsEqual(text.utf8) { applyText() } }
  }

  /// The font; those that it lacks characters of are filled in from others.
  public var font = Font.system {
    didSet { if oldValue != font { applyFont() } }
  }

  /// How wide a line may be; as wide as it gets where nil.
  public var width: Int? {
    didSet { if oldValue != width { applyWidth() } }
  }

  /// Where lines may end; only used with a ``width``.
  public var wrapping = TextWrapping.word {
    didSet { if oldValue != wrapping { applyWidth() } }
  }

  /// How many lines are shown at most, the last one with an ellipsis for what is left out; all of them where nil.
  public var maximumLines: Int? {
    didSet { if oldValue != maximumLines { applyWidth() } }
  }

  /// Where the lines are within the ``width``.
  public var alignment = TextAlignment.natural {
    didSet { if oldValue != alignment { applyWidth() } }
  }

  /// From one line to the next in heights of a line; 0 leaves it to the font.
  public var lineSpacing = 0.0 {
    didSet {
      guard let pointer, lineSpacing.isFinite else { return }
      pango_layout_set_line_spacing(pointer, Float(min(max(lineSpacing, 0), 100)))
    }
  }

  /// How wide and how high the text is, rounded up.
  public var size: Size {
    guard let pointer else { return Size(width: 0, height: 0) }
    var (width, height): (Int32, Int32) = (0, 0)
    pango_layout_get_size(pointer, &width, &height)
    return Size(width: points(up: width), height: points(up: height))
  }

  /// How far below the top the first line's letters stand.
  public var baseline: Int { pointer.map { Int(pango_layout_get_baseline($0)) / Int(PANGO_SCALE) } ?? 0 }

  /// How many lines there are; at least one.
  public var lineCount: Int { pointer.map { Int(pango_layout_get_line_count($0)) } ?? 1 }

  /// Whether some of the text is left out.
  public var isTruncated: Bool { pointer.map { pango_layout_is_ellipsized($0) != 0 } ?? false }

  /// Draws the first lines of the text, of which a part of the window can be seen.
  /// - Parameters:
  ///   - context: Where to.
  ///   - count: How many lines.
  ///   - heights: What can be seen, from the text's upper edge.
  ///   - origin: The upper left corner of the text.
  ///   - color: The letters' colour.
  func draw(in context: DrawingContext, lines count: Int, within heights: Range<Int>, at origin: Point, color: Color) {
    if let pointer { PangoShared.complainWithoutFonts(pointer) }
    context.setSource(color, 1)
    context.withCairo { cairo in
      eachLine { number, line, extents, baseline in
        guard number < count else { return false }
        // Marks may reach into other lines.
        var ink = PangoRectangle()
        pango_layout_line_get_extents(line, &ink, nil)
        let (top, bottom) = (floorPoints(baseline + ink.y), ceilPoints(baseline + ink.y + ink.height))
        guard top < heights.upperBound, bottom > heights.lowerBound else { return true }
        cairo_move_to(
          cairo, Double(origin.x) + Double(extents.x) / Double(PANGO_SCALE),
          Double(origin.y) + Double(baseline) / Double(PANGO_SCALE))
        pango_cairo_show_layout_line(cairo, line)
        return true
      }
      cairo_new_path(cairo)
    }
  }

  /// Draws the text.
  /// - Parameters:
  ///   - context: Where to.
  ///   - origin: The upper left corner of the text, or of its ``width``.
  ///   - color: The letters' colour; emoji have their own.
  ///   - alpha: How opaque the letters are.
  public func draw(in context: DrawingContext, at origin: Point, color: Color, alpha: Double = 1) {
    guard let pointer else { return }
    PangoShared.complainWithoutFonts(pointer)
    context.setSource(color, alpha)
    context.withCairo { cairo in
      cairo_move_to(cairo, Double(origin.x), Double(origin.y))
      pango_cairo_show_layout(cairo, pointer)
      // A current point would be the beginning of the next path.
      cairo_new_path(cairo)
    }
  }

  /// Another number after each change that has the text laid out anew.
  var serial: UInt32 { pointer.map { pango_layout_get_serial($0) } ?? 0 }

  /// Gives back the lines; they are laid out again when somebody asks for them.
  func purge() { if let pointer { pango_layout_context_changed(pointer) } }

  // An initialiser would set them without their observers.
  private func set(_ text: String, _ font: Font) {
    self.text = text
    self.font = font
  }

  private func applyText() {
    guard let pointer else { return }
    // Pango ends at a NUL; a space keeps the offsets.
    var plain = text.utf8.contains(0) ? String(text.map { $0 == "\0" ? " " : $0 }) : text
    plain.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        let count = Int32(clamping: characters.count)
        if let start = characters.baseAddress {
          pango_layout_set_text(pointer, start, count)
        } else {
          pango_layout_set_text(pointer, "", 0)
        }
      }
    }
  }

  private func applyFont() {
    guard let pointer, let description = pango_font_description_new() else { return }
    pango_font_description_set_family(description, font.family)
    let size = font.size.isFinite ? min(max(font.size, 1), 1000) : Font.system.size
    // Absolute: a point is the window's business, not the screen's resolution.
    pango_font_description_set_absolute_size(description, size * Double(PANGO_SCALE))
    pango_font_description_set_weight(description, PangoWeight(UInt32(font.weight.rawValue)))
    pango_font_description_set_style(description, font.isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
    pango_layout_set_font_description(pointer, description)
    pango_font_description_free(description)
  }

  private func applyWidth() {
    guard let pointer else { return }
    // Pango counts in 1024ths, in 32 bits.
    let limit = width.map { Int32(min(max($0, 0), 1 << 20)) * PANGO_SCALE }
    pango_layout_set_width(pointer, limit ?? -1)
    pango_layout_set_wrap(pointer, wrapping == .character ? PANGO_WRAP_CHAR : PANGO_WRAP_WORD_CHAR)
    // Pango wraps whatever has a width, unless it may end each paragraph in an ellipsis after its first line (height -1).
    let lines = wrapping == .none ? 1 : maximumLines
    pango_layout_set_ellipsize(pointer, limit == nil || lines == nil ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END)
    pango_layout_set_height(pointer, lines.map { -Int32(min(max($0, 1), 1 << 20)) } ?? -1)
    switch alignment {
    case .natural where direction == .rightToLeft: pango_layout_set_alignment(pointer, PANGO_ALIGN_RIGHT)
    case .natural, .left: pango_layout_set_alignment(pointer, PANGO_ALIGN_LEFT)
    case .center: pango_layout_set_alignment(pointer, PANGO_ALIGN_CENTER)
    case .right: pango_layout_set_alignment(pointer, PANGO_ALIGN_RIGHT)
    }
    pango_layout_set_auto_dir(pointer, alignment == .natural && direction == nil ? 1 : 0)
  }

  private func points(up units: Int32) -> Int { (Int(units) + Int(PANGO_SCALE) - 1) / Int(PANGO_SCALE) }
}
