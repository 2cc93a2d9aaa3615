import FoundationEssentials
import Glibc
import ProsceniumStore
import ProsceniumTesting
import Testing

@testable import ProsceniumCore

/// A disk that writes a file, and fails with its name.
@MainActor @Suite("Documents whose names may be lost", .serialized) struct DocumentNameTests {
  private let home: RealHome
  init() throws { home = try RealHome() }

  private static func outcome(_ known: KnownContent) -> DocumentOutcome {
    .notWritten(.notSynced(known.identity, .system(EIO)), known)
  }

  @Test("Such a document stays changed, is kept, and saved again by itself; that is told once, and is no conflict")
  func notSynced() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    for text in ["new", "newer"] {
      letter.write(text)
      letter.reduce(.writing)
      // What the disk has, and says
      try home.write("letter.txt", text)
      let place = try DocumentPlace(following: run.url("letter.txt").path)
      let identity = try DocumentFile(place.open(), place, kept: nil).status().identity
      let known = KnownContent(place, identity, Array(text.utf8))
      #expect(!letter.handle(Self.outcome(known), of: .autosave))
      #expect(letter.hasUnsavedChanges && letter.documentState == .savingError && letter.known == known)
      #expect(await run.waits { run.kept() == text && !letter.jobs.isBusy })
    }
    #expect(letter.errors == [.system] && letter.takes == 2)
    #expect(await run.passes { !letter.hasUnsavedChanges && run.versions == [] && !letter.jobs.isBusy })
    #expect(home.read("letter.txt") == "newer" && letter.documentState == .normal && letter.error == nil)
    #expect(letter.errors == [.system] && letter.takes == 3)
    #expect(run.program.violations.isEmpty, "\(run.program.violations)")
  }

  @Test("Another file that was to be written is not the document's, and the document's own is as it was")
  func elsewhere() async throws {
    let run = DocumentRun(home)
    let letter = try await run.open("letter.txt", "old")
    let before = letter.known
    letter.write("new")
    letter.reduce(.writing)
    let known = KnownContent(DocumentPlace(folder: home.path, name: "other.txt"), .unknown, [])
    let kind = DocumentJobs.Kind.save(run.url("other.txt"), .forOverwriting)
    #expect(!letter.handle(Self.outcome(known), of: kind))
    #expect(letter.known == before && letter.fileURL == run.url("letter.txt") && letter.hasUnsavedChanges)
    #expect(await run.passes { !letter.hasUnsavedChanges })
    #expect(home.read("letter.txt") == "new" && letter.errors == [.system])
  }
}
