/// Letters and digits made of squares, three across and five down.
enum Lettering {
  /// Five rows of three bits, from the top: one octal digit each.
  private static let glyphs: [Character: UInt16] = [
    "0": 0o75557, "1": 0o26227, "2": 0o71747, "3": 0o71717, "4": 0o55711, "5": 0o74717, "6": 0o74757, "7": 0o71111,
    "8": 0o75757, "9": 0o75717, "A": 0o25755, "C": 0o34443, "D": 0o65556, "E": 0o74647, "I": 0o72227, "K": 0o55655,
    "L": 0o44447, "O": 0o25552, "P": 0o65644, "R": 0o65655, "S": 0o34216, "U": 0o55557,
  ]

  /// How many squares a text is wide, with one between its letters.
  static func width(of text: String) -> Int { max(text.count * 4 - 1, 0) }

  /// The runs of squares of a text, in squares from its upper left corner; an unknown letter is a gap.
  static func runs(of text: String) -> [(x: Int, y: Int, width: Int)] {
    var runs: [(x: Int, y: Int, width: Int)] = []
    for (index, character) in text.enumerated() {
      guard let glyph = glyphs[character] else { continue }
      for row in 0..<5 {
        let bits = glyph >> (12 - 3 * row) & 7
        switch bits {
        case 0: break
        // The only row of two runs.
        case 5: runs += [(index * 4, row, 1), (index * 4 + 2, row, 1)]
        default: runs.append((index * 4 + bits.leadingZeroBitCount - 13, row, bits.nonzeroBitCount))
        }
      }
    }
    return runs
  }
}
