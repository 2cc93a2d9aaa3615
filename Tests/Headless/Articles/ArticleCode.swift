import FoundationEssentials

/// The Swift code of the articles, and the tests' text that it has to be.
///
/// A test file has the code of an article between two lines, `// Begin: code of NAME.md` and `// End: code of
/// NAME.md`, so that what people copy has been compiled and run. Compared are the lines without the indentation that
/// all of them have, without imports, without `@main`, which a test cannot have, and without the `private` of types,
/// because many articles have an `AppDelegate`. The imports are compared by
/// ``imports(of:)``.
enum ArticleCode {
  /// The repository.
  private static let root: String = {
    let parts = "\(#filePath)".split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    return parts.joined(separator: "/") + "/"
  }()
  static let articles = "Sources/Proscenium/Proscenium.docc/"

  static func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: root + path)), as: UTF8.self)
  }

  /// The names of what a folder has, with this ending.
  static func names(in folder: String, ending: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root + folder).filter { $0.hasSuffix(ending) }.sorted()
  }

  /// The code of an article that is in the tests, by article.
  static func tested() throws -> [String: [[String]]] { try all.get() }
  private static let all = Result {
    try names(in: "Tests", ending: ".swift").reduce(into: [String: [[String]]]()) { all, name in
      all.merge(pieces(of: try read("Tests/" + name))) { $0 + $1 }
    }
  }

  /// The Swift blocks of a text in Markdown.
  static func blocks(of article: String) -> [[String]] {
    var blocks: [[String]] = []
    var block: [Substring]?
    for line in article.split(separator: "\n", omittingEmptySubsequences: false) {
      if let lines = block {
        if line.hasPrefix("```") {
          blocks.append(compared(lines))
          block = nil
        } else {
          block = lines + [line]
        }
      } else if line == "```swift" {
        block = []
      }
    }
    return blocks
  }

  /// What a test file has between the lines that name an article.
  static func pieces(of source: String) -> [String: [[String]]] {
    var pieces: [String: [[String]]] = [:]
    var open: (name: Substring, lines: [Substring])?
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.drop { $0 == " " }
      if let piece = open {
        if words == "// End: code of \(piece.name)" {
          pieces[String(piece.name), default: []].append(compared(piece.lines))
          open = nil
        } else {
          open = (piece.name, piece.lines + [line])
        }
      } else if words.hasPrefix("// Begin: code of ") {
        open = (words.dropFirst("// Begin: code of ".count), [])
      }
    }
    return pieces
  }

  /// What the lines of a text import, by the names that people have: the tests import parts of what is whole outside.
  static func imports(of lines: [some StringProtocol]) -> Set<String> {
    let names = ["ProsceniumCore": "Proscenium", "FoundationEssentials": "Foundation"]
    return Set(
      lines.filter { $0.hasPrefix("import ") }.map { line in
        let name = String(line.dropFirst("import ".count))
        return names[name] ?? name
      })
  }

  private static func compared(_ lines: [Substring]) -> [String] {
    let code = lines.filter { !$0.hasPrefix("import ") && !$0.hasPrefix("@testable import ") }
    let indentation = code.lazy.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    let shifted = code.map { line in
      var text = line.dropFirst(indentation)
      for word in ["@main ", "private final "] where text.hasPrefix(word) {
        text = (word == "@main " ? "" : "final ") + text.dropFirst(word.count)
      }
      return String(text)
    }
    // The blank line after the imports goes with them.
    return Array(shifted.drop(while: \.isEmpty))
  }
}
