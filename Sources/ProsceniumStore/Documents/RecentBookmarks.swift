import FoundationEssentials

/// A file in the desktop's list of recent ones (Desktop Bookmark Specification; XBEL).
package struct RecentBookmark: Equatable, Sendable {
  /// The URL of the file.
  package var href: String
  package var mediaType: String
  /// The name of the program in the list, and the command line that opens the file with it: `'notes %u'`.
  package var application: String
  package var command: String
  /// The time, as the format has it: `2026-11-25T09:10:11.000000Z`.
  package var time: String
  /// Whether only this program is to show it.
  package var isPrivate = false

  package init(
    href: String, mediaType: String, application: String, command: String, time: String, isPrivate: Bool = false
  ) {
    (self.href, self.mediaType, self.application) = (href, mediaType, application)
    (self.command, self.time, self.isPrivate) = (command, time, isPrivate)
  }
}

/// The text of `recently-used.xbel`, which all programs of the desktop write: what is not ours stays as it is, to the
/// byte.
package struct RecentBookmarks: Sendable {
  /// The text is no such list; it has to be left alone.
  package struct Malformed: Error, Equatable, Sendable {}

  /// One file of the list: where its text is.
  fileprivate struct Entry {
    var range: Range<String.Index>
    var href: String
    /// The names of the programs that have opened the file.
    var applications: [String]
    var modified: String
  }

  package private(set) var text: String
  private var entries: [Entry] = []
  /// Where the next entry goes: before the end tag of the list.
  private var end: String.Index

  /// Reads a list; an empty text is an empty list.
  package init(_ text: String) throws(Malformed) {
    let isEmpty = text.allSatisfy(\.isWhitespace)
    self.text = isEmpty ? Self.empty : text
    end = self.text.startIndex
    try scan()
  }

  private static let namespaces = [
    "bookmark": "http://www.freedesktop.org/standards/desktop-bookmarks",
    "mime": "http://www.freedesktop.org/standards/shared-mime-info",
  ]

  private static let empty = """
    <?xml version="1.0" encoding="UTF-8"?>
    <xbel version="1.0"
          xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks"
          xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info"
    >
    </xbel>

    """

  /// The URLs that a program has opened, the latest first.
  /// - Parameters:
  ///   - application: The program's name in the list.
  ///   - now: The time, as the format has it; nil where the order is of no interest.
  /// - Returns: The URLs.
  package func hrefs(of application: String, at now: String? = nil) -> [String] {
    entries.filter { $0.applications.contains(application) }.latestFirst(at: now).map(\.href)
  }

  // MARK: Changing

  /// Adds a file, or says that it has been opened again.
  /// - Parameters:
  ///   - bookmark: The file.
  ///   - most: How many files stay that no other program has opened.
  /// - Throws: ``Malformed``, and then the list is not to be written.
  package mutating func add(_ bookmark: RecentBookmark, most: Int) throws(Malformed) {
    // The prefixes of the entry would mean nothing.
    let declared = try XMLScanner.elements(of: text, named: "xbel").first?.attributes ?? [:]
    guard Self.namespaces.allSatisfy({ declared["xmlns:\($0)"] == $1 }) else { throw Malformed() }
    if let entry = entries.first(where: { $0.href == bookmark.href }) {
      text.replaceSubrange(entry.range, with: try updated(String(text[entry.range]), bookmark))
    } else {
      text.replaceSubrange(end..<end, with: Self.entry(bookmark))
    }
    try scan()
    let own = entries.filter { $0.applications == [bookmark.application] }.latestFirst(at: bookmark.time)
    let dropped = own.dropFirst(max(1, most)).map(\.href)
    try remove(dropped.filter { $0 != bookmark.href }, by: bookmark.application)
  }

  /// Removes a program's mention of files, and those files that no other program has opened.
  package mutating func remove(_ hrefs: [String], by application: String) throws(Malformed) {
    for href in hrefs {
      guard let entry = entries.first(where: { $0.href == href && $0.applications.contains(application) }) else {
        continue
      }
      if entry.applications == [application] {
        text.removeSubrange(lines(of: entry.range))
      } else {
        var old = String(text[entry.range])
        for tag in try XMLScanner.elements(of: old, named: "bookmark:application").reversed()
        where tag.attributes["name"] == application { old.removeSubrange(tag.range) }
        text.replaceSubrange(entry.range, with: old)
      }
      try scan()
    }
  }

  /// The entry with the line break before it, where it stands alone.
  private func lines(of range: Range<String.Index>) -> Range<String.Index> {
    var start = range.lowerBound
    while start > text.startIndex {
      let before = text.index(before: start)
      guard text[before] == " " || text[before] == "\t" || text[before].isNewline else { break }
      start = before
      if text[before].isNewline { break }
    }
    return start..<range.upperBound
  }

  private func updated(_ entry: String, _ bookmark: RecentBookmark) throws(Malformed) -> String {
    var entry = entry
    let own = try XMLScanner.elements(of: entry, named: "bookmark:application").first {
      $0.attributes["name"] == bookmark.application
    }
    if let own {
      let count = (own.attributes["count"].flatMap { Int($0) } ?? 0)
      entry.replaceSubrange(own.range, with: Self.application(bookmark, count: count < .max ? count + 1 : count))
    } else if let close = try XMLScanner.elements(of: entry, named: "bookmark:applications").first?.close {
      entry.replaceSubrange(close.lowerBound..<close.lowerBound, with: Self.application(bookmark, count: 1))
    } else {
      // Without the part of the format: as if it were new.
      return Self.entry(bookmark).trimmedLines
    }
    guard let tag = try XMLScanner.elements(of: entry, named: "bookmark").first else { throw Malformed() }
    var attributes = tag.rawAttributes.filter { $0.name != "modified" && $0.name != "visited" }
    attributes += [("modified", "\"\(bookmark.time)\""), ("visited", "\"\(bookmark.time)\"")]
    let open = "<bookmark" + attributes.map { " \($0.name)=\($0.value)" }.joined() + (tag.close == nil ? "/>" : ">")
    entry.replaceSubrange(tag.open, with: open)
    return entry
  }

  private static func application(_ bookmark: RecentBookmark, count: Int) -> String {
    """
    <bookmark:application name="\(bookmark.application.escaped)" exec="\(bookmark.command.escaped)" \
    modified="\(bookmark.time)" count="\(count)"/>
    """
  }

  private static func entry(_ bookmark: RecentBookmark) -> String {
    """
      <bookmark href="\(bookmark.href.escaped)" added="\(bookmark.time)" modified="\(bookmark.time)" \
    visited="\(bookmark.time)">
        <info>
          <metadata owner="http://freedesktop.org">
            <mime:mime-type type="\(bookmark.mediaType.escaped)"/>
            <bookmark:applications>
              \(application(bookmark, count: 1))
            </bookmark:applications>\(bookmark.isPrivate ? "\n        <bookmark:private/>" : "")
          </metadata>
        </info>
      </bookmark>

    """
  }

  // MARK: Reading

  /// Finds the entries: the list has to be whole, so that nothing is written into a text that another program is in the
  /// middle of writing.
  private mutating func scan() throws(Malformed) {
    let lists = try XMLScanner.elements(of: text, named: "xbel", isDocument: true)
    guard let list = lists.first else { throw Malformed() }
    guard let close = list.close else {
      // A list without files: `/>`, where an end tag is needed to add one.
      let slash = text.unicodeScalars.index(list.open.upperBound, offsetBy: -2)
      text.unicodeScalars.replaceSubrange(slash..<list.open.upperBound, with: "></xbel>".unicodeScalars)
      return try scan()
    }
    end = close.lowerBound
    entries = []
    for tag in try XMLScanner.elements(of: text, named: "bookmark") {
      guard let href = tag.attributes["href"] else { continue }
      let part = String(text[tag.range])
      let applications = try XMLScanner.elements(of: part, named: "bookmark:application")
      entries.append(
        Entry(
          range: tag.range, href: href, applications: applications.compactMap { $0.attributes["name"] },
          modified: tag.attributes["modified"] ?? ""))
    }
  }
}

extension [RecentBookmarks.Entry] {
  /// A time that has not come yet is of a clock that was ahead: when that was is unknown, and it counts as the oldest.
  fileprivate func latestFirst(at now: String?) -> [Element] {
    func isAhead(_ entry: Element) -> Bool { now.map { entry.modified > $0 } == true }
    return sorted { isAhead($0) == isAhead($1) ? $0.modified > $1.modified : isAhead($1) }
  }
}

extension String {
  fileprivate var trimmedLines: String { trimmingCharacters { $0.isWhitespace } }

  private func trimmingCharacters(_ isOut: (Character) -> Bool) -> String {
    let start = drop(while: isOut)
    return String(start.dropLast(start.reversed().prefix(while: isOut).count))
  }

  /// The text within an attribute of XML.
  fileprivate var escaped: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      // Not even as a reference: XML has no such characters.
      case _ where scalar.value < 0x20: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
