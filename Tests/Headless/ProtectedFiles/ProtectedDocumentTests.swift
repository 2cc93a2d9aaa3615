import FoundationEssentials
import Glibc
import ProsceniumJSON
import ProsceniumTesting
import ProsceniumTrace
import Testing

@testable import ProsceniumCore

/// Documents with a protection.
@MainActor @Suite("Protected documents", .serialized, .enabled(if: Sodium.shared != nil))
struct ProtectedDocumentTests {
  private let home: RealHome
  private let run: DocumentRun
  init() throws {
    home = try RealHome()
    run = DocumentRun(home)
  }

  /// A new letter, which is in its file.
  private func letter(_ text: String = "secret") async -> Letter {
    let letter = run.letter("letter.txt")
    letter.protection = .complete
    letter.text = text
    #expect(await letter.save(to: run.url("letter.txt"), for: .forCreating))
    return letter
  }

  /// What another handle finds in the file.
  private func content() async -> String? {
    let file = ProtectedFile(url: run.url("letter.txt"), protection: .complete, application: run.program.application)
    return (try? await file.read()).map { String(decoding: $0, as: UTF8.self) }
  }

  private func lock(_ time: Int = 11_000) {
    run.program.machine.lock()
    run.platform.advance(by: time)
  }

  private func unlock() {
    run.program.machine.unlock()
    run.platform.advance(by: 100)
  }

  @Test("It is saved and opened as any other one, and its file has no plain text")
  func saved() async throws {
    let letter = await letter()
    letter.write("another secret")
    #expect(await run.passes { !letter.hasUnsavedChanges })
    #expect(home.read("letter.txt")?.contains("secret") == false && letter.documentState == .normal)
    #expect(await content() == "another secret")
    #expect(await letter.close())
    let again = run.letter("letter.txt")
    #expect(await !again.open())
    #expect(again.error?.reason == .content)
    again.protection = .complete
    #expect(await again.open())
    #expect(again.text == "another secret")
  }

  @Test("Changes are saved before the key goes; those of later are in memory, said, and saved after the unlock")
  func locked() async throws {
    let letter = await letter()
    letter.write("before")
    lock(3000)
    #expect(await run.waits { !letter.hasUnsavedChanges })
    // In the moments of grace, by a callback for instance
    letter.write("grace")
    #expect(await run.passes { !letter.hasUnsavedChanges })
    run.platform.advance(by: 11_000)
    #expect(letter.documentState == .normal)
    let takes = letter.takes
    letter.write("later")
    #expect(await !letter.autosave())
    #expect(letter.documentState == .savingError && letter.error?.reason == .unavailable)
    #expect(letter.errors == [.unavailable] && letter.hasUnsavedChanges)
    // It is not tried in vain
    run.platform.advance(by: 60_000)
    #expect(letter.takes == takes && letter.errors.count == 1)
    unlock()
    #expect(await run.passes { !letter.hasUnsavedChanges && letter.documentState == .normal })
    #expect(await content() == "later" && letter.error == nil)
  }

  @Test(
    "The error of what was undone, or not read, while the screen was locked is over after the unlock, which is told")
  func undoneWhileLocked() async throws {
    let letter = await letter()
    var heard: DocumentError.Reason?
    let token = NotificationCenter.default.addObserver(of: letter, for: .documentStateDidChange) { message in
      heard = message.document.error?.reason
    }
    defer { NotificationCenter.default.removeObserver(token) }
    for isUndone in [true, false] {
      lock()
      if isUndone {
        letter.replace("later")
        #expect(await !letter.autosave())
        letter.undoManager.undo()
      } else {
        #expect(await !letter.revert())
      }
      #expect(heard == .unavailable && !letter.hasUnsavedChanges)
      unlock()
      #expect(await run.passes { letter.error == nil && heard == nil && letter.documentState == .normal })
    }
  }

