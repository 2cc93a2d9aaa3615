/// A date that is edited part by part.
struct DateEditing: Hashable, Sendable {
  var fields: DateFields
  /// The parts in their order.
  let parts: [DatePart]
  let twelveHours: Bool
  /// The selected part, as an index of ``parts``.
  private(set) var selection = 0
  /// The digits that were typed into the selected part, and are not its number yet.
  private(set) var typed = ""

  init(_ fields: DateFields, _ parts: [DatePart], twelveHours: Bool) {
    self.fields = fields
    self.parts = parts
    self.twelveHours = twelveHours
  }

  private var part: DatePart? { parts.indices.contains(selection) ? parts[selection] : nil }

  // MARK: Moving

  /// Selects the next or the previous part.
  /// - Returns: Whether there is one.
  mutating func move(by step: Int) -> Bool {
    guard parts.indices.contains(selection + step) else { return false }
    select(selection + step)
    return true
  }

  mutating func select(_ index: Int) {
    commit()
    selection = min(max(index, 0), max(0, parts.count - 1))
  }

  // MARK: Changing

  /// Adds a digit to what is typed; where no further one can follow the next part is selected.
  mutating func type(_ digit: Int) {
    guard let part, part != .half, (0...9).contains(digit) else { return }
    typed += "\(digit)"
    let (number, most) = (Int(typed) ?? 0, fields.range(of: part, twelveHours: twelveHours).upperBound)
    guard typed.count >= digits(of: part) || number * 10 > most else { return }
    commit()
    _ = move(by: 1)
  }

  /// Ends the part that is being typed, as a separator does; behind one that is complete it stands already.
  mutating func endPart() {
    guard !typed.isEmpty else { return }
    commit()
    _ = move(by: 1)
  }

  /// Sets the parts to those of other fields, in place of what is being typed.
  mutating func enter(_ other: DateFields) {
    typed = ""
    // The order of the cases: the days of a month depend on the month and the year.
    for part in DatePart.allCases where parts.contains(part) {
      fields.set(part, to: other.number(of: part, twelveHours: twelveHours), twelveHours: twelveHours)
    }
  }

  /// Takes the last typed digit back.
  mutating func deleteBackward() { typed = String(typed.dropLast()) }

  /// Makes what is typed the number of the part.
  mutating func commit() {
    guard let part, var number = Int(typed) else { return }
    // Years of two digits are those of this century.
    if part == .year, typed.count <= 2 { number += 2000 }
    fields.set(part, to: number, twelveHours: twelveHours)
    typed = ""
  }

  /// Changes the part by a step; after its largest number comes its smallest.
  mutating func step(by step: Int) {
    commit()
    guard let part else { return }
    let range = fields.range(of: part, twelveHours: twelveHours)
    let place = fields.number(of: part, twelveHours: twelveHours) - range.lowerBound + step
    fields.set(part, to: range.lowerBound + (place % range.count + range.count) % range.count, twelveHours: twelveHours)
  }

  /// Sets the half of the day, where it is selected.
  mutating func setHalf(_ half: Int) { if part == .half { fields.set(.half, to: half, twelveHours: twelveHours) } }

  // MARK: Showing

  /// Whether other fields look the same in these parts.
  func shows(_ other: DateFields) -> Bool {
    parts.allSatisfy {
      fields.number(of: $0, twelveHours: twelveHours) == other.number(of: $0, twelveHours: twelveHours)
    }
  }

  private func digits(of part: DatePart) -> Int { part == .year ? 4 : 2 }

  /// The digits of a part, with those that are typed.
  func text(of index: Int) -> String {
    let part = parts[index]
    let text = index == selection && !typed.isEmpty ? typed : "\(fields.number(of: part, twelveHours: twelveHours))"
    return String(repeating: "0", count: max(0, digits(of: part) - text.count)) + text
  }
}
