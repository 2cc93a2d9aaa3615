public import FoundationEssentials
public import ProsceniumCore

/// The name of a window's file, which the user can drag out of the window, and whose folders a menu opens: the proxy
/// icon of AppKit's title bars.
///
/// ```swift
/// proxy.url = scene.representedURL
/// ```
///
/// A drag hands over the file's URL, as a file manager's does: to other programs, and to views that take
/// `text/uri-list`. The menu, by the right button, or by the Menu key while the view is the first responder, has the
/// folders that the file is in, the innermost first; one that is chosen is opened in the user's file manager
/// (`Application.open(_:options:completionHandler:)`). Without a ``url`` the view shows nothing, and is no element for
/// screen readers.
open class DocumentProxyView: View, Captioned {
  private(set) lazy var caption = Caption(of: self)

  /// Creates a view without a file.
  public override init() {
    super.init()
    let interaction = DragInteraction(delegate: self)
    addInteraction(interaction)
    accessibilityRole = .image
    isAccessibilityElement = false
  }

  /// The file; nil at first.
  ///
  /// Setting it where it was nil makes the view an element for screen readers, and setting nil makes it none.
  open var url: URL? {
    didSet {
      guard oldValue != url else { return }
      caption.text = url?.lastPathComponent ?? ""
      toolTip = url.map(Self.place)
      if (oldValue == nil) != (url == nil) { isAccessibilityElement = url != nil }
    }
  }

  /// The font of the name.
  open var font: Font {
    get { caption.font }
    set { caption.font = newValue }
  }

  private static func place(_ url: URL) -> String {
    url.isFileURL ? url.path(percentEncoded: false) : url.absoluteString
  }

  // MARK: The folders

  /// The folders that the file is in, the innermost first.
  private var folders: [URL] {
    guard let url, url.isFileURL else { return [] }
    var folders: [URL] = []
    var folder = url.standardizedFileURL.deletingLastPathComponent()
    while folders.last?.path != folder.path {
      folders.append(folder)
      folder = folder.deletingLastPathComponent()
    }
    return folders
  }

  /// The menu of the folders that the file is in; nil where there is no file.
  /// - Parameter point: The point in the view's own coordinates, in points.
  /// - Returns: The menu.
  open override func contextMenu(at point: Point) -> Menu? {
    let items = folders.map { folder in
      MenuItem(folder.path == "/" ? "/" : folder.lastPathComponent) { [weak self] in self?.open(folder) }
    }
    return items.isEmpty ? nil : Menu(children: items)
  }

  private func open(_ folder: URL) {
    #if !WITHOUT_OpenRequests
      Application.sharedIfLaunched?.open(folder) { isOpened in
        guard !isOpened else { return }
        Application.report("No application opens the folder \(Self.place(folder)). Install a file manager.")
      }
    #endif
  }

  open override var canBecomeFirstResponder: Bool { url != nil }

  // MARK: Looks

  /// The sheet of paper, and what is between it and the name.
  private static let icon = Size(width: 10, height: 13)
  private static let gap = 5
  /// The room around for the ring of the first responder.
  private static let room = 3

  override var texts: [TextLayout] { [caption.layout] }

  open override var intrinsicContentSize: Size {
    guard url != nil else { return Size(width: 0, height: 0) }
    let size = caption.layout.measured()
    return Size(
      width: size.width + Self.icon.width + Self.gap + 2 * Self.room,
      height: max(size.height, Self.icon.height) + 2 * Self.room)
  }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    guard url != nil else { return }
    let (theme, bounds) = (theme, bounds)
    let place = bounds.inset(x: Self.room, y: Self.room)
    let top = place.origin.y + (place.size.height - Self.icon.height) / 2
    context.stroke(Self.paper(at: Point(x: place.origin.x, y: top)), with: theme.secondaryLabel)
    let indent = Self.icon.width + Self.gap
    let name = Rect(
      x: place.origin.x + indent, y: place.origin.y, width: max(0, place.size.width - indent),
      height: place.size.height)
    caption.draw(in: name, context, color: theme.label)
    if isFirstResponder { context.strokeFocusRing(bounds, cornerRadius: 4, theme) }
  }

  /// A sheet of paper with a folded corner.
  private static func paper(at corner: Point) -> Path {
    let (left, top) = (Double(corner.x) + 0.5, Double(corner.y) + 0.5)
    let (right, bottom, fold) = (left + Double(icon.width) - 1, top + Double(icon.height) - 1, 4.0)
    var path = Path()
    path.move(toX: left, y: top)
    path.line(toX: right - fold, y: top)
    path.line(toX: right, y: top + fold)
    path.line(toX: right, y: bottom)
    path.line(toX: left, y: bottom)
    path.close()
    path.move(toX: right - fold, y: top)
    path.line(toX: right - fold, y: top + fold)
    path.line(toX: right, y: top + fold)
    return path
  }
}

extension DocumentProxyView: DragInteractionDelegate {
  /// The file.
  /// - Parameters:
  ///   - interaction: The interaction.
  ///   - point: Where the button went down, in points of the view.
  /// - Returns: An item of the file's URL; none without a file.
  public func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt point: Point) -> [DragItem] {
    url.map { [DragItem(url: $0)] } ?? []
  }
}
