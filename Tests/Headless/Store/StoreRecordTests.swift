import FoundationEssentials
import Glibc
import ProsceniumCore
import ProsceniumJSON
import ProsceniumStore
import ProsceniumTesting
import TestSupport
import Testing

@Suite("Records of stored sessions")
@MainActor struct StoreRecordTests {
  private func disk(_ files: [String: [UInt8]]) throws -> CuttableDisk {
    let disk = CuttableDisk()
    for (name, bytes) in files { try disk.write(name, bytes) }
    return disk
  }

  private func load(_ disk: CuttableDisk) -> (SessionStore, SessionStore.Contents) {
    let store = SessionStore(files: disk, runsInline: true)
    return (store, store.load())
  }

  @Test("A session comes back as it was saved")
  func roundTrip() throws {
    var plain = StoredSession(identifier: "-", role: "", configuration: "")
    plain.lastActive = .infinity
    let odd = StoredSession(identifier: "a b%é\n", role: "r r", configuration: "-")
    let disk = CuttableDisk()
    let (store, _) = load(disk)
    let sessions = [fullSession("full"), plain, odd]
    for session in sessions { store.save(session) }
    store.flush()

    let (_, contents) = load(disk.restarted(.unsynced(seed: 1)))
    plain.lastActive = 0
    var found: [String: StoredSession] = [:]
    for record in contents.sessions { found[record.identifier] = try record.decode() }
    #expect(contents.messages == [])
    #expect(found == ["full": sessions[0], "-": plain, "a b%é\n": odd])
  }

  @Test("The list of sessions ascends by last activity and decodes none of them")
  func order() throws {
    let disk = CuttableDisk()
    let (first, _) = load(disk)
    for (identifier, time) in [("a", 3.0), ("b", 1), ("c", 2), ("d", 2)] {
      var session = fullSession(identifier)
      session.lastActive = time
      first.save(session)
    }
    first.flush()
    let (store, contents) = load(disk)
    #expect(contents.sessions.map { $0.identifier } == ["b", "c", "d", "a"])
    #expect(contents.sessions.first?.role == "WindowApplication")
    #expect(contents.sessions.first?.configuration == "Editor one")
    #expect(contents.sessions.first?.presence == .background)
    #expect(store.decodedCount == 0)
    _ = try contents.sessions.first?.decode()
    #expect(store.decodedCount == 1)
  }

  @Test("A record cut off anywhere is set aside with what is left of it, or is the whole session")
  func truncation() throws {
    let whole = try SessionStore.recordBytes(fullSession("t"))
    let good = try SessionStore.recordBytes(titled("good", "1"))
    var sessions = 0
    for length in 0...whole.count {
      let disk = try disk(["t.session": Array(whole.prefix(length)), "good.session": good])
      let (_, contents) = load(disk)
      var damaged = contents.messages.count
      for record in contents.sessions where record.identifier == "t" {
        do {
          #expect(try record.decode() == fullSession("t"), "length \(length)")
          sessions += 1
        } catch { damaged += 1 }
      }
      #expect(contents.sessions.contains { $0.identifier == "good" }, "length \(length)")
      if damaged > 0 {
        #expect(damaged == 1, "length \(length)")
        #expect(try disk.read("t.session.damaged", limit: .max) == Array(whole.prefix(length)), "length \(length)")
      }
    }
    // Whole, and without its last line end.
    #expect(sessions == 2)
  }

