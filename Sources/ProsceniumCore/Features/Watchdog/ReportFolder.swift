import Glibc
import ProsceniumLoop
import ProsceniumStore

/// The folder of reports beside an application's sessions: readable by the user alone, with only the latest few.
struct ReportFolder {
  static let mostReports = 10
  private static let prefix = "watchdog-"
  private static let suffix = ".txt"

  let files: any StoreFiles

  /// Writes a report under a name that sorts by time, and removes the oldest, first those of a clock that was ahead.
  /// - Returns: The error, if any.
  func save(_ text: String, date: String, process: Int32, number: Int) -> FileError? {
    let stamp = date.replacing(":", with: "-")
    do throws(FileError) {
      let names = try files.names().filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(Self.suffix) }.sorted()
      let ahead = names.filter { $0.dropFirst(Self.prefix.count).prefix(stamp.count) > stamp }
      let old = ahead + names.filter { !ahead.contains($0) }
      for name in old.dropLast(Self.mostReports - 1) { try files.remove(name) }
      try files.write("\(Self.prefix)\(stamp)-\(process)-\(number)\(Self.suffix)", Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  /// The calendar time, in UTC.
  static func date(_ time: Int = Glibc.time(nil)) -> String {
    var time = time
    var parts = tm()
    gmtime_r(&time, &parts)
    var buffer = [CChar](repeating: 0, count: 32)
    let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
