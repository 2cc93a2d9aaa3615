public import FoundationEssentials

extension IndexPath {
  /// Creates the path of a row of a table.
  /// - Parameters:
  ///   - row: The number of the row in its section.
  ///   - section: The number of the section.
  public init(row: Int, section: Int) { self = [section, row] }

  /// Creates the path of an item of a collection.
  /// - Parameters:
  ///   - item: The number of the item in its section.
  ///   - section: The number of the section.
  public init(item: Int, section: Int) { self = [section, item] }

  /// The number of the section; -1 for an empty path.
  public var section: Int { isEmpty ? -1 : self[0] }

  /// The number of the row in its section; -1 for the path of a section.
  public var row: Int { count < 2 ? -1 : self[1] }

  /// The number of the item in its section; -1 for the path of a section.
  public var item: Int { row }
}

/// How many items each section of a list has.
///
/// Within a list all items are numbered through, so that a selection of a million of them is one range.
struct ListSections: Hashable, Sendable {
  /// The most items of a list: their numbers, multiplied by their heights, are no more than an `Int` holds.
  static let most = 1 << 32

  /// The number of the first item of each section, and the number of items.
  private var starts = [0]

  init() {}

  init(counts: [Int]) {
    starts.reserveCapacity(counts.count + 1)
    var sum = 0
    for count in counts {
      sum = min(sum + min(max(count, 0), Self.most), Self.most)
      starts.append(sum)
    }
  }

  var itemCount: Int { starts.last ?? 0 }
  var count: Int { starts.count - 1 }

  func items(in section: Int) -> Range<Int> { starts[section]..<starts[section + 1] }

  /// The section of an item; the last one that begins at it or before.
  func section(of item: Int) -> Int { starts.partitioningIndex { $0 > item } - 1 }

  func path(of item: Int) -> IndexPath {
    let section = section(of: item)
    return IndexPath(item: item - starts[section], section: section)
  }

  /// The item at a path; nil for a path that leads nowhere.
  func item(at path: IndexPath) -> Int? {
    guard path.count == 2, (0..<count).contains(path.section) else { return nil }
    let items = items(in: path.section)
    return path.item >= 0 && path.item < items.count ? items.lowerBound + path.item : nil
  }

  /// The place before an item, or after the last one of its section; nil for a path that leads nowhere.
  func place(at path: IndexPath) -> Int? {
    guard path.count == 2, (0..<count).contains(path.section) else { return nil }
    let items = items(in: path.section)
    return path.item >= 0 && path.item <= items.count ? items.lowerBound + path.item : nil
  }
}

extension RandomAccessCollection {
  /// The first index whose element meets a condition that all behind it meet as well; the end for none.
  func partitioningIndex(where belongs: (Element) -> Bool) -> Index {
    var (start, length) = (startIndex, count)
    while length > 0 {
      let half = length / 2
      let middle = index(start, offsetBy: half)
      if belongs(self[middle]) {
        length = half
      } else {
        start = index(after: middle)
        length -= half + 1
      }
    }
    return start
  }
}
