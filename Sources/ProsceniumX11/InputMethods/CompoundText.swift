import Glibc

/// Text as X clients of different languages exchange it (Compound Text Encoding, version 1.1): parts in the character
/// sets of ISO 2022, each of which the C library converts.
///
/// What is not known, or not as the standard says, is left out; bytes that a character set lacks are U+FFFD.
enum CompoundText {
  /// A character set in one half of the codes.
  private struct CharacterSet {
    /// The name of an encoding that has the set, in iconv(3).
    var encoding: String
    var bytesPerCharacter = 1
    /// What that encoding has before each character of the set.
    var prefix: [UInt8] = []
    /// Whether its characters are in the upper half there.
    var isUpper = true
  }

  private static let escape: UInt8 = 0x1B
  private static let controlSequence: UInt8 = 0x9B
  private static let startOfText: UInt8 = 0x02
  private static let ascii = CharacterSet(encoding: "US-ASCII", isUpper: false)

  static func decode(_ bytes: [UInt8]) -> String {
    var text = ""
    // Of codes below and above 128 (section 4, "Initial state").
    var (lower, upper): (CharacterSet?, CharacterSet?) = (ascii, latin(1))
    var place = 0
    while place < bytes.count {
      let rest = bytes[place...]
      switch rest.first {
      case escape:
        guard let sequence = Escape(rest) else { return text }
        place += sequence.length
        switch sequence.kind {
        case .lower(let set): lower = set
        case .upper(let set): upper = set
        case .text(let encoding, let content): text += convert(Array(content), from: encoding)
        }
      case controlSequence:
        // A direction of writing: parameters, and one last byte (section 6).
        place += 1
        while place < bytes.count, (0x20...0x3F).contains(bytes[place]) { place += 1 }
        place += 1
      default:
        let isUpper = bytes[place] >= 0x80
        let run = rest.prefix { ($0 >= 0x80) == isUpper && $0 != escape && $0 != controlSequence }
        text += convert(run, in: isUpper ? upper : lower)
        place += run.count
      }
    }
    return text
  }

  // MARK: Escape sequences

  private struct Escape {
    enum Kind {
      case lower(CharacterSet?)
      case upper(CharacterSet?)
      /// A part that has an encoding of its own.
      case text(String, ArraySlice<UInt8>)
    }

    var kind: Kind
    /// Including what belongs to it.
    var length: Int

    /// Reads a sequence at the start of bytes; nil where it does not end.
    init?(_ bytes: ArraySlice<UInt8>) {
      let middle = bytes.dropFirst().prefix { (0x20...0x2F).contains($0) }
      guard let last = bytes.dropFirst(1 + middle.count).first else { return nil }
      length = middle.count + 2
      let rest = bytes.dropFirst(length)
      switch Array(middle) {
      // 94 characters (section 5, and "Approved Standard Encodings").
      case [0x28]: kind = .lower(CompoundText.small(last, isUpper: false))
      case [0x29]: kind = .upper(CompoundText.small(last, isUpper: true))
      // 96 characters.
      case [0x2D]: kind = .upper(CompoundText.latin(ofFinal: last))
      // 94 times 94 characters.
      case [0x24, 0x28]: kind = .lower(CompoundText.large(last))
      case [0x24, 0x29]: kind = .upper(CompoundText.large(last))
      // UTF-8, up to the sequence that ends it (XFree86's addition to the standard).
      case [0x25] where last == UInt8(ascii: "G"):
        let text = rest.prefix(upTo: CompoundText.end(ofText: rest))
        kind = .text("UTF-8", text)
        length += text.count
      case [0x25]: kind = .upper(CompoundText.latin(1))
      // An extended segment: the size of what follows, the name of its encoding, and the text (section 7).
      case [0x25, 0x2F]:
        guard rest.count >= 2 else { return nil }
        let size = Int(rest[rest.startIndex] & 0x7F) << 7 | Int(rest[rest.startIndex + 1] & 0x7F)
        let content = rest.dropFirst(2).prefix(size)
        guard content.count == size, let mark = content.firstIndex(of: CompoundText.startOfText) else { return nil }
        let name = String(decoding: content[..<mark], as: UTF8.self)
        kind = .text(CompoundText.extended[name.lowercased()] ?? "", content[(mark + 1)...])
        length += 2 + size
      default: kind = .upper(nil)
      }
    }
  }

