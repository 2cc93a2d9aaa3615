import CPango
public import ProsceniumCore

/// Conversion between points and offsets of a laid out text.
extension TextLayout {
  /// The character at a point, and the half of it that the point is on.
  ///
  /// A point outside the text gives the nearest character.
  /// - Parameter point: The point, relative to the text's upper left corner.
  /// - Returns: The UTF-8 offset of the character, and the number of scalars from it to the nearest caret: 0 on its
  ///   leading half.
  public func index(at point: Point) -> (index: Int, trailing: Int) {
    let hit = hit(point)
    return (hit.index, hit.trailing)
  }

  /// The UTF-8 offset of the character at a point, on either half of it; nil beside its line, the first one for a point
  /// above the text, and the last one below.
  func character(at point: Point) -> Int? {
    let hit = hit(Point(x: point.x, y: min(max(0, point.y), size.height - 1)))
    return hit.isInside ? hit.index : nil
  }

  private func hit(_ point: Point) -> (index: Int, trailing: Int, isInside: Bool) {
    guard let pointer else { return (0, 0, false) }
    var (index, trailing): (Int32, Int32) = (0, 0)
    let isInside = pango_layout_xy_to_index(pointer, units(point.x, .down), units(point.y, .down), &index, &trailing)
    return (aligned(Int(index)), Int(trailing), isInside != 0)
  }

  /// The UTF-8 offset of the caret after a click at a point.
  /// - Parameter point: The point, relative to the text's upper left corner.
  /// - Returns: The offset.
  public func caretOffset(at point: Point) -> Int {
    let (index, trailing) = index(at: point)
    return offset(index, plus: trailing)
  }

  /// The rectangle of the caret before the character at an offset.
  ///
  /// It is as high as its line and 0 points wide, and at the end of the text for the offset `text.utf8.count`.
  /// - Parameter utf8Offset: The UTF-8 offset.
  /// - Returns: The rectangle in points, relative to the text's upper left corner.
  public func caret(at utf8Offset: Int) -> Rect {
    guard let pointer else { return Rect(x: 0, y: 0, width: 0, height: 0) }
    var strong = PangoRectangle()
    pango_layout_get_cursor_pos(pointer, Int32(clamping: aligned(utf8Offset)), &strong, nil)
    let top = floorPoints(strong.y)
    return Rect(x: floorPoints(strong.x), y: top, width: 0, height: ceilPoints(strong.y + strong.height) - top)
  }

  /// The number of the line that contains an offset, from 0.
  /// - Parameter utf8Offset: The UTF-8 offset.
  /// - Returns: The number.
  public func line(at utf8Offset: Int) -> Int {
    guard let pointer else { return 0 }
    var line: Int32 = 0
    pango_layout_index_to_line_x(pointer, Int32(clamping: aligned(utf8Offset)), 0, &line, nil)
    return max(0, Int(line))
  }

  /// The UTF-8 offsets of a line without its line ending; an empty range at the end of the text if there is no such
  /// line.
  /// - Parameter line: The number of the line, from 0.
  /// - Returns: The range of offsets.
  public func lineRange(_ line: Int) -> Range<Int> {
    guard let pointer, let first = pango_layout_get_line_readonly(pointer, Int32(clamping: line)) else {
      return text.utf8.count..<text.utf8.count
    }
    let start = Int(first.pointee.start_index)
    return start..<start + Int(first.pointee.length)
  }

  /// The rectangle of a line in points, relative to the text; empty if there is no such line.
  /// - Parameter line: The number of the line, from 0.
  /// - Returns: The rectangle.
  public func lineRect(_ line: Int) -> Rect {
    var found = Rect(x: 0, y: 0, width: 0, height: 0)
    eachLine { number, _, extents, _ in
      guard number == line else { return true }
      found = rect(extents)
      return false
    }
    return found
  }

  /// The distance in points from the top of the text to the baseline of a line.
  func baseline(ofLine line: Int) -> Int {
    var found: Int32 = 0
    eachLine { number, _, _, baseline in
      found = baseline
      return number < line
    }
    return floorPoints(found)
  }

  /// Whether the character at an offset is shown, and no ellipsis in its place.
  func shows(_ utf8Offset: Int) -> Bool {
    guard isTruncated, let pointer, let iterator = pango_layout_get_iter(pointer) else { return true }
    defer { pango_layout_iter_free(iterator) }
    let line = lineRange(line(at: utf8Offset))
    // The ellipsis stands for all characters from the first hidden one on.
    repeat {
      let start = Int(pango_layout_iter_get_index(iterator))
      if start > utf8Offset, line.contains(start) { return true }
    } while pango_layout_iter_next_cluster(iterator) != 0
    return false
  }