  @Test("One that cannot be saved is not closed, and is when it can")
  func closed() async throws {
    let letter = await letter()
    lock()
    letter.write("later")
    #expect(await !letter.close())
    #expect(letter.hasUnsavedChanges && run.controller.documents == [letter])
    unlock()
    #expect(await run.passes { letter.documentState == .closed })
    #expect(await content() == "later")
    // One without changes is closed, and cannot be opened meanwhile
    #expect(await letter.open())
    lock()
    #expect(await letter.close())
    #expect(await !letter.open())
    #expect(letter.error?.reason == .unavailable && letter.documentState == .closed)
    unlock()
    #expect(await letter.open())
  }

  #if !WITHOUT_Memory
    @Test("The scene of one that cannot be saved while the screen is locked is not reclaimed before it is")
    func notReclaimed() async throws {
      let letter = await letter()
      let scene = try #require(run.program.scenes.first)
      let session = scene.session
      scene.document = letter
      run.minimize()
      lock()
      letter.write("later")
      #expect(await run.passes { letter.error?.reason == .unavailable && !letter.jobs.isBusy })
      run.program.application.reclaimPolicy.maximumBackgroundScenes = 0
      run.platform.advance(by: 3000)
      #expect(session.scene === scene && letter.hasUnsavedChanges)
      unlock()
      #expect(await run.passes { session.scene == nil })
      #expect(await content() == "later")
    }
  #endif

  @Test("What cannot be in the file is kept encrypted, and comes back")
  func kept() async throws {
    let letter = await letter()
    letter.write("mine, secret")
    unlink(home.path + "/letter.txt")
    #expect(await run.passes { run.events.last == "kept" || letter.documentState == .savingError && run.kept() != nil })
    #expect(run.kept() != nil && run.kept()?.contains("secret") == false)
    #expect(await letter.resolveConflict(keeping: .own))
    #expect(await content() == "mine, secret")
    #expect(run.kept() == nil)
  }

  @Test("Another program's version is decrypted when it may be")
  func changed() async throws {
    let letter = await letter()
    let other = ProtectedFile(url: run.url("letter.txt"), protection: .complete, application: run.program.application)
    try await other.write(Data("theirs".utf8))
    #expect(await run.passes { letter.text == "theirs" })
    let theirs = try #require(FileManager.default.contents(atPath: home.path + "/letter.txt"))
    try await other.write(Data("newer".utf8))
    #expect(await run.passes { letter.text == "newer" })
    lock()
    try theirs.write(to: run.url("letter.txt"))
    run.platform.advance(by: 1000)
    #expect(await run.waits { !letter.jobs.isBusy })
    #expect(letter.text == "newer" && letter.documentState == .normal)
    unlock()
    #expect(await run.passes { letter.text == "theirs" })
  }

  @Test("A conflict in which the screen is locked is one after the unlock, and neither version is lost")
  func conflict() async throws {
    let letter = await letter()
    let other = ProtectedFile(url: run.url("letter.txt"), protection: .complete, application: run.program.application)
    try await other.write(Data("theirs".utf8))
    letter.write("mine")
    #expect(await run.passes { letter.documentState == .inConflict && run.events.last == "kept" })
    lock()
    letter.write("mine, newer")
    #expect(await !letter.autosave())
    #expect(letter.documentState == .inConflict)
    #expect(await !letter.resolveConflict(keeping: .own))
    unlock()
    #expect(await run.passes { letter.documentState == .inConflict && run.events.last == "kept" })
    #expect(await content() == "theirs")
    #expect(await letter.resolveConflict(keeping: .own))
    #expect(await content() == "mine, newer")
  }

  @Test("An ordinary document is encrypted by its next save; one without a key says so")
  func migrated() async throws {
    let letter = try await run.open("letter.txt", "old")
    letter.protection = .complete
    run.program.machine.keyRefusal = "the user has not unlocked the Secret Service"
    letter.write("new")
    #expect(await run.passes { letter.documentState == .savingError })
    #expect(letter.errors == [.protection] && home.read("letter.txt") == "old" && run.kept() == nil)
    run.program.machine.keyRefusal = nil
    run.platform.advance(by: 31_000)
    #expect(await letter.autosave())
    #expect(await content() == "new")
    #expect(letter.documentState == .normal)
  }

