@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// The text form of what the model listens to: one signal a line, the window's id or `desktop` first.
///
/// A line `--` ends a batch; empty lines and lines that begin with `#` mean nothing.
///
/// ```
/// desktop windowManager present Openbox
/// 0x400001 created 0 0 640 480
/// 0x400001 mapped
/// 0x400001 focusIn normal nonlinear
/// --
/// ```
enum WindowLog {
  /// One line that means something.
  enum Entry: Hashable, Sendable {
    case window(WindowID, WindowSignal)
    case root(RootSignal)
    /// The end of a batch: what is true is looked at here, and not between.
    case batch
  }

  /// An entry and where it stands.
  struct Line: Hashable, Sendable {
    /// Counted from 1, lines that mean nothing included.
    var number: Int
    var entry: Result<Entry, LineError>
  }

  /// A line that cannot be read.
  struct LineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1.
    var line: Int
    var reason: String
    init(line: Int, reason: String) {
      self.line = line
      self.reason = reason
    }
    var description: String { "line \(line): \(reason)" }
  }

  /// The line of one entry, without its end.
  static func line(_ entry: Entry) -> String {
    switch entry {
    case .window(let window, let signal): "\(window) \(WindowLogWriter.fields(signal))"
    case .root(let signal): "desktop \(WindowLogWriter.fields(signal))"
    case .batch: "--"
    }
  }

  /// All lines of some entries.
  static func text(_ entries: [Entry]) -> String {
    entries.map { line($0) + "\n" }.joined()
  }

  /// What the lines of a text say, in order; a bad line is an error in its place and costs only itself.
  static func parse(_ text: String) -> [Line] {
    // By bytes, because "\r\n" is one character to Swift.
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().compactMap {
      line(Substring($0.element), number: $0.offset + 1)
    }
  }

  private static func line(_ text: Substring, number: Int) -> Line? {
    var reader = WindowLogReader(text)
    guard let first = reader.peek(), !first.hasPrefix("#") else { return nil }
    do throws(WindowLogReader.Failure) {
      let entry = try reader.entry()
      try reader.end()
      return Line(number: number, entry: .success(entry))
    } catch {
      return Line(number: number, entry: .failure(LineError(line: number, reason: error.reason)))
    }
  }
}
