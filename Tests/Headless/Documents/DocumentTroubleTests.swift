import FoundationEssentials
import Glibc
import ProsceniumStore
import ProsceniumTesting
import Testing

@testable import ProsceniumCore

/// Other programs, locked and vanished files, and errors.
@MainActor @Suite("Trouble with documents", .serialized) struct DocumentTroubleTests {
  private let home: RealHome
  init() throws { home = try RealHome() }

  // MARK: Other programs

  @Test("A file that another program changes is read again silently, however it writes it")
  func reread() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    var states = 0
    let token = NotificationCenter.default.addObserver(of: letter, for: .documentStateDidChange) { _ in states += 1 }
    // In place
    try Data("in place".utf8).write(to: run.url("letter.txt"))
    #expect(await run.passes { letter.text == "in place" })
    // By a renaming
    try Data("renamed".utf8).write(to: run.url("other"))
    rename(home.path + "/other", home.path + "/letter.txt")
    #expect(await run.passes { letter.text == "renamed" })
    // Removed and made anew
    unlink(home.path + "/letter.txt")
    try Data("anew".utf8).write(to: run.url("letter.txt"))
    #expect(await run.passes { letter.text == "anew" })
    #expect(letter.documentState == .normal && letter.errors == [] && !letter.hasUnsavedChanges && states >= 3)
    NotificationCenter.default.removeObserver(token)
    // And saved over
    letter.write("own")
    #expect(await letter.autosave())
    #expect(home.read("letter.txt") == "own")
  }

  @Test(
    "What the loading of another program's content registers or counts is no change of the user",
    arguments: [true, false])
  func changesOfLoading(registers: Bool) async throws {
    final class Noted: Letter {
      var registers = false
      override func load(fromContents contents: Data, ofType typeName: String) throws {
        let old = text
        try super.load(fromContents: contents, ofType: typeName)
        if registers { undoManager.registerUndo(withTarget: self) { $0.text = old } } else { updateChangeCount(.done) }
      }
    }
    let run = DocumentRun(home)
    try home.write("letter.txt", "old")
    let letter = Noted(fileURL: run.url("letter.txt"))
    letter.application = run.program.application
    letter.registers = registers
    #expect(await letter.open())
    try Data("theirs".utf8).write(to: run.url("letter.txt"))
    #expect(await run.passes { letter.text == "theirs" })
    #expect(!letter.hasUnsavedChanges && !letter.undoManager.canUndo && letter.documentState == .normal)
    run.platform.advance(by: 3000)
    #expect(await run.waits { !letter.jobs.isBusy })
    #expect(letter.takes == 0 && run.program.violations.isEmpty, "\(run.program.violations)")
  }

  @Test("Its own saves, and a new time or mode of the file, are no changes of another program")
  func own() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    letter.write("own")
    #expect(await letter.autosave())
    letter.write("unsaved")
    var isEdited: [Bool] = []
    let token = NotificationCenter.default.addObserver(of: letter, for: .documentStateDidChange) { message in
      isEdited.append(message.document.hasUnsavedChanges)
    }
    defer { NotificationCenter.default.removeObserver(token) }
    utimes(home.path + "/letter.txt", nil)
    chmod(home.path + "/letter.txt", 0o640)
    #expect(await run.passes { home.read("letter.txt") == "unsaved" })
    #expect(letter.loads == 1 && letter.documentState == .normal && home.mode("letter.txt") == 0o640)
    // What shows whether it is saved hears of that
    #expect(await run.passes { isEdited.last == false })
  }

  @Test("With unsaved changes there are two versions, and neither is written over")
  func conflict() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    letter.write("mine")
    try Data("theirs".utf8).write(to: run.url("letter.txt"))
    #expect(await run.passes { letter.documentState == .inConflict && run.events.last == "kept" })
    #expect(run.kept() == "mine")
    #expect(letter.text == "mine" && letter.conflict?.contentsOnDisk == Data("theirs".utf8))
    #expect(home.read("letter.txt") == "theirs" && letter.errors == [.changedElsewhere])
    #expect(run.events.contains("conflict"))
    // Nothing saves over it but the person
    letter.write("mine, too")
    #expect(await !letter.save(to: run.url("letter.txt"), for: .forOverwriting))
    #expect(await run.passes { run.kept() == "mine, too" })
    #expect(home.read("letter.txt") == "theirs")
    try Data("theirs again".utf8).write(to: run.url("letter.txt"))
    #expect(await run.passes { letter.conflict?.contentsOnDisk == Data("theirs again".utf8) })
    #expect(await letter.resolveConflict(keeping: .own))
    #expect(home.read("letter.txt") == "mine, too" && letter.documentState == .normal && letter.conflict == nil)
    #expect(run.kept() == nil && !letter.hasUnsavedChanges)
  }

  @Test(
    "The version of a document in conflict stays when another one of the same file is saved", arguments: [false, true])
  func twoOfOneFile(isInPlace: Bool) async throws {
    let run = DocumentRun(home)
    try home.write("letter.txt", "old")
    if isInPlace { try #require(link(home.path + "/letter.txt", home.path + "/other.txt") == 0) }
    let letter = try await run.open()
    let other = try await run.open()
    letter.write("mine")
    other.write("theirs")
    #expect(await other.autosave())
    #expect(await run.passes { letter.documentState == .inConflict && run.kept() == "mine" && !letter.jobs.isBusy })
    other.write("theirs again")
    #expect(await other.autosave())
    // A write into the file has a version of its own under the same name: then the first one is kept again.
    if !isInPlace { #expect(run.kept() == "mine") }
    #expect(await run.passes { letter.conflict?.contentsOnDisk == Data("theirs again".utf8) && !letter.jobs.isBusy })
    #expect(run.kept() == "mine")
    // Nor does it go with changes of the other one that are undone
    other.reduce(.changed(.done))
    other.reduce(.keeping)
    other.reduce(.changed(.undone))
    #expect(await run.waits { !other.jobs.isBusy })
    #expect(run.kept() == "mine")
    #expect(await letter.close())
    let next = try await run.open()
    #expect(next.text == "mine" && next.documentState == .inConflict)
    #expect(next.conflict?.contentsOnDisk == Data("theirs again".utf8))
    #expect(await next.resolveConflict(keeping: .own))
    #expect(home.read("letter.txt") == "mine" && run.kept() == nil)
    #expect(run.program.violations.isEmpty, "\(run.program.violations)")
  }

  @Test("The version of the file can be chosen, or both")
  func resolved() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    for isBoth in [false, true] {
      letter.write("mine")
      let theirs = "theirs \(isBoth)"
      try Data(theirs.utf8).write(to: run.url("letter.txt"))
      #expect(await run.passes { letter.documentState == .inConflict })
      if isBoth {
        #expect(await letter.save(to: run.url("mine.txt"), for: .forCreating))
        #expect(home.read("mine.txt") == "mine" && letter.fileURL == run.url("mine.txt"))
      } else {
        #expect(await letter.resolveConflict(keeping: .onDisk))
        #expect(letter.text == theirs)
      }
      #expect(letter.documentState == .normal && home.read("letter.txt") == theirs && run.kept() == nil)
      #expect(!letter.hasUnsavedChanges)
    }
  }

  @Test("A file that another program writes between the last look and the save is not written over")
  func race() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    letter.write("mine")
    try Data("theirs".utf8).write(to: run.url("letter.txt"))
    // The watch has not been read
    #expect(await letter.autosave())
    #expect(home.read("letter.txt") == "theirs")
    #expect(letter.documentState == .inConflict && run.kept() == "mine")
  }

  @Test("A conflict outlives a kill: both versions are there again")
  func conflictAfterKill() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    letter.write("mine")
    try Data("theirs".utf8).write(to: run.url("letter.txt"))
    #expect(await run.passes { run.kept() == "mine" })
    run.program.kill()
    run.program.relaunch()
    let next = try await run.open()
    #expect(next.text == "mine" && next.documentState == .inConflict && next.hasUnsavedChanges)
    #expect(next.conflict?.contentsOnDisk == Data("theirs".utf8))
    // That it is looked at ends no conflict, and what is typed is kept, not saved
    next.jobs.enqueue(.look)
    next.write("mine, too")
    #expect(await run.passes { run.kept() == "mine, too" && !next.jobs.isBusy })
    run.platform.advance(by: 3000)
    #expect(await run.waits { !next.jobs.isBusy })
    #expect(home.read("letter.txt") == "theirs" && next.documentState == .inConflict)
    next.write("mine")
    #expect(await next.resolveConflict(keeping: .own))
    #expect(home.read("letter.txt") == "mine" && run.kept() == nil)
  }

  @Test("A file that is moved away is an error that says what to do; it comes back, or is made anew")
  func vanished() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    letter.write("mine")
    rename(home.path + "/letter.txt", home.path + "/moved.txt")
    #expect(await run.passes { letter.documentState == .savingError && run.kept() == "mine" })
    #expect(letter.error?.reason == .vanished && letter.error?.description.contains("Save it again") == true)
    run.platform.advance(by: 9000)
    #expect(await run.waits { !letter.jobs.isBusy })
    #expect(home.read("letter.txt") == nil)
    rename(home.path + "/moved.txt", home.path + "/letter.txt")
    #expect(await run.passes { home.read("letter.txt") == "mine" })
    #expect(letter.documentState == .normal)
    unlink(home.path + "/letter.txt")
    #expect(await run.passes { letter.documentState == .savingError })
    #expect(await letter.resolveConflict(keeping: .own))
    #expect(home.read("letter.txt") == "mine" && letter.documentState == .normal)
  }

  @Test("The error of a file that was away or another one is over when the file is back as it was, which is told")
  func backUnchanged() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    var heard: DocumentError.Reason?
    let token = NotificationCenter.default.addObserver(of: letter, for: .documentStateDidChange) { message in
      heard = message.document.error?.reason
    }
    defer { NotificationCenter.default.removeObserver(token) }
    rename(home.path + "/letter.txt", home.path + "/moved.txt")
    #expect(await run.passes { heard == .vanished })
    rename(home.path + "/moved.txt", home.path + "/letter.txt")
    #expect(await run.passes { letter.documentState == .normal })
    #expect(letter.error == nil && heard == nil && !letter.hasUnsavedChanges && letter.loads == 1)
    blockFile()
    #expect(await run.passes { heard == .notAFile })
    unblockFile()
    #expect(await run.passes { letter.documentState == .normal })
    #expect(letter.error == nil && heard == nil)
    try Data([0xFF, 0xFE]).write(to: run.url("letter.txt"))
    #expect(await run.passes { heard == .content && letter.documentState == .inConflict })
    try Data("old".utf8).write(to: run.url("letter.txt"))
    #expect(await run.passes { letter.documentState == .normal })
    #expect(letter.error == nil && heard == nil && letter.conflict == nil)
    #expect(letter.errors == [.vanished, .notAFile, .content])
  }

  @Test("The changes of a file that is gone are there again after a kill, and make it anew where the user wants that")
  func vanishedAfterKill() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    letter.write("mine")
    unlink(home.path + "/letter.txt")
    #expect(await run.passes { letter.documentState == .savingError && run.kept() == "mine" })
    run.program.kill()
    run.program.relaunch()
    let next = try await run.open()
    #expect(next.text == "mine" && next.documentState == .savingError && next.hasUnsavedChanges)
    #expect(next.errors == [.vanished])
    run.platform.advance(by: 9000)
    #expect(await run.waits { !next.jobs.isBusy })
    #expect(home.read("letter.txt") == nil && run.kept() == "mine")
    #expect(await next.resolveConflict(keeping: .own))
    #expect(home.read("letter.txt") == "mine" && next.documentState == .normal && run.kept() == nil)
  }

  @Test("So are those of a file whose folder is gone, by whatever path it was opened", arguments: ["folder", "link"])
  func folderGoneAfterKill(_ path: String) async throws {
    let run = DocumentRun(home)
    try home.write("folder/letter.txt", "old")
    try turn("link", to: "folder")
    let letter = try await run.open(path + "/letter.txt")
    letter.write("mine")
    try FileManager.default.removeItem(atPath: home.path + "/folder")
    #expect(await run.passes { letter.documentState == .savingError && run.kept() == "mine" && !letter.jobs.isBusy })
    run.program.kill()
    run.program.relaunch()
    let next = try await run.open(path + "/letter.txt")
    #expect(next.text == "mine" && next.documentState == .savingError && next.hasUnsavedChanges)
    #expect(next.errors == [.vanished])
    mkdir(home.path + "/folder", 0o700)
    #expect(await next.resolveConflict(keeping: .own))
    #expect(home.read("folder/letter.txt") == "mine" && next.documentState == .normal && run.versions == [])
  }

  @Test(
    "So are those that were kept before the folder went, by the path through a link, too",
    arguments: ["folder", "link"])
  func folderGoneAfterKeeping(_ path: String) async throws {
    let run = DocumentRun(home)
    try home.write("folder/letter.txt", "old")
    try turn("link", to: "folder")
    let letter = try await run.open(path + "/letter.txt")
    letter.write("mine")
    // What is no file cannot be written.
    unlink(home.path + "/folder/letter.txt")
    mkdir(home.path + "/folder/letter.txt", 0o700)
    #expect(await run.passes { letter.documentState == .savingError && run.kept() == "mine" && !letter.jobs.isBusy })
    run.program.kill()
    try FileManager.default.removeItem(atPath: home.path + "/folder")
    run.program.relaunch()
    let next = try await run.open(path + "/letter.txt")
    #expect(next.text == "mine" && next.documentState == .savingError && next.errors == [.vanished])
  }

  @Test("Changes that were kept and then undone do not come back", arguments: [true, false])
  func undone(_ returns: Bool) async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    letter.replace("mine")
    rename(home.path + "/letter.txt", home.path + "/moved.txt")
    #expect(await run.passes { letter.documentState == .savingError && run.kept() == "mine" && !letter.jobs.isBusy })
    letter.undoManager.undo()
    #expect(letter.text == "old" && !letter.hasUnsavedChanges)
    #expect(await run.waits { run.kept() == nil })
    // What is typed at once is kept in its place
    letter.replace("newer")
    #expect(await run.passes { run.kept() == "newer" && !letter.jobs.isBusy })
    letter.undoManager.undo()
    letter.replace("newest")
    #expect(await run.passes { run.kept() == "newest" && !letter.jobs.isBusy })
    letter.undoManager.undo()
    if returns {
      rename(home.path + "/moved.txt", home.path + "/letter.txt")
      #expect(await run.passes { letter.documentState == .normal })
    }
    run.platform.send(.signal(15))
    #expect(run.program.exitStatus == 0 && run.kept() == nil)
    if !returns { rename(home.path + "/moved.txt", home.path + "/letter.txt") }
    run.program.relaunch()
    let next = try await run.open()
    #expect(next.text == "old" && !next.hasUnsavedChanges && next.documentState == .normal)
    #expect(home.read("letter.txt") == "old")
  }

  @Test("Changes that were undone in a conflict make no conflict at the next opening")
  func undoneInConflict() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    letter.replace("mine")
    try Data("theirs".utf8).write(to: run.url("letter.txt"))
    #expect(await run.passes { letter.documentState == .inConflict && run.kept() == "mine" && !letter.jobs.isBusy })
    letter.undoManager.undo()
    #expect(await letter.close())
    #expect(run.kept() == nil)
    let next = try await run.open()
    #expect(next.text == "theirs" && !next.hasUnsavedChanges && next.documentState == .normal && next.errors == [])
  }

  @Test("A conflict whose changes are undone is over: the document has the other program's version")
  func conflictUndone() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    letter.replace("mine")
    try Data("theirs".utf8).write(to: run.url("letter.txt"))
    #expect(await run.passes { letter.documentState == .inConflict && run.kept() == "mine" && !letter.jobs.isBusy })
    letter.undoManager.undo()
    #expect(await run.passes { letter.documentState == .normal && !letter.jobs.isBusy })
    #expect(letter.text == "theirs" && letter.conflict == nil && letter.error == nil && run.kept() == nil)
    #expect(home.read("letter.txt") == "theirs" && letter.errors == [.changedElsewhere])
  }

  @Test("A version by which a file becomes whole stays when its changes are undone, until the file is whole")
  func undoneInPart() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old words")
    let known = try #require(letter.known)
    // What a write into the file leaves that could neither be ended nor taken back
    try KeptVersions(applicationIdentifier: "org.example.letters", environment: ["HOME": home.path]).keep(
      KeptVersion(.writing, base: known.identity, bytes: Array("new words".utf8), old: Array("old words".utf8)),
      of: known.place.path)
    let file = try #require(fopen(home.path + "/letter.txt", "r+"))
    fputs("new", file)
    fclose(file)
    letter.reduce(.changed(.done))
    letter.reduce(.keeping)
    letter.reduce(.changed(.undone))
    #expect(await run.passes { home.read("letter.txt") == "old words" && !letter.jobs.isBusy })
    #expect(run.kept() == nil && !letter.hasUnsavedChanges && letter.documentState == .normal && letter.errors == [])
  }

  // MARK: Errors

  @Test("What cannot be opened says why and what to do, and leaves the document closed")
  func notOpened() async throws {
    let run = DocumentRun(home)
    mkdir(home.path + "/folder.txt", 0o700)
    try Data([0xFF, 0xFE]).write(to: run.url("bytes.txt"))
    let cases: [(String, DocumentError.Reason)] = [
      ("none.txt", .missing), ("no folder/none.txt", .missing), ("folder.txt", .notAFile), ("bytes.txt", .content),
    ]
    for (name, reason) in cases {
      let letter = try await run.open(name)
      #expect(letter.documentState == .closed && letter.errors == [reason] && letter.error?.reason == reason)
      #expect("\(letter.error.map { "\($0)" } ?? "")".contains(name.split(separator: "/").last ?? ""))
    }
    #expect(run.controller.documents == [])
    // And can be opened when it is there
    try home.write("none.txt", "there")
    let letter = try await run.open("none.txt")
    #expect(letter.text == "there" && letter.error == nil)
  }

  @Test("Content that cannot be put into bytes is not saved, and the file stays")
  func notEncoded() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    letter.refuses = true
    letter.write("new")
    #expect(await !letter.autosave())
    #expect(letter.error?.reason == .encoding && home.read("letter.txt") == "old" && letter.hasUnsavedChanges)
    letter.refuses = false
    #expect(await letter.autosave())
    #expect(home.read("letter.txt") == "new" && letter.error == nil)
  }

  @Test("Content of another program that cannot be read is not written over before the user has chosen")
  func notReread() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    try Data([0xFF, 0xFE]).write(to: run.url("letter.txt"))
    #expect(await run.passes { letter.errors == [.content] })
    run.platform.advance(by: 3000)
    #expect(await run.waits { !letter.jobs.isBusy })
    func bytes() -> Data? { FileManager.default.contents(atPath: home.path + "/letter.txt") }
    #expect(letter.text == "old" && bytes() == Data([0xFF, 0xFE]))
    #expect(letter.documentState == .inConflict && letter.conflict?.contentsOnDisk == Data([0xFF, 0xFE]))
    // What is typed now is kept, and is not what is reverted to
    letter.write("mine")
    #expect(await run.passes { run.kept() == "mine" })
    #expect(await !letter.revert())
    #expect(letter.hasUnsavedChanges && letter.documentState == .inConflict && bytes() == Data([0xFF, 0xFE]))
    #expect(await run.passes { run.kept() == "mine" })
    #expect(await letter.resolveConflict(keeping: .own))
    #expect(bytes() == Data("mine".utf8) && letter.documentState == .normal && letter.conflict == nil)
  }

  @Test("A kept version that cannot be read is put aside, and leaves the document with the content of its file")
  func keptNotRead() async throws {
    let run = DocumentRun(home)
    let next = try await relaunchedWithKept(run)
    next.understands = { $0 != "mine" }
    #expect(await next.open())
    #expect(await run.waits { next.error?.reason == .keptVersion })
    #expect(next.text == "theirs" && next.documentState == .normal && next.errors == [.keptVersion])
    next.write("new")
    #expect(await next.autosave())
    let folder = ".local/state/org.example.letters/documents/"
    let names = try FileManager.default.contentsOfDirectory(atPath: home.path + "/" + folder)
    #expect(names.count == 1 && names.allSatisfy { next.errors == [.keptVersion] && $0.hasSuffix(".kept.unread") })
    #expect(names.allSatisfy { home.read(folder + $0)?.hasSuffix("\nmine") == true })
  }

  @Test(
    "A kept version of a later format is put aside and told, whether the file is there or not",
    arguments: [true, false])
  func keptLater(hasFile: Bool) async throws {
    let run = DocumentRun(home)
    let name = ".local/state/org.example.letters/documents/" + KeptVersions.name(of: run.url("letter.txt").path)
    let later = "{\"document\":\"\(run.url("letter.txt").path)\",\"reason\":\"merging\",\"size\":4}\nlost"
    try home.write(name, later)
    if hasFile { try home.write("letter.txt", "old") }
    let letter = run.letter("letter.txt")
    #expect(await letter.open() == hasFile)
    #expect(await run.waits { letter.error?.reason == .keptVersion })
    #expect(letter.errors == (hasFile ? [] : [.missing]) + [.keptVersion])
    #expect(letter.error?.description.contains("letter.txt.kept.unread”") == true)
    #expect(home.read(name + ".unread") == later && home.read(name) == nil)
    #expect(letter.documentState == (hasFile ? .normal : .closed) && letter.text == (hasFile ? "old" : ""))
  }

  @Test("The version of a file that is gone that cannot be read is put aside, and the user learns where it lies")
  func vanishedNotRead() async throws {
    let run = DocumentRun(home)
    for round in ["", "-2"] {
      let letter = try await run.open("letter.txt", "old")
      letter.write("mine")
      unlink(home.path + "/letter.txt")
      #expect(await run.passes { letter.documentState == .savingError && run.kept() == "mine" })
      run.program.kill()
      run.program.relaunch()
      let next = run.letter("letter.txt")
      next.understands = { $0 != "mine" }
      #expect(await !next.open())
      #expect(await run.waits { next.errors.count == 2 })
      #expect(next.errors == [.missing, .keptVersion] && next.documentState == .closed)
      #expect(next.error?.description.contains("letter.txt.kept.unread\(round)”") == true, "\(next.error as Any)")
      // Nothing is written over it, not even the next one.
      #expect(await next.save(to: run.url("letter.txt"), for: .forCreating))
      #expect(run.versions.contains("letter.txt.kept.unread" + round))
      #expect(await next.close())
    }
    #expect(run.versions == ["letter.txt.kept.unread", "letter.txt.kept.unread-2"])
  }

  @Test("A document whose file could not be read does not write it over, and makes it where there is none")
  func notRead() async throws {
    let run = DocumentRun(home)
    try home.write("letter.txt", "of a later version")
    let letter = run.letter("letter.txt")
    letter.understands = { _ in false }
    #expect(await !letter.open() && letter.errors == [.content])
    letter.text = "mine"
    for _ in 1...2 {
      #expect(await !letter.save(to: letter.fileURL, for: .forOverwriting))
      #expect(letter.errors == [.content, .exists] && letter.error?.reason == .exists)
      #expect(home.read("letter.txt") == "of a later version")
    }
    unlink(home.path + "/letter.txt")
    #expect(await letter.save(to: letter.fileURL, for: .forOverwriting))
    #expect(home.read("letter.txt") == "mine" && letter.error == nil)
    // From now on it knows the file.
    letter.write("more")
    #expect(await letter.save(to: letter.fileURL, for: .forOverwriting) && home.read("letter.txt") == "more")
  }

  @Test("Changes that an earlier run has kept are not lost where the next one writes the file without opening it")
  func keptAndNotOpened() async throws {
    let run = DocumentRun(home)
    let next = try await relaunchedWithKept(run)
    next.text = "new"
    #expect(await next.save(to: next.fileURL, for: .forOverwriting) && home.read("letter.txt") == "new")
    #expect(run.versions == ["letter.txt.kept.unread"])
  }

  /// The letter of a run that follows one which has kept "mine" over a file that had become "theirs".
  private func relaunchedWithKept(_ run: DocumentRun) async throws -> Letter {
    let letter = try await run.open("letter.txt", "old")
    letter.write("mine")
    try Data("theirs".utf8).write(to: run.url("letter.txt"))
    #expect(await run.passes { run.kept() == "mine" })
    run.program.kill()
    run.program.relaunch()
    return run.letter("letter.txt")
  }

  /// Lets a link lead elsewhere.
  private func turn(_ link: String, to target: String) throws {
    try #require(symlink(target, home.path + "/new") == 0)
    try #require(rename(home.path + "/new", home.path + "/" + link) == 0)
  }

  /// A letter behind a link, with changes in a conflict, whose link then leads to another file.
  private func turned(_ run: DocumentRun) async throws -> Letter {
    try home.write("one.txt", "one")
    try home.write("two.txt", "two")
    try turn("link.txt", to: "one.txt")
    let letter = try await run.open("link.txt")
    letter.write("mine")
    try Data("theirs".utf8).write(to: run.url("one.txt"))
    #expect(await run.passes { run.kept("one.txt") == "mine" && letter.documentState == .inConflict })
    try turn("link.txt", to: "two.txt")
    letter.jobs.enqueue(.look)
    #expect(await run.passes { letter.conflict?.contentsOnDisk == Data("two".utf8) && !letter.jobs.isBusy })
    return letter
  }

  @Test("Changes behind a link that is turned are in conflict with its new file, and no other file has them later")
  func turnedLink() async throws {
    for version in Document.Version.allCases {
      let run = DocumentRun(home)
      let letter = try await turned(run)
      #expect(await letter.resolveConflict(keeping: version))
      #expect(home.read("two.txt") == (version == .own ? "mine" : "two") && home.read("one.txt") == "theirs")
      #expect(run.versions == [])
      let old = try await run.open("one.txt")
      #expect(old.text == "theirs" && old.documentState == .normal && !old.hasUnsavedChanges)
    }
  }

  @Test("They outlive a kill, and the file that they were made from, and come back where the link leads")
  func turnedLinkAfterKill() async throws {
    for isGone in [false, true] {
      let run = DocumentRun(home)
      _ = try await turned(run)
      run.program.kill()
      run.program.relaunch()
      if isGone { unlink(home.path + "/one.txt") }
      let next = try await run.open("link.txt")
      #expect(next.text == "mine" && next.documentState == .inConflict)
      #expect(next.conflict?.contentsOnDisk == Data("two".utf8))
      if !isGone {
        let old = try await run.open("one.txt")
        #expect(old.text == "theirs" && !old.hasUnsavedChanges)
      }
      next.write("mine, too")
      #expect(await run.passes { run.kept("link.txt") == "mine, too" && !next.jobs.isBusy })
      #expect(run.versions == ["link.txt.kept"])
      #expect(await next.resolveConflict(keeping: .own))
      #expect(home.read("two.txt") == "mine, too" && run.versions == [])
    }
  }

  @Test("A link that leads back to the file ends the conflict, and leaves no version")
  func turnedBack() async throws {
    let run = DocumentRun(home)
    let letter = try await turned(run)
    try home.write("one.txt", "one")
    try turn("link.txt", to: "one.txt")
    letter.jobs.enqueue(.look)
    #expect(await run.passes { home.read("one.txt") == "mine" && !letter.jobs.isBusy })
    #expect(letter.documentState == .normal && run.versions == [] && home.read("two.txt") == "two")
  }

  @Test("What another program writes into the new file of a turned link is seen", arguments: ["one", "two"])
  func turnedAndChanged(_ content: String) async throws {
    let run = DocumentRun(home)
    try home.write("one.txt", "one")
    try home.write("two.txt", content)
    try turn("link.txt", to: "one.txt")
    let letter = try await run.open("link.txt")
    try turn("link.txt", to: "two.txt")
    letter.jobs.enqueue(.look)
    #expect(await run.passes { letter.known?.place.name == "two.txt" && letter.text == content && !letter.jobs.isBusy })
    try Data("theirs".utf8).write(to: run.url("two.txt"))
    #expect(await run.passes { letter.text == "theirs" })
    #expect(letter.documentState == .normal && letter.errors == [])
  }

  @Test("Changes behind a link that is gone come back under its name, and with the next file there")
  func removedLink() async throws {
    let run = DocumentRun(home)
    _ = try await turned(run)
    unlink(home.path + "/link.txt")
    run.program.kill()
    run.program.relaunch()
    let next = try await run.open("link.txt")
    #expect(next.text == "mine" && next.documentState == .savingError && next.errors == [.vanished])
    #expect(await next.resolveConflict(keeping: .own))
    #expect(home.read("link.txt") == "mine" && home.read("two.txt") == "two" && run.versions == [])
  }

  @Test("The changes of one document do not wait for the new try of another")
  func retries() async throws {
    let run = DocumentRun(home)
    let ill = try await run.open("letter.txt", "old")
    blockFile()
    ill.write("new")
    #expect(await run.passes { run.kept() == "new" })
    let well = try await run.open("other.txt", "old")
    well.write("new")
    let begin = run.platform.now
    #expect(await run.passes { well.takes == 1 })
    #expect(run.platform.now - begin < 1.5)
    #expect(await run.waits { home.read("other.txt") == "new" })
  }

  @Test("A file that may not be read any more is said to be that, and not to be gone")
  func unreadable() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    blockFile()
    #expect(await run.passes { letter.errors == [.notAFile] })
    #expect(letter.documentState == .savingError && run.kept() == nil)
    unblockFile()
    #expect(await run.passes { letter.documentState == .normal })
  }

  @Test("A write-protected file is an error that says what to do; the changes are kept, and saved when it is free")
  func locked() async throws {
    // Nothing is write-protected for root, but a file that cannot be changed.
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    guard geteuid() != 0 else { return try await lockedForRoot(run, letter) }
    chmod(home.path + "/letter.txt", 0o400)
    try await changes(letter, run, .locked)
    chmod(home.path + "/letter.txt", 0o600)
    #expect(await run.passes { home.read("letter.txt") == "new" })
    #expect(run.kept() == nil && letter.documentState == .normal)
  }

  private func lockedForRoot(_ run: DocumentRun, _ letter: Letter) async throws {
    blockFile()
    try await changes(letter, run, nil)
    unblockFile()
    #expect(await run.passes { letter.documentState == .normal && !letter.hasUnsavedChanges })
    #expect(home.read("letter.txt") == "new" && run.kept() == nil && letter.error == nil)
  }

  /// Puts a folder in the place of the file, which not even root can write over.
  private func blockFile() {
    rename(home.path + "/letter.txt", home.path + "/aside.txt")
    mkdir(home.path + "/letter.txt", 0o700)
  }

  private func unblockFile() {
    rmdir(home.path + "/letter.txt")
    rename(home.path + "/aside.txt", home.path + "/letter.txt")
  }

  private func changes(_ letter: Letter, _ run: DocumentRun, _ reason: DocumentError.Reason?) async throws {
    var shown: [DocumentError.Reason?] = []
    let token = NotificationCenter.default.addObserver(of: letter, for: .documentStateDidChange) { message in
      shown.append(message.document.error?.reason)
    }
    defer { NotificationCenter.default.removeObserver(token) }
    letter.write("new")
    #expect(await run.passes { run.kept() == "new" })
    #expect(letter.documentState == .savingError && letter.hasUnsavedChanges && home.read("letter.txt") != "new")
    // What shows the error hears of it, also after its state.
    #expect(shown.last == letter.errors.last, "\(shown)")
    if let reason { #expect(letter.errors == [reason]) }
    // Each new attempt is not told again
    let errors = letter.errors
    run.platform.advance(by: 12_000)
    #expect(await run.waits { !letter.jobs.isBusy })
    #expect(letter.errors == errors && !errors.isEmpty, "\(letter.errors)")
  }

  @Test("Changes that could not be saved are there again at the next opening, and are saved")
  func comeBack() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    blockFile()
    letter.write("new")
    #expect(await letter.close())
    #expect(letter.documentState == .closed && run.kept() == "new")
    unblockFile()
    let next = try await run.open()
    #expect(next.text == "new" && next.hasUnsavedChanges && next.documentState == .normal)
    #expect(await run.passes { home.read("letter.txt") == "new" && run.kept() == nil })
  }

  @Test(
    "So they are where the number of the disk is another one since a restart, or the file has another time",
    arguments: [true, false])
  func comeBackAfterRestart(isDisk: Bool) async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    blockFile()
    letter.write("new")
    #expect(await letter.close())
    unblockFile()
    let path = try DocumentPlace(following: run.url("letter.txt").path).path
    if isDisk {
      let versions = try KeptVersions(applicationIdentifier: "org.example.letters", environment: ["HOME": home.path])
      var version = try #require(versions.version(of: path, limit: 99))
      version.base?.device += 1
      try versions.keep(version, of: path)
    } else {
      // As after a write into the file that has put back what was there.
      let times = [timeval(tv_sec: 1_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000, tv_usec: 0)]
      try #require(utimes(path, times) == 0)
    }
    let next = try await run.open()
    #expect(next.text == "new" && next.hasUnsavedChanges && next.documentState == .normal && next.errors == [])
    #expect(await run.passes { home.read("letter.txt") == "new" && run.versions == [] })
  }

  @Test("A program that uses no documents watches, opens and makes nothing")
  func unused() {
    let run = DocumentRun(home)
    #expect(run.platform.sources.isEmpty)
    run.platform.send(.signal(15))
    #expect(run.program.exitStatus == 0)
    #expect((try? FileManager.default.contentsOfDirectory(atPath: home.path)) == [])
  }

  @Test("A change in place that leaves the size and the time is seen, and is read again or in conflict")
  func secret() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old!")
    func change(_ text: String) throws {
      var status = stat()
      try #require(stat(run.url("letter.txt").path, &status) == 0)
      let file = try #require(fopen(run.url("letter.txt").path, "r+"))
      fputs(text, file)
      fflush(file)
      let times = [status.st_atim, status.st_mtim]
      futimens(fileno(file), times)
      fclose(file)
    }
    try change("new!")
    #expect(await run.passes { letter.text == "new!" })
    letter.write("mine")
    try change("evil")
    #expect(await letter.autosave())
    #expect(home.read("letter.txt") == "evil" && letter.documentState == .inConflict)
    #expect(await letter.resolveConflict(keeping: .own))
    #expect(home.read("letter.txt") == "mine")
    // Other permissions are no other content
    chmod(run.url("letter.txt").path, 0o600)
    letter.write("more")
    #expect(await letter.save(to: run.url("letter.txt"), for: .forOverwriting))
    #expect(home.read("letter.txt") == "more" && letter.errors == [.changedElsewhere])
  }
}
