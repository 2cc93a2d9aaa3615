import FoundationEssentials
import ProsceniumCore

/// The order of the parts of a date and a time, and what is written between them.
struct DateForm: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case part(DatePart)
    case text(String)

    func isText(containing characters: String) -> Bool {
      if case .text(let text) = self { text.contains(characters) } else { false }
    }
  }
  var pieces: [Piece]
  /// The texts for the halves of the day; nil for a clock with 24 hours.
  var halves: [String]?

  var parts: [DatePart] { pieces.compactMap { if case .part(let part) = $0 { part } else { nil } } }
  var twelveHours: Bool { halves != nil }

  /// Whether a character is written between parts, in this form or in another region's.
  func isSeparator(_ characters: String) -> Bool {
    guard characters.count == 1 else { return false }
    return "/.-:, ".contains(characters) || pieces.contains { $0.isText(containing: characters) }
  }

  /// The order of a date by an example of the region's: the 22nd November 2033.
  ///
  /// Year, month and day with hyphens where they are not found in it, as in regions with digits of their own.
  static func pieces(ofDate example: String) -> [Piece] {
    var (pieces, rest) = ([Piece](), example[...])
    let numbers: [(String, DatePart)] = [("2033", .year), ("33", .year), ("11", .month), ("22", .day)]
    while let first = rest.first {
      if let (number, part) = numbers.first(where: { rest.hasPrefix($0.0) }) {
        pieces.append(.part(part))
        rest = rest.dropFirst(number.count)
      } else if case .text(let text) = pieces.last {
        pieces[pieces.count - 1] = .text(text + String(first))
        rest = rest.dropFirst()
      } else {
        pieces.append(.text(String(first)))
        rest = rest.dropFirst()
      }
    }
    let parts = DateForm(pieces: pieces).parts
    let hasDigits = pieces.contains { if case .text(let text) = $0 { text.contains(where: \.isNumber) } else { false } }
    guard parts.count == 3, Set(parts).count == 3, !hasDigits else {
      return [.part(.year), .text("-"), .part(.month), .text("-"), .part(.day)]
    }
    return pieces
  }

  /// The form of the user's region.
  @MainActor static func current(date: Bool, time: Bool) -> DateForm {
    let example = DateFields(year: 2033, month: 11, day: 22, hour: 1)
    var form = DateForm(pieces: date ? pieces(ofDate: LocaleFormatter.date(of: example.date)) : [])
    guard time else { return form }
    if date { form.pieces.append(.text("  ")) }
    form.pieces += [.part(.hour), .text(":"), .part(.minute)]
    guard LocaleSettings.current.usesTwelveHourClock else { return form }
    form.pieces += [.text(" "), .part(.half)]
    form.halves = [example, DateFields(year: 2033, month: 11, day: 22, hour: 13)].map { fields in
      // The time, a space, and the half.
      LocaleFormatter.time(of: fields.date).split(separator: " ", maxSplits: 1).last.map { String($0) } ?? ""
    }
    return form
  }
}
