import ProsceniumCore

/// The place of a child in its container, as GTK 3 writes it beside the child and GTK 4 as its layout.
@MainActor struct InterfacePacking {
  /// The properties in a box.
  static let ofStack: Set<String> = ["expand", "fill", "padding", "pack-type", "position"]
  /// The properties in a grid.
  static let ofGrid: Set<String> = [
    "column", "column-span", "height", "left-attach", "row", "row-span", "top-attach", "width",
  ]
  /// The most rows and columns of a grid.
  static let mostLines = 1000

  /// The directions in which the child gets a part of the room that is left.
  private(set) var expands: (horizontal: Bool, vertical: Bool)
  /// The place in a grid.
  private(set) var cell = GridView.Cell()
  /// Whether a box gives it a part of the room that is left, whatever it asks for.
  private var isExpanded = false
  /// Whether it fills that part, rather than being in the middle of it.
  private var fills = true
  private var padding = 0
  private var isAtEnd = false
  private var position: Int?

  init(expands: (horizontal: Bool, vertical: Bool)) { self.expands = expands }

  /// Sets a property; false where the value is none that it may have.
  mutating func set(_ name: String, _ value: String) -> Bool {
    switch name {
    case "expand": InterfaceProperty.flag(value).map { isExpanded = $0 } != nil
    case "fill": InterfaceProperty.flag(value).map { fills = $0 } != nil
    case "padding": whole(value, 0...InterfaceProperty.lengths).map { padding = $0 } != nil
    case "position": Int(value).map { position = $0 } != nil
    case "pack-type": ["start": false, "end": true][value].map { isAtEnd = $0 } != nil
    case "column", "left-attach": whole(value, 0...Self.mostLines - 1).map { cell.column = $0 } != nil
    case "row", "top-attach": whole(value, 0...Self.mostLines - 1).map { cell.row = $0 } != nil
    case "column-span", "width": whole(value, 1...Self.mostLines).map { cell.columns = $0 } != nil
    case "row-span", "height": whole(value, 1...Self.mostLines).map { cell.rows = $0 } != nil
    default: false
    }
  }

  private func whole(_ value: String, _ range: ClosedRange<Int>) -> Int? {
    Int(value).flatMap { range.contains($0) ? $0 : nil }
  }

  private func expands(along axis: StackView.Axis) -> Bool {
    isExpanded || (axis == .horizontal ? expands.horizontal : expands.vertical)
  }

  /// Adds children to a box: those at its end stand there in reverse order.
  static func pack(_ children: [(view: View, packing: InterfacePacking)], into box: StackView) {
    let ordered = children.enumerated().sorted {
      ($0.element.packing.position ?? $0.offset, $0.offset) < ($1.element.packing.position ?? $1.offset, $1.offset)
    }.map(\.element)
    for child in ordered { child.packing.place(child.view, along: box.axis) }
    let (start, end) = (ordered.filter { !$0.packing.isAtEnd }, ordered.filter(\.packing.isAtEnd).reversed())
    for child in start { box.addSubview(child.view) }
    if !end.isEmpty, !ordered.contains(where: { $0.packing.expands(along: box.axis) }) { box.addSubview(Spacer()) }
    for child in end { box.addSubview(child.view) }
  }

  private func place(_ view: View, along axis: StackView.Axis) {
    let expands = expands(along: axis)
    view.isStretching = expands
    var placement = view.stackPlacement
    placement.margins = placement.margins.sensible
    switch axis {
    case .horizontal:
      if expands, !fills, placement.horizontal == nil { placement.horizontal = .center }
      placement.margins.left += padding
      placement.margins.right += padding
    case .vertical:
      if expands, !fills, placement.vertical == nil { placement.vertical = .center }
      placement.margins.top += padding
      placement.margins.bottom += padding
    }
    view.stackPlacement = placement
  }
}
