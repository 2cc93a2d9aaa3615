import DeskSupport
import FoundationEssentials
import Glibc

/// The disk of a program: ill for a while, by a library that is preloaded into the program.
///
/// `Tests/Support/FaultyDisk/faultydisk.c` says what its orders mean.
final class FaultyDisk: Sendable {
  /// The calls that may be ill.
  enum Call: String, CaseIterable {
    case open, write, fsync, rename, unlink
    case find, read, stat, list, lock

    /// Those that change what is on the disk.
    static let changing: [Call] = [.open, .write, .fsync, .rename, .unlink]
    static let reading: [Call] = [.find, .read, .stat, .list, .lock]
  }

  enum Mode: String, CaseIterable {
    case fail, hang
    /// A write that fails after most of it.
    case tear
  }

  /// What is wrong.
  struct Illness: CustomStringConvertible {
    var mode: Mode
    var call: Call
    /// The number of the first ill call.
    var from = 1
    /// How long it lasts from that call on, in milliseconds; 0 for as long as it is ordered.
    var length = 0
    var description: String { "\(mode) \(call) \(from) \(length)" }

    static let all = Call.changing.flatMap { call in
      Mode.allCases.filter { $0 != .tear || call == .write }.map { Illness(mode: $0, call: call) }
    }
  }

  /// A call that the program has made, or makes.
  struct Made {
    var call: String
    var isOnMainThread: Bool
    /// `ok`, `fail` or `hang`.
    var outcome: String
    var path: String
  }

  static var isAvailable: Bool { mustNotSkip || isInstalled("gcc") }

  private let folder: TemporaryFolder
  /// What the program has to be started with.
  let environment: [String: String]

  /// For a program with this home.
  init(_ home: TemporaryFolder) async throws {
    folder = try TemporaryFolder()
    let library = try await Self.library()
    environment = [
      "LD_PRELOAD": library, "FAULTY_DISK": "\(home.file("state")):\(home.file(".config"))",
      "FAULTY_DISK_ORDERS": folder.file("orders"), "FAULTY_DISK_LOG": folder.file("log"),
    ]
  }

  private static func library() async throws -> String {
    try await Builds.shared.once("faultydisk") {
      let (folder, library) = (try TemporaryFolder(), Program.besideTests("faultydisk.so"))
      let tests = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
      let gcc = try ChildProcess(
        [
          "gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", "\(library).\(getpid())",
          "\(tests)/Support/FaultyDisk/faultydisk.c",
        ],
        environment: try privateEnvironment(home: folder, display: nil), output: folder.file("out"),
        errors: folder.file("err"))
      guard try await gcc.wait(limit: .seconds(300)) == .exited(0), rename("\(library).\(getpid())", library) == 0
      else { throw DeskFailure("gcc fails", evidence: folder.read("err")) }
      return library
    }
  }

  /// Makes the disk ill, or well.
  func become(_ illness: Illness?) throws {
    try folder.write("next", illness.map { "\($0)\n" } ?? "")
    guard rename(folder.file("next"), folder.file("orders")) == 0 else { throw DeskFailure("orders: errno \(errno)") }
  }

  /// The calls so far.
  var made: [Made] {
    folder.read("log").split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 3).map(String.init)
      guard words.count == 4 else { return nil }
      return Made(call: words[0], isOnMainThread: words[1] == "main", outcome: words[2], path: words[3])
    }
  }

  /// The calls that were ill.
  var ill: [Made] { made.filter { $0.outcome != "ok" } }
}