  /// Where UTF-8 ends: at `ESC % @`, or with the bytes.
  private static func end(ofText bytes: ArraySlice<UInt8>) -> Int {
    bytes.indices.first { bytes[$0...].starts(with: [escape, 0x25, 0x40]) } ?? bytes.endIndex
  }

  // MARK: Character sets

  private static func latin(_ number: Int) -> CharacterSet { CharacterSet(encoding: "ISO-8859-\(number)") }

  private static func latin(ofFinal byte: UInt8) -> CharacterSet? {
    let numbers: [UInt8: Int] = [
      0x41: 1, 0x42: 2, 0x43: 3, 0x44: 4, 0x46: 7, 0x47: 6, 0x48: 8, 0x4C: 5, 0x4D: 9, 0x54: 11, 0x56: 10, 0x59: 13,
      0x5F: 14, 0x62: 15, 0x66: 16,
    ]
    return numbers[byte].map(latin)
  }

  private static func small(_ byte: UInt8, isUpper: Bool) -> CharacterSet? {
    switch byte {
    case UInt8(ascii: "B"): ascii
    // The left half of JIS X 0201 has two other signs, which nobody means.
    case UInt8(ascii: "J"): ascii
    case UInt8(ascii: "I"): CharacterSet(encoding: "EUC-JP", prefix: [0x8E])
    default: nil
    }
  }

  private static func large(_ byte: UInt8) -> CharacterSet? {
    switch byte {
    case UInt8(ascii: "A"): CharacterSet(encoding: "EUC-CN", bytesPerCharacter: 2)
    case UInt8(ascii: "B"): CharacterSet(encoding: "EUC-JP", bytesPerCharacter: 2)
    case UInt8(ascii: "C"): CharacterSet(encoding: "EUC-KR", bytesPerCharacter: 2)
    case UInt8(ascii: "D"): CharacterSet(encoding: "EUC-JP", bytesPerCharacter: 2, prefix: [0x8F])
    case UInt8(ascii: "G"): CharacterSet(encoding: "EUC-TW", bytesPerCharacter: 2)
    case UInt8(ascii: "H")...UInt8(ascii: "M"):
      CharacterSet(encoding: "EUC-TW", bytesPerCharacter: 2, prefix: [0x8E, 0xA2 + byte - UInt8(ascii: "H")])
    default: nil
    }
  }

  /// The encodings of extended segments, by the names that Xlib has for them.
  private static let extended = [
    "big5-0": "BIG5", "big5hkscs-0": "BIG5-HKSCS", "gbk-0": "GBK", "gb18030.2000-0": "GB18030", "koi8-r": "KOI8-R",
    "koi8-u": "KOI8-U", "iso8859-15": "ISO-8859-15", "tis620-0": "TIS-620", "microsoft-cp1251": "CP1251",
    "iso10646-1": "UTF-8",
  ]

  // MARK: Conversion

  private static func convert(_ run: ArraySlice<UInt8>, in set: CharacterSet?) -> String {
    guard let set else { return "" }
    var converted: [UInt8] = []
    var character: [UInt8] = []
    for byte in run {
      // Control characters have no character set.
      guard byte & 0x7F >= 0x20 else {
        converted.append(byte)
        continue
      }
      character.append(set.isUpper ? byte | 0x80 : byte & 0x7F)
      guard character.count == set.bytesPerCharacter else { continue }
      converted += set.prefix + character
      character = []
    }
    return convert(converted, from: set.encoding)
  }

  private static func convert(_ bytes: [UInt8], from encoding: String) -> String {
    if encoding == "UTF-8" || encoding == "US-ASCII" { return String(decoding: bytes, as: UTF8.self) }
    guard !encoding.isEmpty, let converter = iconv_open("UTF-8", encoding), Int(bitPattern: converter) != -1 else {
      return bytes.isEmpty ? "" : "\u{FFFD}"
    }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // No character of these sets has more than four bytes in UTF-8.
    var output = [CChar](repeating: 0, count: 4 * input.count)
    var text = ""
    var start = 0
    while start < input.count {
      var (left, room) = (input.count - start, output.count)
      let isValid = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          var (from, to) = (input.baseAddress.map { $0 + start }, output.baseAddress)
          return iconv(converter, &from, &left, &to, &room) != -1
        }
      }
      text += String(decoding: output.prefix(output.count - room).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      start = input.count - left
      guard !isValid else { break }
      text += "\u{FFFD}"
      start += 1
    }
    return text
  }
}
