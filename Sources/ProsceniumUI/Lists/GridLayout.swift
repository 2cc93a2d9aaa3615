public import ProsceniumCore

/// How the items of a ``CollectionView`` are placed: in lines, from left to right, as many as there is room for.
///
/// All lengths are points; those that make no sense count as the nearest that do.
public struct CollectionViewFlowLayout: Hashable, Sendable {
  /// The size of each item.
  public var itemSize: Size
  /// The room between two items of a line.
  public var interitemSpacing: Int
  /// The room between two lines.
  public var lineSpacing: Int
  /// The room around the items of a section.
  public var sectionInset: StackPlacement.Margins

  /// Makes a layout.
  /// - Parameters:
  ///   - itemSize: The size of each item.
  ///   - interitemSpacing: The room between two items of a line.
  ///   - lineSpacing: The room between two lines.
  ///   - sectionInset: The room around the items of a section.
  public init(
    itemSize: Size = Size(width: 96, height: 96), interitemSpacing: Int = 8, lineSpacing: Int = 8,
    sectionInset: StackPlacement.Margins = .init(left: 8, top: 8, right: 8, bottom: 8)
  ) {
    self.itemSize = itemSize
    self.interitemSpacing = interitemSpacing
    self.lineSpacing = lineSpacing
    self.sectionInset = sectionInset
  }
}

/// Items of one size in lines, in sections.
struct GridLayout: ListLayout {
  private let sections: ListSections
  private let width: Int
  private let size: Size
  /// The distance of two items, from the left edge and from the upper edge to that of the next one.
  private let step: Size
  private let inset: StackPlacement.Margins
  /// The number of items of a line.
  let columns: Int
  /// The upper edge of each section, and the lower one of the last.
  private let tops: [Int]

  init(_ sections: ListSections, width: Int, _ flow: CollectionViewFlowLayout) {
    func bounded(_ length: Int, _ least: Int) -> Int { min(max(length, least), 1 << 16) }
    let size = Size(width: bounded(flow.itemSize.width, 1), height: bounded(flow.itemSize.height, 1))
    let step = Size(
      width: size.width + bounded(flow.interitemSpacing, 0), height: size.height + bounded(flow.lineSpacing, 0))
    let around = flow.sectionInset
    let inset = StackPlacement.Margins(
      left: bounded(around.left, 0), top: bounded(around.top, 0), right: bounded(around.right, 0),
      bottom: bounded(around.bottom, 0))
    let columns = max(1, (width - inset.left - inset.right + step.width - size.width) / step.width)
    var tops = [0]
    for section in 0..<sections.count {
      let lines = (sections.items(in: section).count + columns - 1) / columns
      let height = lines == 0 ? 0 : inset.top + lines * step.height - (step.height - size.height) + inset.bottom
      tops.append((tops.last ?? 0) + height)
    }
    (self.sections, self.width, self.size, self.step, self.inset) = (sections, width, size, step, inset)
    (self.columns, self.tops) = (columns, tops)
  }

  var contentSize: Size { Size(width: width, height: tops.last ?? 0) }

  func frame(of item: Int) -> Rect {
    let section = sections.section(of: item)
    let index = item - sections.items(in: section).lowerBound
    return Rect(
      Point(
        x: inset.left + index % columns * step.width,
        y: tops[section] + inset.top + index / columns * step.height), size)
  }

  func items(in part: Rect) -> [Range<Int>] {
    let (start, end) = (part.origin.y, part.origin.y + part.size.height)
    guard part.size.width > 0, start < end, sections.count > 0 else { return [] }
    let left = part.origin.x - inset.left
    // The first column whose right edge, and the end of those whose left edge, is within the part.
    let column = max(0, left < size.width ? 0 : (left - size.width) / step.width + 1)
    let columnEnd = min(columns, left + part.size.width <= 0 ? 0 : (left + part.size.width - 1) / step.width + 1)
    guard column < columnEnd else { return [] }
    var found: [Range<Int>] = []
    for section in max(0, tops.partitioningIndex { $0 > start } - 1)..<sections.count {
      guard tops[section] < end else { break }
      let items = sections.items(in: section)
      let top = start - tops[section] - inset.top
      let line = max(0, top < size.height ? 0 : (top - size.height) / step.height + 1)
      let bottom = end - tops[section] - inset.top
      let lines = (items.count + columns - 1) / columns
      let lineEnd = min(lines, bottom <= 0 ? 0 : (bottom - 1) / step.height + 1)
      guard line < lineEnd else { continue }
      if column == 0, columnEnd == columns {
        let range = items.lowerBound + line * columns..<min(items.upperBound, items.lowerBound + lineEnd * columns)
        found.append(range)
        continue
      }
      for line in line..<lineEnd {
        let first = items.lowerBound + line * columns + column
        let range = first..<max(first, min(items.upperBound, first + columnEnd - column))
        if !range.isEmpty { found.append(range) }
      }
    }
    return found
  }

  func supplements(in part: Rect) -> [ListSupplement: Rect] { [:] }

  func item(_ direction: ListDirection, of item: Int) -> Int {
    let section = sections.section(of: item)
    let items = sections.items(in: section)
    switch direction {
    case .left: return max(0, item - 1)
    case .right: return min(item + 1, max(0, sections.itemCount - 1))
    case .up:
      if item - columns >= items.lowerBound { return item - columns }
      guard let above = (0..<section).last(where: { !sections.items(in: $0).isEmpty }) else { return item }
      let others = sections.items(in: above)
      let lastLine = others.lowerBound + (others.count - 1) / columns * columns
      return min(lastLine + item - items.lowerBound, others.upperBound - 1)
    case .down:
      let index = item - items.lowerBound
      // The last line may be short of the item below.
      if index / columns < (items.count - 1) / columns { return min(item + columns, items.upperBound - 1) }
      guard let below = (section + 1..<sections.count).first(where: { !sections.items(in: $0).isEmpty }) else {
        return item
      }
      let others = sections.items(in: below)
      return min(others.lowerBound + index % columns, others.upperBound - 1)
    }
  }

  func item(_ distance: Int, below item: Int) -> Int {
    // A page goes on at least by a line, which may be higher than it.
    var (item, left) = (item, distance == 0 ? 0 : max(1, abs(distance) / step.height))
    while left > 0 {
      let next = self.item(distance < 0 ? .up : .down, of: item)
      guard next != item else { break }
      (item, left) = (next, left - 1)
    }
    return item
  }

  func place(at point: Point) -> (section: Int, item: Int) {
    guard sections.count > 0 else { return (0, 0) }
    let section = min(max(0, tops.partitioningIndex { $0 > point.y } - 1), sections.count - 1)
    let count = sections.items(in: section).count
    let line = max(0, point.y - tops[section] - inset.top) / step.height
    let column = min(max(0, point.x - inset.left + step.width / 2) / step.width, columns)
    return (section, min(line * columns + column, count))
  }

  func mark(of place: (section: Int, item: Int)) -> Rect {
    let items = sections.items(in: place.section)
    let isEnd = place.item == items.count && place.item > 0
    guard !items.isEmpty else { return Rect(x: inset.left, y: tops[place.section], width: 2, height: 0) }
    let frame = frame(of: items.lowerBound + (isEnd ? place.item - 1 : place.item))
    let gap = step.width - size.width
    let x = isEnd ? frame.origin.x + frame.size.width + gap / 2 : frame.origin.x - gap / 2
    return Rect(x: max(0, x - 1), y: frame.origin.y, width: 2, height: frame.size.height)
  }
}
