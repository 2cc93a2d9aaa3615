internal import Dispatch
public import FoundationEssentials
import ProsceniumLoop
import ProsceniumStore
import Synchronization

/// The program's part of the desktop's list of recent files, `$XDG_DATA_HOME/recently-used.xbel`.
///
/// File choosers, file managers and launchers show it. Documents note themselves
/// (``Document/isNotedAsRecent``); files that the program opens otherwise it notes by itself. Entries of other programs
/// stay as they are, to the byte, and a file that is damaged is left alone and reported. Of the files that no other
/// program has opened the latest ``limit`` stay. The file is read and written by a thread of its own; a program that
/// notes nothing reads and writes nothing. By the Desktop Bookmark Specification.
@MainActor public struct RecentDocuments {
  /// How many files of this program stay in the list.
  public nonisolated static let limit = 50

  let application: Application
  var writer: RecentWriter { application.value(RecentWriterKey.self) }

  /// Notes a file, which becomes the latest one.
  /// - Parameters:
  ///   - url: The file.
  ///   - type: The media type.
  ///   - isPrivate: Whether other programs are asked not to show it.
  public func note(_ url: URL, type: String, isPrivate: Bool = false) {
    guard url.isFileURL, let name else { return }
    let bookmark = RecentBookmark(
      href: url.absoluteString, mediaType: type, application: name, command: "'\(ProgramName.own) %u'",
      time: Self.time(Date()), isPrivate: isPrivate)
    change { list throws(RecentBookmarks.Malformed) in try list.add(bookmark, most: Self.limit) }
  }

  /// Takes files out of the program's part of the list; all of them where nil.
  /// - Parameter urls: The files.
  public func remove(_ urls: [URL]? = nil) {
    guard let name else { return }
    let hrefs = urls?.map(\.absoluteString)
    change { list throws(RecentBookmarks.Malformed) in
      try list.remove(hrefs ?? list.hrefs(of: name), by: name)
    }
  }

  /// The files that this program has opened, the latest first; those that are gone by now too.
  /// - Returns: The URLs.
  public func urls() async -> [URL] {
    guard let name, let environment = application.host.directories, let file = try? RecentFile(environment: environment)
    else { return [] }
    let writer = writer
    return await withMainActorContinuation { continuation in
      writer.add {
        let hrefs = file.list()?.hrefs(of: name, at: Self.time(Date())) ?? []
        continuation.resume(returning: hrefs.compactMap { URL(string: $0) })
        return nil
      }
    }
  }

  private var name: String? { application.conductor.map(\.identity.id).flatMap { $0.isEmpty ? nil : $0 } }

  private func change(
    _ body: @escaping @Sendable (inout RecentBookmarks) throws(RecentBookmarks.Malformed) -> Void
  ) {
    guard let environment = application.host.directories, let file = try? RecentFile(environment: environment) else {
      return
    }
    writer.report = { [weak application] problem in
      application?.conductor?.report("The recent documents are not noted in \"\(file.path)\": \(problem).")
    }
    writer.add { file.change(body) }
  }

  /// The time as the list has it (RFC 3339), with microseconds, so that two files have an order.
  private nonisolated static func time(_ date: Date) -> String {
    let micros = Int64((date.timeIntervalSince1970 * 1e6).rounded(.down))
    let text = Date(timeIntervalSince1970: Double(micros / 1_000_000)).formatted(.iso8601)
    let part = "\(micros % 1_000_000)"
    return text.dropLast() + "." + String(repeating: "0", count: 6 - part.count) + part + "Z"
  }
}

/// Changes the list, one change after the other, on a thread that ends with the last one.
final class RecentWriter: Sendable {
  private struct State: ~Copyable {
    var waiting: [@Sendable () -> String?] = []
    var isRunning = false
    var hasReported = false
    var report: (@MainActor @Sendable (String) -> Void)?
  }

  private let state = Mutex(State())
  private let group = DispatchGroup()

  /// Called on the main thread with the first problem.
  var report: (@MainActor @Sendable (String) -> Void)? {
    get { state.withLock { $0.report } }
    set { state.withLock { $0.report = newValue } }
  }

  /// Adds a change, which returns what has gone wrong.
  func add(_ change: @escaping @Sendable () -> String?) {
    group.enter()
    let mustStart = state.withLock { state in
      state.waiting.append(change)
      return !exchange(&state.isRunning, with: true)
    }
    let work: @Sendable () -> Void = { [self] in
      while let change = next() {
        if let problem = change() { told(problem) }
        group.leave()
      }
    }
    if mustStart, !DetachedThread.run(work) { work() }
  }

  private func next() -> (@Sendable () -> String?)? {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.isRunning = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  private func told(_ problem: String) {
    let report = state.withLock { state in exchange(&state.hasReported, with: true) ? nil : state.report }
    if let report { DispatchQueue.main.async { report(problem) } }
  }

  /// Waits until all is written, or the time is over.
  func finish(until end: DispatchTime) { _ = group.wait(timeout: end) }
}

private enum RecentWriterKey: ValueKey { static var initial: RecentWriter { RecentWriter() } }
