import ProsceniumLoop

/// The desktop's list of recent files, in its file: changed as it is at that moment, and replaced as a whole.
///
/// For any thread but the main one. Programs of the desktop do not lock it: who finds it changed between the reading
/// and the writing begins again.
package struct RecentFile: Sendable {
  package static let name = "recently-used.xbel"
  /// The most bytes of the file.
  package static let limit = 1 << 24
  private static let mostTries = 20

  private let folder: String
  package var path: String { folder + "/" + Self.name }

  /// The file of the user (Desktop Bookmark Specification).
  /// - Throws: ``StoreError/unusable(_:)`` where no variable names an absolute path.
  package init(environment: [String: String]) throws(StoreError) {
    folder = try StoreDirectory.parent(environment, .support)
  }

  /// Changes the list.
  /// - Parameter change: Changes the list that is there.
  /// - Returns: Why it was left as it is; nil where it was changed.
  package func change(
    _ change: (inout RecentBookmarks) throws(RecentBookmarks.Malformed) -> Void
  ) -> String? {
    for _ in 0..<Self.mostTries {
      do {
        // A new user has no such folder.
        _ = try StoreDirectory.open(folder, .preferences)
        let place = try DocumentPlace(following: path)
        let file = DocumentFile(try place.open(), place, kept: nil, isPrivate: true)
        let old = try read(file)
        guard let text = old.map({ String(validating: $0.bytes, as: UTF8.self) }) ?? "" else { return "it is no UTF-8" }
        var list = try RecentBookmarks(text)
        try change(&list)
        guard list.text != text else { return nil }
        _ = try file.write(
          Array(list.text.utf8), expecting: old.map { DocumentExpectation.known($0.identity) } ?? .none)
        return nil
      } catch DocumentFailure.changed, DocumentFailure.exists, DocumentFailure.vanished {
        continue
      } catch DocumentFailure.notSynced {
        // It is there, as far as anybody sees before a power cut.
        return nil
      } catch is RecentBookmarks.Malformed {
        return "it is no whole list of bookmarks"
      } catch {
        return "\(error)"
      }
    }
    return "other programs write it without end"
  }

  /// The list; empty where there is none, or none that can be read.
  package func list() -> RecentBookmarks? {
    guard let place = try? DocumentPlace(following: path), let files = try? place.open(),
      let content = try? DocumentFile(files, place, kept: nil).read(limit: Self.limit),
      let text = String(validating: content.bytes, as: UTF8.self)
    else { return nil }
    return try? RecentBookmarks(text)
  }

  private func read(_ file: DocumentFile) throws(FileError) -> DocumentContent? {
    do throws(FileError) { return try file.open(limit: Self.limit).content } catch FileError.missing { return nil }
  }
}