  /// The next place of the caret to the right or to the left on the screen, for any direction of the text.
  ///
  /// - Parameters:
  ///   - utf8Offset: The UTF-8 offset of the caret.
  ///   - count: The number of characters to the right; to the left where negative.
  /// - Returns: The new UTF-8 offset, at most the start or the end of the text.
  public func moveVisually(from utf8Offset: Int, by count: Int) -> Int {
    guard let pointer else { return 0 }
    var place = aligned(utf8Offset)
    for _ in 0..<min(abs(count), text.utf8.count + 1) {
      var (index, trailing): (Int32, Int32) = (0, 0)
      pango_layout_move_cursor_visually(pointer, 1, Int32(clamping: place), 0, count > 0 ? 1 : -1, &index, &trailing)
      // Beyond an end Pango answers -1 or the largest number.
      guard index >= 0, index != Int32.max else { return place }
      place = offset(aligned(Int(index)), plus: Int(trailing))
    }
    return place
  }

  /// The rectangles of a selection: one or more for each line, as high as the line.
  ///
  /// - Parameters:
  ///   - start: The UTF-8 offset of the first character.
  ///   - end: The UTF-8 offset after the last character.
  /// - Returns: The rectangles in points, relative to the text's upper left corner.
  public func selectionRects(from start: Int, to end: Int) -> [Rect] {
    let (first, last) = (aligned(min(start, end)), aligned(max(start, end)))
    guard first < last else { return [] }
    var rects: [Rect] = []
    eachLine { _, line, extents, _ in
      let range = Int(line.pointee.start_index)..<Int(line.pointee.start_index + line.pointee.length)
      guard range.lowerBound < last, range.upperBound > first else { return range.lowerBound < last }
      let (from, to) = (max(first, range.lowerBound), min(last, range.upperBound))
      var ranges: UnsafeMutablePointer<Int32>?
      var count: Int32 = 0
      pango_layout_line_get_x_ranges(line, Int32(clamping: from), Int32(clamping: to), &ranges, &count)
      defer { g_free(ranges) }
      guard let ranges else { return true }
      let (top, bottom) = (floorPoints(extents.y), ceilPoints(extents.y + extents.height))
      for index in 0..<Int(count) {
        let (left, right) = (floorPoints(ranges[2 * index]), ceilPoints(ranges[2 * index + 1]))
        if right > left { rects.append(Rect(x: left, y: top, width: right - left, height: bottom - top)) }
      }
      return true
    }
    return rects
  }

  /// Calls a function with each line, its number, its rectangle and its baseline in Pango's units, until it returns
  /// false.
  func eachLine(_ body: (Int, UnsafeMutablePointer<PangoLayoutLine>, PangoRectangle, Int32) -> Bool) {
    guard let pointer, let iterator = pango_layout_get_iter(pointer) else { return }
    defer { pango_layout_iter_free(iterator) }
    var number = 0
    repeat {
      var extents = PangoRectangle()
      pango_layout_iter_get_line_extents(iterator, nil, &extents)
      let baseline = pango_layout_iter_get_baseline(iterator)
      guard let line = pango_layout_iter_get_line_readonly(iterator), body(number, line, extents, baseline) else {
        return
      }
      number += 1
    } while pango_layout_iter_next_line(iterator) != 0
  }

  /// The offset of the character that contains an offset, limited to the text.
  private func aligned(_ offset: Int) -> Int {
    let bytes = text.utf8
    guard offset > 0 else { return 0 }
    guard offset < bytes.count else { return bytes.count }
    var place = bytes.index(bytes.startIndex, offsetBy: offset)
    var aligned = offset
    while aligned > 0, bytes[place] & 0xC0 == 0x80 {
      place = bytes.index(before: place)
      aligned -= 1
    }
    return aligned
  }

  private func offset(_ offset: Int, plus scalars: Int) -> Int {
    guard scalars > 0 else { return offset }
    let (bytes, all) = (text.utf8, text.unicodeScalars)
    let place = all.index(bytes.index(bytes.startIndex, offsetBy: offset), offsetBy: scalars, limitedBy: all.endIndex)
    return bytes.distance(from: bytes.startIndex, to: place ?? all.endIndex)
  }

  /// Points as Pango counts: in 1024ths of a pixel, in 32 bits.
  func units(_ points: Int, _ rounding: FloatingPointRoundingRule) -> Int32 {
    let most = Double(1 << 20)
    return Int32((min(max(Double(points) * displayScale, -most), most) * Double(PANGO_SCALE)).rounded(rounding))
  }
  func floorPoints(_ units: Int32) -> Int { points(units, .down) }
  func ceilPoints(_ units: Int32) -> Int { points(units, .up) }
  private func points(_ units: Int32, _ rounding: FloatingPointRoundingRule) -> Int {
    if displayScale == 1 { return (Int(units) + (rounding == .up ? Int(PANGO_SCALE) - 1 : 0)) >> 10 }
    // What is less than one unit comes from the division, and from widths, which are whole units.
    let unit = 1 / (displayScale * Double(PANGO_SCALE))
    let exact = Double(units) * unit
    let whole = exact.rounded()
    return Int(abs(exact - whole) < unit ? whole : exact.rounded(rounding))
  }
  private func rect(_ units: PangoRectangle) -> Rect {
    let (x, y) = (floorPoints(units.x), floorPoints(units.y))
    return Rect(
      x: x, y: y, width: ceilPoints(units.x + units.width) - x, height: ceilPoints(units.y + units.height) - y)
  }
}
