import Glibc
import ProsceniumTesting
import Testing

@testable import ProsceniumCore

@MainActor @Suite("The first launch of a program, and of a version", .serialized) struct FirstLaunchTests {
  private static let first = ["a": "a1", "Themes/dark": "dark1", "Themes/light": "light1", "letter": "Dear"]
  private static let second = ["a": "a2", "Themes/dark": "dark2", "Themes/new": "new2", "letter": "Hello"]

  private func launched() -> DataRun {
    let run = DataRun()
    run.install("1", Self.first)
    run.program.launch()
    return run
  }

  @Test("The data are there before the first callback, which is told of it; a second launch copies nothing")
  func ofProgram() throws {
    let run = launched()
    #expect(run.launches == [.ofProgram] && run.seen == [Self.first] && run.errors == [])
    #expect(run.lines == ["copied 4, kept 0"])
    run.program.kill()
    run.change("a", "mine")
    run.program.relaunch()
    #expect(run.launches == [.ofProgram, .no] && run.support["a"] == "mine")
    #expect(run.lines.count == 1)
    #expect(!run.program.disk.files.operations.contains { "\($0)".contains("support/") })
  }

  @Test("Another version replaces what the user has left alone; what was changed or removed stays, and every template")
  func ofVersion() {
    let run = launched()
    run.program.kill()
    run.change("Themes/dark", "my dark")
    run.install("2", Self.second)
    run.program.relaunch()
    var expected = Self.second
    (expected["Themes/dark"], expected["Themes/light"], expected["letter"]) = ("my dark", "light1", "Dear")
    #expect(run.launches == [.ofProgram, .ofVersion(from: "1")] && run.seen.last == expected && run.errors == [])
    #expect(run.lines.last == "from 1, copied 2, kept 2")
    // A file that was removed stays removed; one that is as it was copied is the program's again.
    run.program.kill()
    run.change("a", nil)
    run.change("letter", nil)
    run.change("Themes/dark", "dark1")
    run.install("1", Self.first)
    run.program.relaunch()
    #expect(run.launches.last == .ofVersion(from: "2"))
    #expect(run.support == ["Themes/dark": "dark1", "Themes/light": "light1", "Themes/new": "new2"])
    run.program.kill()
    run.install("3", Self.second)
    run.program.relaunch()
    #expect(run.support == ["Themes/dark": "dark2", "Themes/light": "light1", "Themes/new": "new2"])
  }

  @Test("A file of the user's is never replaced, whether it is a template's name or not")
  func ofUser() {
    let run = DataRun()
    run.install("1", Self.first)
    run.change("letter", "mine")
    run.change("a", "my a")
    run.program.launch()
    #expect(run.launches == [.ofProgram] && run.support["letter"] == "mine" && run.support["a"] == "my a")
    #expect(run.support["Themes/dark"] == "dark1")
    run.program.kill()
    run.install("2", Self.second)
    run.program.relaunch()
    #expect(run.support["letter"] == "mine" && run.support["a"] == "my a" && run.support["Themes/dark"] == "dark2")
  }

  @Test("Without a version the data are copied once; the first version after it is another one")
  func versions() {
    let run = DataRun()
    run.install(nil, Self.first)
    run.program.launch()
    run.install(nil, Self.second)
    run.program.relaunch()
    #expect(run.launches == [.ofProgram, .no] && run.support["a"] == "a1")
    run.install("2", Self.second)
    run.program.relaunch()
    #expect(run.launches.last == .ofVersion(from: "") && run.support["a"] == "a2")
  }

  @Test("A program without data and version reads and writes nothing")
  func none() {
    let run = DataRun()
    run.install(nil, Self.first)
    run.data = DefaultData(folder: "Defaults")
    run.program.launch()
    #expect(run.launches == [.no] && !run.program.disk.fileNames.contains { $0.hasPrefix("support/") })
  }

  @Test("A version without data is told at its first launch; data that come later are copied with another version")
  func versionAlone() {
    let run = DataRun()
    run.install("1", Self.first)
    let data = run.data
    run.data = DefaultData(folder: "missing")
    run.program.launch()
    #expect(run.launches == [.ofProgram] && run.support == [:] && run.errors == [])
    run.program.relaunch()
    run.version = "2"
    run.program.relaunch()
    #expect(run.launches == [.ofProgram, .no, .ofVersion(from: "1")] && run.support == [:] && run.errors == [])
    #expect(run.lines == ["copied 0, kept 0", "from 1, copied 0, kept 0"])
    run.data = data
    run.program.relaunch()
    #expect(run.launches.last == .no && run.support == [:])
    run.version = "3"
    run.program.relaunch()
    #expect(run.launches.last == .ofVersion(from: "2") && run.support == Self.first && run.errors == [])
  }

  @Test(
    "A name that leads elsewhere, or to nothing, copies nothing at all, is reported, and the next launch is the first",
    arguments: ["../a", "/etc/passwd", "Themes/../a", "", "Themes/", "./a", "missing", ".default-data.json"])
  func names(_ name: String) {
    let run = DataRun()
    run.install("1", Self.first)
    run.data.files.append(name)
    run.program.launch()
    #expect(run.launches == [.ofProgram] && run.support == [:])
    #expect(run.errors.count == 1 && run.errors.first?.contains("\"\(name)\"") == true, "\(run.errors)")
    run.data.files.removeLast()
    run.program.relaunch()
    #expect(run.launches.last == .ofProgram && run.support == Self.first)
  }

