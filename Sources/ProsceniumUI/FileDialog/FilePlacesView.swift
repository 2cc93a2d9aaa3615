import FoundationEssentials
import ProsceniumCore

/// The places at the side of a dialog for files; selecting one leads there.
final class FilePlacesView: TableView {
  private(set) var places: [FilePlace] = []
  /// Called when the user selects a place.
  var chosen: ((FilePlace) -> Void)?
  /// The folder that the dialog shows; its place is selected, where it is one.
  var path = "" { didSet { if oldValue != path { showSelection() } } }

  override init() {
    super.init()
    register({ FilePlaceCell() }, forCellReuseIdentifier: "place")
    (dataSource, delegate) = (self, self)
    accessibilityLabel = "Places"
    hasEdge = true
    isStretching = false
    stackPlacement.minimumSize.width = 150
  }

  func show(_ new: [FilePlace]) {
    places = new
    reloadData()
    showSelection()
  }

  private func showSelection() {
    if let row = places.firstIndex(where: { $0.path == path }) {
      selectRow(at: IndexPath(row: row, section: 0))
    } else if let selected = indexPathForSelectedRow {
      deselectRow(at: selected)
    }
  }
}

extension FilePlacesView: TableViewDataSource, TableViewDelegate {
  func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { places.count }

  func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
    let cell = dequeueReusableCell(withIdentifier: "place", for: indexPath)
    (cell as? FilePlaceCell)?.show(places[indexPath.row])
    return cell
  }

  func tableView(_ tableView: TableView, typeSelectTextForRowAt indexPath: IndexPath) -> String? {
    places[indexPath.row].name
  }

  func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath) { chosen?(places[indexPath.row]) }

  func tableView(_ tableView: TableView, performPrimaryActionForRowAt indexPath: IndexPath) {
    chosen?(places[indexPath.row])
  }
}

/// A place.
final class FilePlaceCell: TableViewCell {
  private var kind = FilePlace.Kind.folder

  func show(_ place: FilePlace) {
    kind = place.kind
    textLabel.text = FilePath.shown(place.name)
    accessibilityHint = place.path
    setNeedsDisplay()
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    textLabel.frame.origin.x += FileIcon.room
    textLabel.frame.size.width = max(0, textLabel.frame.size.width - FileIcon.room)
  }

  override func draw(_ rect: Rect, in context: DrawingContext) {
    super.draw(rect, in: context)
    let icon: FileIcon =
      switch kind {
      case .home: .house
      case .folder: .folder
      case .medium: .disk
      case .root: .machine
      }
    icon.draw(atX: 10, middle: bounds.size.height / 2, in: context, theme, isSelected: isSelected)
  }
}

/// What stands before the name of a file or a place: simple shapes of 16 by 16 points.
enum FileIcon: Hashable, CaseIterable {
  case folder, document, house, disk, machine

  /// The room for an icon before a name, in points.
  static let room = 24

  @MainActor func draw(atX x: Int, middle: Int, in context: DrawingContext, _ theme: Theme, isSelected: Bool) {
    let (left, top) = (Double(x), Double(middle - 8))
    let line = isSelected || theme.isHighContrast ? theme.label : theme.secondaryLabel
    func filled(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ radius: Double, _ color: Color) {
      context.fill(
        Path(x: left + x, y: top + y, width: width, height: height, cornerRadius: radius), with: color)
    }
    func outlined(_ points: [(Double, Double)], isClosed: Bool = true) {
      var path = Path()
      for (index, point) in points.enumerated() {
        if index == 0 {
          path.move(toX: left + point.0, y: top + point.1)
        } else {
          path.line(toX: left + point.0, y: top + point.1)
        }
      }
      if isClosed { path.close() }
      context.stroke(path, with: line, lineWidth: 1.25)
    }
    switch self {
    case .folder:
      filled(0, 1, 7, 5, 1.5, theme.accent)
      filled(0, 3, 16, 12, 2, theme.accent)
      // The edge of the front, lower than the back.
      filled(1.5, 6, 13, 1, 0.5, theme.contentBackground)
    case .document:
      outlined([(2.5, 0.75), (9.5, 0.75), (13.5, 4.75), (13.5, 15.25), (2.5, 15.25)])
      outlined([(9.5, 0.75), (9.5, 4.75), (13.5, 4.75)], isClosed: false)
      for row in [8, 11] { outlined([(5, Double(row)), (11, Double(row))], isClosed: false) }
    case .house:
      outlined([(0.75, 8), (8, 1.5), (15.25, 8)], isClosed: false)
      outlined([(3, 6.5), (3, 14.5), (13, 14.5), (13, 6.5)], isClosed: false)
      outlined([(6.5, 14.5), (6.5, 9.5), (9.5, 9.5), (9.5, 14.5)], isClosed: false)
    case .disk:
      outlined([(3, 3), (13, 3), (15.25, 9), (15.25, 13.5), (0.75, 13.5), (0.75, 9)])
      outlined([(0.75, 9), (15.25, 9)], isClosed: false)
      filled(11, 10.5, 2, 2, 1, line)
    case .machine:
      outlined([(0.75, 2), (15.25, 2), (15.25, 11), (0.75, 11)])
      outlined([(8, 11), (8, 14)], isClosed: false)
      outlined([(4.5, 14.25), (11.5, 14.25)], isClosed: false)
    }
  }
}
