import Glibc
import ProsceniumLoop
import ProsceniumStore
import ProsceniumTesting
import TestSupport
import Testing

@Suite("Documents under kills and power cuts") struct DocumentPowerCutTests {
  /// How many cuts of each kind.
  private static let count = testRounds(1500)

  private static func document(on disk: CuttableDisk) -> DocumentFile {
    // No process has that number (proc_sys_kernel(5)).
    DocumentFile(disk, DocumentPlace(folder: "/home", name: "letter"), kept: KeptVersions(disk), process: 5_000_000)
  }

  private static func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  /// Two texts of which no part of one is a part of the other.
  private static func texts(_ random: inout SeededNumbers) -> (old: String, new: String) {
    (
      String(repeating: "old line\n", count: .random(in: 0..<40, using: &random)),
      String(repeating: "THE NEW LINE\n", count: .random(in: 1..<40, using: &random))
    )
  }

  @Test("A file that is replaced is the old one or the new one at any write, and what is left of the other goes")
  func replaced() throws {
    var random = SeededNumbers(testSeed(0))
    var (hits, old, new) = (0, 0, 0)
    for number in 0..<Self.count {
      let texts = Self.texts(&random)
      let disk = CuttableDisk()
      disk.replace("letter", with: Array(texts.old.utf8))
      let content = try Self.document(on: disk).open(limit: .max).content
      let isKill = Bool.random(using: &random)
      disk.cut(
        afterOperation: .random(in: 0..<6, using: &random), tornAt: .random(in: 0..<300, using: &random),
        isSilent: isKill)
      let identity = try? Self.document(on: disk).write(Array(texts.new.utf8), expecting: .known(content.identity))
      let isSaid = identity != nil
      if disk.isDead { hits += 1 }
      let wasCut = disk.isDead
      let left = disk.restarted(isKill ? .nothing : .unsynced(seed: random.next()))
      // Before anything repairs it: other programs read it, too.
      let found = Self.text(try left.read("letter", limit: .max))
      try #require(found == texts.old || found == texts.new, "number \(number)")
      try #require(wasCut || isSaid && found == texts.new, "number \(number)")
      if found == texts.old { old += 1 } else { new += 1 }
      let opened = try Self.document(on: left).open(limit: .max)
      try #require(Self.text(opened.content.bytes) == found && opened.unsaved == nil, "number \(number)")
      let names = try left.names()
      try #require(names == ["letter"], "number \(number): \(names)")
    }
    #expect(hits > Self.count / 2 && old > Self.count / 10 && new > Self.count / 10, "\(hits) \(old) \(new)")
  }

  @Test("A new file is there whole or not at all at any write")
  func made() throws {
    var random = SeededNumbers(testSeed(1))
    var (none, new) = (0, 0)
    for number in 0..<Self.count {
      let text = Self.texts(&random).new
      let disk = CuttableDisk()
      let isKill = Bool.random(using: &random)
      disk.cut(
        afterOperation: .random(in: 0..<6, using: &random), tornAt: .random(in: 0..<300, using: &random),
        isSilent: isKill)
      _ = try? Self.document(on: disk).write(Array(text.utf8), expecting: .none)
      let left = disk.restarted(isKill ? .nothing : .unsynced(seed: random.next()))
      let found = Self.text(try? left.read("letter", limit: .max))
      try #require(found == nil || found == text, "number \(number): \(found ?? "")")
      if found == nil { none += 1 } else { new += 1 }
    }
    #expect(none > Self.count / 10 && new > Self.count / 10, "\(none) \(new)")
  }

  @Test("A file with two names is the old or the new one when it is opened after a cut at any write, and keeps both")
  func inPlace() throws {
    var random = SeededNumbers(testSeed(2))
    var (old, new, repaired) = (0, 0, 0)
    for number in 0..<Self.count {
      let texts = Self.texts(&random)
      let disk = CuttableDisk()
      disk.replace("letter", with: Array(texts.old.utf8))
      disk.link("letter", to: "other name")
      let content = try Self.document(on: disk).open(limit: .max).content
      var last = disk
      var isKill = Bool.random(using: &random)
      disk.cut(
        afterOperation: .random(in: 0..<9, using: &random), tornAt: .random(in: 0..<500, using: &random),
        isSilent: isKill)
      _ = try? Self.document(on: disk).write(Array(texts.new.utf8), expecting: .known(content.identity))
      last = last.restarted(isKill ? .nothing : .unsynced(seed: random.next()))
      let raw = Self.text(try last.read("letter", limit: .max))
      // The opening that repairs it is cut, too, now and then.
      if Bool.random(using: &random) {
        isKill = Bool.random(using: &random)
        last.cut(
          afterOperation: .random(in: 0..<8, using: &random), tornAt: .random(in: 0..<500, using: &random),
          isSilent: isKill)
        _ = try? Self.document(on: last).open(limit: .max)
        last = last.restarted(isKill ? .nothing : .unsynced(seed: random.next()))
      }
      let found = Self.text(try Self.document(on: last).open(limit: .max).content.bytes)
      try #require(found == texts.old || found == texts.new, "number \(number): \(found ?? "")")
      try #require(Self.text(try last.read("letter", limit: .max)) == found, "number \(number)")
      try #require(Self.text(try last.read("other name", limit: .max)) == found, "number \(number)")
      if raw != texts.old, raw != texts.new { repaired += 1 }
      if found == texts.old { old += 1 } else { new += 1 }
    }
    // Some must have been cut in the middle of the writing, or this would prove nothing.
    #expect(
      old > Self.count / 10 && new > Self.count / 10 && repaired > Self.count / 40, "\(old) \(new) \(repaired)")
  }

  @Test("A kept version is the last one or the one before at any write")
  func kept() throws {
    var random = SeededNumbers(testSeed(3))
    for number in 0..<Self.count {
      let disk = CuttableDisk()
      let texts = Self.texts(&random)
      let identity = FileIdentity(inode: 7, size: 3, modified: -5)
      try KeptVersions(disk).keep(KeptVersion(.unsaved, base: identity, bytes: Array(texts.old.utf8)), of: "/a/letter")
      disk.cut(afterOperation: .random(in: 0..<5, using: &random), tornAt: .random(in: 0..<300, using: &random))
      try? KeptVersions(disk).keep(KeptVersion(.unsaved, base: nil, bytes: Array(texts.new.utf8)), of: "/a/letter")
      let left = KeptVersions(disk.restarted(.unsynced(seed: random.next()))).version(of: "/a/letter", limit: .max)
      let old = KeptVersion(.unsaved, base: identity, bytes: Array(texts.old.utf8))
      try #require(
        left == old || left == KeptVersion(.unsaved, base: nil, bytes: Array(texts.new.utf8)), "number \(number)")
    }
  }

  @Test("On a full disk nothing of the old version is lost, and nothing is left behind")
  func full() throws {
    for hasTwoNames in [false, true] {
      let disk = CuttableDisk()
      disk.replace("letter", with: Array("old".utf8))
      if hasTwoNames { disk.link("letter", to: "other name") }
      let content = try Self.document(on: disk).open(limit: .max).content
      let names = Set(try disk.names())
      disk.fail(with: .system(ENOSPC))
      #expect(throws: DocumentFailure.self) {
        try Self.document(on: disk).write(Array("new".utf8), expecting: .known(content.identity))
      }
      disk.fail(with: nil)
      let left = Set(try disk.names())
      #expect(left == names && Self.text(try? disk.read("letter", limit: 9)) == "old")
    }
  }
}
