import FoundationEssentials
import ProsceniumPlatform

/// The URLs that other programs may ask this one to open: of its schemes, and limited in number and length.
struct URLRule: Hashable, Sendable {
  static let most = 1000
  static let longest = 1 << 16

  /// The schemes that the program opens, besides `file`.
  var schemes: Set<String>

  init(schemes: Set<String>) { self.schemes = Set(schemes.map { $0.lowercased() }) }

  struct Refusal: Error, Equatable {
    var reason: String
  }

  /// Reads URLs, all of them or none.
  /// - Throws: Why one of them is refused.
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
      // The program can open no files of other machines.
      guard text.dropFirst(5).hasPrefix("/"), !text.contains("%00"), url.isFileHere else {
        throw Refusal(reason: "no file of this machine: \"\(text.prefix(100))\"")
      }
    } else if !schemes.contains(scheme) {
      throw Refusal(reason: "the program does not open URLs of the scheme \"\(scheme.prefix(100))\"")
    }
    return url
  }
}
