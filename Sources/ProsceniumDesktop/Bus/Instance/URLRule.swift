import FoundationEssentials
import ProsceniumPlatform

/// Which URLs of others are handed on: not too many, not too long, and of a kind that the program opens.
struct URLRule: Hashable, Sendable {
  static let most = 1000
  static let longest = 1 << 16

  /// Schemes that the program opens, besides `file`.
  var schemes: Set<String>

  init(schemes: Set<String>) { self.schemes = Set(schemes.map { $0.lowercased() }) }

  struct Refusal: Error, Equatable {
    var reason: String
  }

  /// All of them, or none.
  func urls(_ texts: [String]) throws(Refusal) -> [URL] {
    guard texts.count <= Self.most else { throw Refusal(reason: "more than \(Self.most) URLs") }
    var urls: [URL] = []
    for text in texts { urls.append(try url(text)) }
    return urls
  }

  private func url(_ text: String) throws(Refusal) -> URL {
    guard text.utf8.count <= Self.longest else { throw Refusal(reason: "a URL of more than \(Self.longest) bytes") }
    let isClean = !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f || $0 == " " }
    guard isClean, let colon = text.firstIndex(of: ":"), let url = URL(string: text), url.scheme != nil else {
      throw Refusal(reason: "no URL: \"\(text.prefix(100))\"")
    }
    let scheme = text[..<colon].lowercased()
    if scheme == "file" {
      // A file of another machine, or of no place, is none that the program can open.
      guard text.dropFirst(5).hasPrefix("/"), !text.contains("%00"), url.isFileHere else {
        throw Refusal(reason: "no file of this machine: \"\(text.prefix(100))\"")
      }
    } else if !schemes.contains(scheme) {
      throw Refusal(reason: "the program does not open URLs of the scheme \"\(scheme.prefix(100))\"")
    }
    return url
  }
}