  @Test("On a full disk the old version stays whole, and the new one comes when there is room")
  func full() {
    let run = launched()
    run.program.kill()
    run.install("2", Self.second)
    run.program.disk.isFull = true
    run.program.relaunch()
    #expect(run.launches.last == .ofVersion(from: "1") && run.support == Self.first)
    #expect(run.errors.contains { $0.contains("No space left") && $0.contains("default data") }, "\(run.errors)")
    run.program.kill()
    run.program.disk.isFull = false
    run.program.relaunch()
    #expect(
      run.launches.last == .ofVersion(from: "1") && run.support["a"] == "a2" && run.support["Themes/new"] == "new2")
  }

  @Test(
    "A damaged record is reported, and nothing of the user is replaced", arguments: ["{", "[]", #"{"files": 1}"#, ""])
  func damage(_ text: String) {
    let run = launched()
    run.program.kill()
    run.change(".default-data.json", text)
    run.change("a", "mine")
    run.change("Themes/light", nil)
    run.program.relaunch()
    #expect(run.launches.last == .ofProgram && run.support["a"] == "mine" && run.support["Themes/light"] == "light1")
    #expect(run.errors.contains { $0.contains("damaged") })
    run.program.relaunch()
    #expect(run.launches.last == .no)
  }

  @Test("What is decided about a file: whatever the program brings, what stands there, and what was copied")
  func grid() {
    let contents = [ContentDigest(text: "old"), ContentDigest(text: "begun"), ContentDigest(text: "new")]
    let existing: [DefaultDataStep.Existing] =
      [.missing, .other, .file(ContentDigest(text: "mine"))] + contents.map { .file($0) }
    for isTemplate in [false, true] {
      for copied in [nil, contents[0], contents[2]] {
        for begun in [Set<ContentDigest>(), [contents[1]], [contents[1], contents[2]]] {
          for there in existing {
            let step = DefaultDataStep(
              contents[2], over: there, copied: copied, begun: begun, isTemplate: isTemplate)
            let isOurs = there == copied.map { .file($0) } || begun.contains { there == .file($0) }
            switch there {
            case .missing: #expect(step == (copied == nil ? .copy : .keep))
            case .file(contents[2]): #expect(step == .same)
            case .file: #expect(step == (isOurs && !isTemplate ? .replace : .keep))
            case .other: #expect(step == .keep)
            }
          }
        }
      }
    }
  }

  @Test("A record is read as it was written; other texts are none")
  func record() {
    var record = DefaultDataRecord()
    record.version = "1"
    record.files = ["a": ContentDigest([1]), "b/c": ContentDigest([])]
    #expect(DefaultDataRecord(record.bytes) == record)
    record.copy = .init(version: "2", files: ["a": [ContentDigest([1]), ContentDigest([2])]])
    #expect(DefaultDataRecord(record.bytes) == record)
    for text in ["", "null", "{}", #"{"files": {"a": 1}}"#, #"{"files": {}, "copying": {"version": "1"}}"#] {
      #expect(DefaultDataRecord(Array(text.utf8)) == nil, "\(text)")
    }
    #expect(ContentDigest([1]) != ContentDigest([2]) && ContentDigest([]) != ContentDigest([0]))
  }

  @Test("What a copy of another version leaves at any write goes with the next launch of the old one, or of itself")
  func leftoversOfOthers() {
    for lastVersion in ["1", "2"] {
      for cut in 0..<40 {
        let run = launched()
        run.program.kill()
        run.install("2", Self.second)
        run.program.disk.cutPower(afterWrites: cut, tornAt: 3, seed: 1)
        run.program.relaunch()
        run.program.kill()
        run.install(lastVersion, lastVersion == "1" ? Self.first : Self.second)
        run.program.relaunch()
        let left = run.program.disk.fileNames.filter { $0.hasPrefix("support/") && $0.hasSuffix(".tmp") }
        #expect(left == [], "version \(lastVersion), cut \(cut)")
      }
    }
  }

  @Test("What a process has left that lives is left alone, and so is its writing; what one has left that is gone goes")
  func leftovers() {
    let run = DataRun()
    run.install("1", Self.first)
    // The one of the test program's parent, of a process that cannot be, and of no process
    let names = [".default-data.\(getppid())-0.tmp", ".default-data.\(Int32.max)-0.tmp", ".default-data.record.tmp"]
    // What no copy has made
    let others = ["mine", "7", "7-", "7-a", "7-0-0", "7-0.old", "-7-0", "a-b-record"].map { ".default-data.\($0).tmp" }
    for name in names + others { run.change(name, "half") }
    run.program.launch()
    #expect(run.launches == [.ofProgram] && run.errors == [] && run.seen == [Self.first])
    func isThere(_ name: String) -> Bool { run.program.disk.contents(of: "support/" + name) != nil }
    #expect(names.map(isThere) == [true, false, false] && others.allSatisfy(isThere))
  }
}
