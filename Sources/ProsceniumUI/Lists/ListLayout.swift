import ProsceniumCore

/// Where the items of a list are, and where keys lead from one to another.
protocol ListLayout: Sendable {
  var contentSize: Size { get }
  func frame(of item: Int) -> Rect
  /// The items that a part of the list shows, in order.
  func items(in part: Rect) -> [Range<Int>]
  /// The headers and footers that a part of the list shows.
  func supplements(in part: Rect) -> [ListSupplement: Rect]
  /// The item that an arrow leads to; the same one at the end of the list.
  func item(_ direction: ListDirection, of item: Int) -> Int
  /// The item that is about so many points below another one, or above it.
  func item(_ distance: Int, below item: Int) -> Int
  /// The place between items that is nearest to a point: the number of the item behind it, in its section.
  func place(at point: Point) -> (section: Int, item: Int)
  /// The line that shows a place between items.
  func mark(of place: (section: Int, item: Int)) -> Rect
}

extension ListLayout {
  /// The item at a point; nil for none.
  func item(at point: Point) -> Int? { items(in: Rect(point, Size(width: 1, height: 1))).first?.first }
}

/// A step of the arrows.
enum ListDirection: Hashable, Sendable, CaseIterable { case up, down, left, right }

/// The header or the footer of a section.
struct ListSupplement: Hashable, Sendable {
  enum Kind: Hashable, Sendable, CaseIterable { case header, footer }
  var kind: Kind
  var section: Int
}

/// Rows one below the other, in sections that may have a header and a footer.
struct RowLayout: ListLayout {
  /// The heights of the header and the footer of a section; 0 for none.
  struct Edges: Hashable, Sendable {
    var header = 0
    var footer = 0
  }

  /// The least and the greatest height of a row.
  static let heights = 1...(1 << 16)

  private let sections: ListSections
  private let width: Int
  private let rowHeight: Int
  /// The upper edge of each row and the lower one of the last, as if there were rows alone; nil where all have the
  /// same height.
  private let edges: [Int]?
  private let around: [Edges]
  /// The upper edge of each section, and the lower one of the last.
  private let tops: [Int]

  /// - Parameters:
  ///   - sections: The rows.
  ///   - width: The width of the table.
  ///   - rowHeight: The height of a row.
  ///   - heights: The height of each row; nil where all have the same.
  ///   - around: The headers and the footers.
  init(_ sections: ListSections, width: Int, rowHeight: Int, heights: [Int]? = nil, around: [Edges]) {
    func bounded(_ height: Int) -> Int { min(max(height, Self.heights.lowerBound), Self.heights.upperBound) }
    self.sections = sections
    self.width = width
    self.rowHeight = bounded(rowHeight)
    self.around = around
    edges = heights.map { heights in
      var (edges, sum) = ([0], 0)
      edges.reserveCapacity(heights.count + 1)
      for height in heights {
        sum += bounded(height)
        edges.append(sum)
      }
      return edges
    }
    var tops = [0]
    for (section, room) in around.enumerated() {
      let items = sections.items(in: section)
      let rows = edges.map { $0[items.upperBound] - $0[items.lowerBound] } ?? items.count * self.rowHeight
      tops.append((tops.last ?? 0) + room.header + rows + room.footer)
    }
    self.tops = tops
  }

  /// Rows of one height, without headers.
  init(_ sections: ListSections, width: Int) {
    self.init(sections, width: width, rowHeight: 28, around: .init(repeating: Edges(), count: sections.count))
  }

  var contentSize: Size { Size(width: width, height: tops.last ?? 0) }

  /// The upper edge of a row, or the lower one of the row before it.
  private func edge(_ item: Int, in section: Int) -> Int {
    let first = sections.items(in: section).lowerBound
    let distance = edges.map { $0[item] - $0[first] } ?? (item - first) * rowHeight
    return tops[section] + around[section].header + distance
  }

  func frame(of item: Int) -> Rect {
    let section = sections.section(of: item)
    let top = edge(item, in: section)
    return Rect(x: 0, y: top, width: width, height: edge(item + 1, in: section) - top)
  }

  /// The section at a height; nil without sections.
  private func section(at y: Int) -> Int? {
    sections.count == 0 ? nil : min(max(0, tops.partitioningIndex { $0 > y } - 1), sections.count - 1)
  }

  /// The first row whose lower edge is below a height; the end of the section's for none.
  private func row(at y: Int, in section: Int) -> Int {
    let items = sections.items(in: section)
    return items.partitioningIndex { edge($0 + 1, in: section) > y }
  }

  func items(in part: Rect) -> [Range<Int>] {
    let (start, end) = (part.origin.y, part.origin.y + part.size.height)
    guard start < end, part.origin.x < width, part.origin.x + part.size.width > 0,
      let first = section(at: start), let last = section(at: end - 1)
    else { return [] }
    return (first...last).compactMap { section in
      let items = row(at: start, in: section)..<max(row(at: start, in: section), rowEnd(end, in: section))
      return items.isEmpty ? nil : items
    }
  }

  /// The first row whose upper edge is at a height or below.
  private func rowEnd(_ y: Int, in section: Int) -> Int {
    sections.items(in: section).partitioningIndex { edge($0, in: section) >= y }
  }

  func supplements(in part: Rect) -> [ListSupplement: Rect] {
    let (start, end) = (part.origin.y, part.origin.y + part.size.height)
    guard start < end, let first = section(at: start), let last = section(at: end - 1) else { return [:] }
    var found: [ListSupplement: Rect] = [:]
    for section in first...last {
      let (room, top, bottom) = (around[section], tops[section], tops[section + 1])
      if room.header > 0 {
        // A header stays in sight as long as its section is.
        let y = max(top, min(start, bottom - room.footer - room.header))
        found[ListSupplement(kind: .header, section: section)] = Rect(x: 0, y: y, width: width, height: room.header)
      }
      if room.footer > 0, bottom > start, bottom - room.footer < end {
        found[ListSupplement(kind: .footer, section: section)] = Rect(
          x: 0, y: bottom - room.footer, width: width, height: room.footer)
      }
    }
    return found
  }

  func item(_ direction: ListDirection, of item: Int) -> Int {
    switch direction {
    case .up: max(0, item - 1)
    case .down: min(item + 1, max(0, sections.itemCount - 1))
    case .left, .right: item
    }
  }

  func item(_ distance: Int, below item: Int) -> Int {
    let place = frame(of: item)
    let y = place.origin.y + distance
    guard let section = section(at: min(max(0, y), max(0, contentSize.height - 1))) else { return item }
    let found = min(row(at: y, in: section), max(0, sections.itemCount - 1))
    // A page goes on at least by a row, which may be higher than it.
    guard found == item else { return found }
    return distance == 0 ? item : self.item(distance < 0 ? .up : .down, of: item)
  }

  func place(at point: Point) -> (section: Int, item: Int) {
    guard let section = section(at: point.y) else { return (0, 0) }
    let items = sections.items(in: section)
    let row = row(at: point.y, in: section)
    guard row < items.upperBound else { return (section, items.count) }
    let place = frame(of: row)
    let isBelow = point.y >= place.origin.y + place.size.height / 2
    return (section, row - items.lowerBound + (isBelow ? 1 : 0))
  }

  func mark(of place: (section: Int, item: Int)) -> Rect {
    let y = edge(sections.items(in: place.section).lowerBound + place.item, in: place.section)
    return Rect(x: 0, y: max(0, y - 1), width: width, height: 2)
  }

  /// What a pinned header hides above a row that is to be seen.
  func header(above item: Int) -> Int { around[sections.section(of: item)].header }
}