  @Test("A mutated record is a session, a newer version's or set aside; its neighbour is unharmed")
  func fuzz() throws {
    let count = testRounds(20_000)
    let seed = testSeed()
    var random = SeededNumbers(seed)
    let good = try SessionStore.recordBytes(fullSession("good"))
    let base = try SessionStore.recordBytes(fullSession("x"))
    var readable = 0
    for _ in 0..<count {
      var bytes = base
      for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&bytes, &random) }
      let disk = try disk(["x.session": bytes, "good.session": good])
      let (_, contents) = load(disk)
      var isThere = contents.newer == ["x"]
      for record in contents.sessions {
        do {
          let session = try record.decode()
          if session.identifier == "x" { isThere = true }
          if session.identifier == "x" { readable += 1 }
        } catch {}
      }
      let names = Set(try disk.names())
      try #require(contents.sessions.contains { $0.identifier == "good" }, "seed \(seed)")
      try #require(names.contains("good.session"), "seed \(seed)")
      try #require(names.contains(isThere ? "x.session" : "x.session.damaged"), "seed \(seed)")
    }
    // Both ways must have been taken.
    #expect(readable > 0 && readable < count)
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SeededNumbers) {
    guard !bytes.isEmpty else { return bytes.append(UInt8.random(in: 0...255, using: &random)) }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let other = Int.random(in: 0..<bytes.count, using: &random)
    let signs = Array("{}[]\",:\\-+.eE019 \n$%\u{0}".utf8)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 2: bytes[place] = signs.randomElement(using: &random) ?? 0
    case 3: bytes.insert(signs.randomElement(using: &random) ?? 0, at: place)
    case 4: bytes.removeSubrange(min(place, other)..<max(place, other))
    case 5: bytes.insert(contentsOf: bytes[min(place, other)..<max(place, other)], at: place)
    case 6: bytes.swapAt(place, other)
    case _:
      let sign = signs.randomElement(using: &random) ?? 0
      bytes.insert(contentsOf: [UInt8](repeating: sign, count: .random(in: 1...2000, using: &random)), at: place)
    }
  }

  @Test("A body that nests without end is set aside")
  func nesting() throws {
    for open in ["[", "{\"a\":"] {
      let head = "proscenium-session 2 n 1.0 shown r -\n{\"x\":"
      let bytes = Array((head + String(repeating: open, count: 200_000) + "}\n").utf8)
      let disk = try disk(["n.session": bytes])
      let (_, contents) = load(disk)
      #expect(throws: DamagedRecord.self) { try contents.sessions.first?.decode() }
      #expect(try disk.names().contains("n.session.damaged"))
    }
  }

  @Test("What this version does not know survives being read, changed and written")
  func unknownFields() throws {
    let body = #"""
      {"activity":{"activityType":"t","mood":"good"},"colour":{"red":[1,2.5,null,true]},\#
      "conditions":{"canActivateForTargetContentIdentifier":{"matches":{"_0":"a*"}},\#
      "prefersToActivateForTargetContentIdentifier":{"equals":{"_0":"b"}},"third":{"any":{}}},\#
      "placement":{"frame":{"origin":{"x":1,"y":2},"size":{"height":4,"width":3}},"isFullScreen":false,\#
      "isMaximized":false,"isMinimized":false,"monitor":"HDMI-1"}}
      """#
    let head = "proscenium-session 2 u 1.5 shown r - later tokens\n"
    let disk = try disk(["u.session": Array((head + body + "\n").utf8)])
    let (store, contents) = load(disk)
    var session = try #require(try contents.sessions.first?.decode())
    #expect(session.activity?.activityType == "t")
    #expect(session.placement?.frame == Rect(x: 1, y: 2, width: 3, height: 4))
    #expect(session.conditions.canActivateForTargetContentIdentifier == .any)
    #expect(session.conditions.prefersToActivateForTargetContentIdentifier == .equals("b"))

    session.title = "new"
    store.save(session)
    store.flush()

    let text = String(decoding: try disk.read("u.session", limit: .max), as: UTF8.self)
    let written = text.split(separator: "\n").last.map(String.init) ?? ""
    #expect(written == body.dropLast() + #","title":"new"}"#)
    let (_, again) = load(disk)
    #expect(try again.sessions.first?.decode() == session)

    // The program's own word wins over what was kept.
    session.conditions.canActivateForTargetContentIdentifier = .none
    store.save(session)
    store.flush()
    let (_, third) = load(disk)
    #expect(
      try third.sessions.first?.decode().conditions.canActivateForTargetContentIdentifier
        == SceneActivationConditions.Condition.none)
  }

  @Test("A newer version's record is kept as it is, whatever is asked for its identifier")
  func newerFormat() throws {
    let bytes = Array("proscenium-session 3 ?? whatever\u{0}\n\u{1}".utf8)
    let disk = try disk(["next.session": bytes])
    let (store, contents) = load(disk)
    var failures: [StoreFailure] = []
    store.onFailure = { failures.append($0) }
    #expect(contents.newer == ["next"] && contents.sessions.isEmpty && contents.messages.count == 1)
    store.save(titled("next", "1"))
    store.discard("next")
    store.forget("next")
    store.flush()
    #expect(try disk.read("next.session", limit: .max) == bytes)
    #expect(failures.count == 1 && failures.first?.identifier == "next")
  }

  @Test("An identifier that cannot name a file is refused once")
  func impossibleNames() {
    let (store, _) = load(CuttableDisk())
    var failures = 0
    store.onFailure = { _ in failures += 1 }
    let identifiers = ["", ".", "..", "a/b", "../lock", "a\u{0}", ".hidden", String(repeating: "x", count: 201)]
    for identifier in identifiers + identifiers { store.save(titled(identifier, "1")) }
    for identifier in identifiers { store.discard(identifier) }
    store.flush()
    #expect(failures == identifiers.count)
  }
}