  #if !WITHOUT_Suspension
    @Test("A program that is suspended has saved, and has no key; a lock that it has not heard of finds none")
    func suspended() async throws {
      let run = DocumentRun(home, suspends: true)
      let letter = run.letter("other.txt")
      letter.protection = .complete
      #expect(await letter.save(to: run.url("other.txt"), for: .forCreating))
      letter.write("secret")
      run.minimize()
      #expect(await run.passes { run.program.application.applicationState == .background && !letter.hasUnsavedChanges })
      run.platform.advance(by: 60_000)
      let lines: [TraceRecord.System] = run.program.entries.compactMap { record in
        guard case .system(let system) = record else { return nil }
        return system
      }
      let wipe = try #require(
        lines.firstIndex { $0.name == "protectionKey" && $0.details["cause"]?.text == "suspended" })
      #expect(lines[wipe...].contains { $0.name == "suspended" } && lines.contains { $0.name == "protectedFile" })
      run.program.machine.lock()
      run.program.machine.unlock()
      run.restore()
      run.platform.advance(by: 1000)
      letter.write("more")
      #expect(await run.passes { !letter.hasUnsavedChanges })
    }
  #endif

  @Test("A damaged one does not open, and is not written over")
  func damaged() async throws {
    let letter = await letter()
    #expect(await letter.close())
    var bytes = try #require(FileManager.default.contents(atPath: home.path + "/letter.txt"))
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: run.url("letter.txt"))
    #expect(await !letter.open())
    #expect(letter.error?.reason == .damaged && letter.documentState == .closed)
    #expect(FileManager.default.contents(atPath: home.path + "/letter.txt") == bytes)
  }

  @Test(
    "What another program puts in its place that cannot be decrypted is a conflict, in which changes are kept",
    arguments: [true, false], [true, false])
  func replaced(_ isPlain: Bool, _ isChanged: Bool) async throws {
    let letter = await letter()
    var bytes = try #require(FileManager.default.contents(atPath: home.path + "/letter.txt"))
    bytes[bytes.count - 1] ^= 1
    if isPlain { bytes = Data("theirs".utf8) }
    if isChanged { letter.write("mine") }
    try bytes.write(to: run.url("letter.txt"))
    #expect(await run.passes { letter.documentState == .inConflict })
    #expect(letter.error?.reason == (isPlain ? .protection : .damaged) && letter.conflict?.contentsOnDisk == Data())
    if !isChanged { letter.write("mine") }
    #expect(await run.passes { run.kept() != nil && !letter.jobs.isBusy && letter.machine.isKept })
    #expect(letter.errors.count == 1 && run.kept()?.contains("mine") == false)
    #expect(await !letter.resolveConflict(keeping: .onDisk))
    #expect(letter.documentState == .inConflict && letter.text == "mine")
    #expect(FileManager.default.contents(atPath: home.path + "/letter.txt") == bytes)
    // The same at the next opening
    #expect(await letter.close())
    letter.text = ""
    #expect(await letter.open())
    #expect(letter.text == "mine" && letter.documentState == .inConflict && letter.hasUnsavedChanges)
    #expect(letter.error?.reason == (isPlain ? .protection : .damaged) && letter.conflict?.contentsOnDisk == Data())
    #expect(run.kept() != nil)
    #expect(FileManager.default.contents(atPath: home.path + "/letter.txt") == bytes)
    #expect(await letter.resolveConflict(keeping: .own))
    #expect(await content() == "mine" && letter.documentState == .normal && letter.error == nil && run.kept() == nil)
  }

  @Test("That conflict is over when the file can be decrypted again")
  func replacedAgain() async throws {
    let letter = await letter()
    let bytes = try #require(FileManager.default.contents(atPath: home.path + "/letter.txt"))
    try Data("theirs".utf8).write(to: run.url("letter.txt"))
    #expect(await run.passes { letter.documentState == .inConflict })
    try bytes.write(to: run.url("letter.txt"))
    #expect(await run.passes { letter.documentState == .normal && letter.error == nil })
    #expect(letter.text == "secret" && letter.conflict == nil)
  }

  @Test("With changes it is an ordinary conflict when the file has another content that can be decrypted")
  func replacedByReadable() async throws {
    let letter = await letter()
    let other = ProtectedFile(url: run.url("letter.txt"), protection: .complete, application: run.program.application)
    try await other.write(Data("theirs".utf8))
    #expect(await run.passes { letter.text == "theirs" })
    let theirs = try #require(FileManager.default.contents(atPath: home.path + "/letter.txt"))
    try await other.write(Data("newer".utf8))
    #expect(await run.passes { letter.text == "newer" })
    try Data("plain".utf8).write(to: run.url("letter.txt"))
    #expect(await run.passes { letter.documentState == .inConflict && letter.error?.reason == .protection })
    letter.write("mine")
    #expect(await run.passes { letter.machine.isKept && !letter.jobs.isBusy })
    try theirs.write(to: run.url("letter.txt"))
    #expect(await run.passes { letter.conflict?.contentsOnDisk == Data("theirs".utf8) })
    #expect(letter.documentState == .inConflict && letter.error?.reason == .changedElsewhere)
    #expect(letter.errors == [.protection, .changedElsewhere] && letter.text == "mine")
  }

  @Test("Changes are kept where a save finds the file of another key before anything has looked at it")
  func savedBeforeLook() async throws {
    _ = await letter()
    let strange = try #require(FileManager.default.contents(atPath: home.path + "/letter.txt"))
    lock()
    run.program.machine.loseKeys()
    unlock()
    let other = run.letter("other.txt")
    other.protection = .complete
    #expect(await other.save(to: run.url("other.txt"), for: .forCreating))
    other.write("mine")
    try strange.write(to: run.url("other.txt"))
    // The watch has not been read.
    #expect(await !other.autosave())
    #expect(await run.passes { other.documentState == .inConflict && other.machine.isKept && !other.jobs.isBusy })
    #expect(run.kept("other.txt") != nil && other.errors == [.protection] && other.conflict?.contentsOnDisk == Data())
    #expect(FileManager.default.contents(atPath: home.path + "/other.txt") == strange)
  }

  /// The files of the folder of kept versions.
  private var versions: [String] {
    let folder = home.path + "/.local/state/org.example.letters/documents"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { folder + "/" + $0 }
  }

  @Test("A kept version that is damaged is put aside, and leaves the document with the content of its file")
  func damagedVersion() async throws {
    let letter = await letter()
    let other = ProtectedFile(url: run.url("letter.txt"), protection: .complete, application: run.program.application)
    try await other.write(Data("theirs".utf8))
    letter.write("mine")
    #expect(await run.passes { letter.documentState == .inConflict && run.events.last == "kept" })
    #expect(await letter.close())
    let path = try #require(versions.first)
    var bytes = try #require(FileManager.default.contents(atPath: path))
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(filePath: path))
    #expect(await letter.open())
    #expect(await run.waits { letter.error?.reason == .keptVersion })
    #expect(letter.text == "theirs" && letter.documentState == .normal && !letter.hasUnsavedChanges)
    #expect(versions == [path + ".unread"] && FileManager.default.contents(atPath: path + ".unread") == bytes)
  }

  @Test("A file that is gone is missing where its kept version is of a lost key, which is put aside and told of")
  func lostVersion() async throws {
    let letter = await letter()
    letter.write("mine")
    unlink(home.path + "/letter.txt")
    #expect(await run.passes { letter.documentState == .savingError && run.events.last == "kept" })
    #expect(await letter.close())
    let path = try #require(versions.first)
    lock()
    run.program.machine.loseKeys()
    unlock()
    #expect(await !letter.open())
    #expect(await run.waits { letter.error?.reason == .keptVersion })
    #expect(letter.errors.suffix(2) == [.missing, .keptVersion] && letter.documentState == .closed)
    #expect(versions == [path + ".unread"])
  }

  @Test("A wait for the key that is longer than the background time is no mistake of the program")
  func longWait() async {
    run.minimize()
    run.platform.advance(by: 3000)
    #expect(run.program.application.applicationState == .background)
    let letter = run.letter("letter.txt")
    letter.protection = .complete
    // The key comes by the main queue, which stands still for so long.
    letter.jobs.enqueue(.save(run.url("letter.txt"), .forCreating))
    run.platform.advance(by: 60_000)
    #expect(letter.jobs.awaitsCipher && run.errors == [])
    #expect(await run.waits { letter.documentState == .normal && !letter.jobs.isBusy })
    #expect(run.errors == [])
  }

  @Test("Saved as a file of another class it has that class from then on, and its own where that fails")
  func otherClass() async throws {
    let letter = try await run.open("letter.txt", "plain")
    letter.text = "secret"
    #expect(await letter.save(to: run.url("new.txt"), for: .forCreating, protection: .complete))
    #expect(letter.protection == .complete && letter.fileURL == run.url("new.txt"))
    #expect(home.read("new.txt")?.contains("secret") == false && home.mode("new.txt") == 0o600)
    letter.write("secret, too")
    #expect(await run.passes { !letter.hasUnsavedChanges })
    #expect(home.read("new.txt")?.contains("secret") == false && home.read("letter.txt") == "plain")
    // A file is in the way, and there is no key
    #expect(await !letter.save(to: run.url("letter.txt"), for: .forCreating, protection: .none))
    #expect(letter.protection == .complete && home.read("letter.txt") == "plain")
    letter.write("secret, again")
    #expect(await run.passes { !letter.hasUnsavedChanges })
    #expect(home.read("new.txt")?.contains("secret") == false)
    lock()
    #expect(await letter.save(to: run.url("plain.txt"), for: .forCreating, protection: .none))
    #expect(letter.protection == .none && home.read("plain.txt") == "secret, again")
    #expect(await !letter.save(to: run.url("late.txt"), for: .forCreating, protection: .complete))
    #expect(letter.protection == .none && letter.fileURL == run.url("plain.txt") && home.read("late.txt") == nil)
    unlock()
  }

  @Test("A file of a later form that has come in the place of a document is not replaced, and not opened")
  func later() async throws {
    let letter = await letter()
    let path = home.path + "/letter.txt"
    var bytes = try #require(FileManager.default.contents(atPath: path))
    bytes[8] = 2
    try bytes.write(to: URL(filePath: path))
    #expect(await run.passes { letter.documentState == .inConflict })
    letter.write("mine")
    #expect(await !letter.resolveConflict(keeping: .own))
    #expect(FileManager.default.contents(atPath: path) == bytes)
    #expect(letter.error?.reason == .protection && letter.hasUnsavedChanges)
    #expect(letter.error?.description.contains("newer version") == true, "\(letter.error as Any)")
    let other = run.letter("letter.txt")
    other.protection = .complete
    #expect(await !other.open())
    #expect(other.error?.reason == .protection)
  }

  @Test("A file of a key that is gone is not replaced, whoever asks for it")
  func otherKey() async throws {
    let letter = await letter()
    let bytes = try #require(FileManager.default.contents(atPath: home.path + "/letter.txt"))
    lock()
    run.program.machine.loseKeys()
    unlock()
    letter.write("newer")
    #expect(await !letter.autosave())
    #expect(await !letter.resolveConflict(keeping: .own))
    let file = ProtectedFile(url: run.url("letter.txt"), protection: .complete, application: run.program.application)
    await #expect(throws: ProtectedFileError.self) { try await file.write(Data("newest".utf8)) }
    #expect(FileManager.default.contents(atPath: home.path + "/letter.txt") == bytes)
    #expect(letter.error?.reason == .protection && letter.hasUnsavedChanges)
    // Elsewhere it can be saved
    #expect(await letter.save(to: run.url("other.txt"), for: .forCreating))
    #expect(letter.documentState == .normal && home.read("other.txt")?.contains("newer") == false)
  }
}
