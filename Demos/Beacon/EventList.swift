#if canImport(ProsceniumUI)
  import Proscenium
  import ProsceniumUI

  /// The events, the latest one on top, each with a mark in the colour of where it comes from.
  final class EventList: View {
    private static let margin = 12

    /// The lines that were shown last: an event that stays in sight is not laid out again.
    private var lines: [String: TextLayout] = [:]
    /// The lines in sight from above, and what a screen reader knows them by.
    private var places: [(text: String, place: Rect)] = []
    private var elements: [String: AccessibilityElement] = [:]

    override init() {
      super.init()
      (accessibilityRole, accessibilityLabel) = (.list, "Events")
      EventLog.shared.listeners[ObjectIdentifier(self)] = { [weak self] in self?.setNeedsDisplay() }
    }

    /// The user may edit the preference while the program runs.
    private var font: Font { Font(size: min(max(Application.shared.preferences[.textSize], 6), 72)) }

    isolated deinit { EventLog.shared.listeners[ObjectIdentifier(self)] = nil }

    override var accessibilityObjects: [any AccessibilityObject] {
      let (scale, known) = (window?.scale ?? 1, elements)
      func pixels(_ length: Int) -> Int { Int(Double(length) * scale) }
      elements = [:]
      for (text, place) in places {
        let element = known[text] ?? AccessibilityElement(.listItem, label: text)
        let (corner, size) = (convert(place.origin, to: nil), place.size)
        element.accessibilityFrame = Rect(
          x: pixels(corner.x), y: pixels(corner.y), width: pixels(size.width), height: pixels(size.height))
        elements[text] = element
      }
      return places.compactMap { elements[$0.text] }
    }

    override func draw(_ rect: Rect, in context: DrawingContext) {
      context.fill(bounds, with: theme.contentBackground)
      let (margin, font) = (Self.margin, font)
      var shown: [String: TextLayout] = [:]
      var y = margin
      places = []
      for entry in EventLog.shared.entries {
        guard y < bounds.size.height else { break }
        let text = "\(entry.time)   \(entry.text)"
        let layout = lines[text] ?? TextLayout(text)
        (layout.font, layout.displayScale) = (font, context.scale)
        layout.width = max(1, bounds.size.width - 3 * margin)
        shown[text] = layout
        context.fill(
          Rect(x: margin, y: y + 3, width: 6, height: max(6, layout.size.height - 6)), cornerRadius: 3,
          with: entry.source.color)
        context.draw(layout, at: Point(x: 2 * margin, y: y), color: theme.label)
        places.append((text, Rect(x: margin, y: y, width: bounds.size.width - 2 * margin, height: layout.size.height)))
        y += layout.size.height + 6
      }
      lines = shown
    }
  }

  extension EventLog.Source {
    fileprivate var color: Color {
      switch self {
      case .launch: Color(rgb: 0x8E8E93)
      case .scene: Color(rgb: 0x2E8B57)
      case .request: Color(rgb: 0x0A84FF)
      case .user: Color(rgb: 0xE0A030)
      case .time: Color(rgb: 0x32ADE6)
      case .power: Color(rgb: 0xFFD60A)
      case .accessory: Color(rgb: 0x66D4CF)
      case .sensor: Color(rgb: 0x30D158)
      case .location: Color(rgb: 0x5E5CE6)
      case .display: Color(rgb: 0xBF5AF2)
      case .preference: Color(rgb: 0xFF9F0A)
      case .memory: Color(rgb: 0xFF453A)
      case .media: Color(rgb: 0xFF375F)
      }
    }
  }
#endif
