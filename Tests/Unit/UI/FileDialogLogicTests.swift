import ProsceniumCore
import Testing

@testable import ProsceniumUI

@Suite("Dialog for files: paths, order, and what accepting does") struct FileDialogLogicTests {
  private let folder = FolderEntry(name: "b", isFolder: true)
  private let file = FolderEntry(name: "a.txt")
  private let odd = FolderEntry(name: "\u{FFFD}", isReachable: false)

  @Test("Paths are taken apart and put together by their names")
  func paths() {
    #expect(FilePath.child("a", of: "/") == "/a" && FilePath.child("a", of: "/b") == "/b/a")
    #expect(["/", "/a", "/a/b", "/a/b/"].map(FilePath.parent) == [nil, "/", "/a", "/a"])
    #expect(["/", "/a", "/a/b"].map(FilePath.name) == ["", "a", "b"])
    // A name may begin with what is a part of the character before it
    let joined = "/a/\u{301}b"
    #expect(FilePath.name(of: joined) == "\u{301}b" && FilePath.parent(of: joined) == "/a")
    for text in [joined, "~/\u{301}b", "/\u{301}b"] {
      let path = text.first == "~" ? "/h/\u{301}b" : text
      #expect(FilePath.typed(text, in: "/f", home: "/h") == path, "\(text)")
    }
    let typed = [
      ("", nil), ("a", "/f/a"), ("/a/", "/a"), ("~", "/h"), ("~/a", "/h/a"), ("~a", "/f/~a"), ("..", "/"),
      ("../../x", "/x"), ("./a//b", "/f/a/b"), ("a\0b", nil), ("/", "/"),
    ]
    for (text, path) in typed { #expect(FilePath.typed(text, in: "/f", home: "/h") == path, "\(text)") }
  }

  @Test("Folders come first, and what is hidden or filtered is left out")
  func order() {
    let entries = ["z.TXT", "A.png", ".x", "b.txt"].map { FolderEntry(name: $0) } + [folder]
    func names(_ arrangement: FolderArrangement) -> [String] { arrangement.shown(entries).map(\.name) }
    #expect(names(FolderArrangement()) == ["b", "A.png", "b.txt", "z.TXT"])
    #expect(names(FolderArrangement(showsHidden: true)) == ["b", ".x", "A.png", "b.txt", "z.TXT"])
    #expect(names(FolderArrangement(filter: FileFilter("", extensions: ["txt"]))) == ["b", "b.txt", "z.TXT"])
    #expect(names(FolderArrangement(filter: FileFilter("", contentTypes: ["image/*"]))).count == 4)
    #expect(names(FolderArrangement(kind: .folder)) == ["b"])
    #expect(FileFilter("", extensions: ["tar.gz"]).accepts("A.TAR.GZ"))
    #expect(!FileFilter("", extensions: ["gz"]).accepts("gz"))
  }

  @Test("Each column sorts both ways, folders before files; what is the same in it is sorted by name")
  func columns() {
    func file(_ name: String, _ size: Int64, _ time: Int64, isFolder: Bool = false) -> FolderEntry {
      FolderEntry(name: name, isFolder: isFolder, size: size, time: time)
    }
    let entries = [
      file("b", 9, 1), file("A", 1, 2), file("c", 1, 1), file("e", 7, 5, isFolder: true),
      file("d", 8, 6, isFolder: true),
    ]
    func names(_ column: FolderOrder.Column, _ isDescending: Bool) -> String {
      let order = FolderOrder(column: column, isDescending: isDescending)
      return FolderArrangement(order: order).shown(entries).map(\.name).joined()
    }
    #expect(names(.name, false) == "deAbc" && names(.name, true) == "edcbA")
    #expect(names(.size, false) == "deAcb" && names(.size, true) == "edbcA")
    #expect(names(.modified, false) == "edbcA" && names(.modified, true) == "deAcb")
    var order = FolderOrder()
    order = order.pressed(.name)
    #expect(order == FolderOrder(column: .name, isDescending: true))
    order = order.pressed(.size)
    #expect(order == FolderOrder(column: .size) && order.pressed(.size).pressed(.size) == order)
  }

  @Test("A name without an extension gets the first one of the filter")
  func extensions() {
    let filter = FileFilter("", extensions: ["", "png", "jpg"])
    let paths = [
      ("/f/a", "/f/a.png"), ("/f/a.", "/f/a.png"), ("/f/a.jpg", "/f/a.jpg"), ("/f/a.txt", "/f/a.txt"),
      ("/f/.a", "/f/.a.png"), ("/f.d/a", "/f.d/a.png"), ("/f/a/", "/f/a/"), ("/f/v1.2", "/f/v1.2"),
    ]
    for (path, completed) in paths { #expect(filter.completed(path) == completed, "\(path)") }
    #expect(FileFilter("", contentTypes: ["image/*"]).completed("/f/a") == "/f/a")
  }

  @Test("Columns lie side by side in rows of every width")
  func places() {
    for width in 0...1000 {
      let columns = FileColumns(width: width)
      let all = FolderOrder.Column.allCases.map { columns[$0] }
      for (one, next) in zip(all, all.dropFirst()) where width >= 200 { #expect(one.upperBound <= next.lowerBound) }
      #expect(all.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= max(width, 36) })
    }
  }

  @Test("Accepting chooses, descends, or says why not")
  func accepting() {
    func step(_ kind: FileDialogKind, _ entries: FolderEntry...) -> FileDialogStep {
      .accepting(entries, kind, in: "/f")
    }
    #expect(step(.open) == .say("Select a file."))
    #expect(step(.open, file) == .choose(["/f/a.txt"]) && step(.open, folder) == .enter("/f/b"))
    #expect(step(.open, file, folder) == .say("Select files without folders."))
    #expect(step(.folder) == .choose(["/f"]) && step(.folder, folder) == .choose(["/f/b"]))
    for kind in [FileDialogKind.open, .folder] {
      guard case .say(let text) = step(kind, odd) else { return #expect(Bool(false)) }
      #expect(text.contains("no UTF-8"))
    }
    let lost = FolderError(path: "/f/a.txt", code: 13)
    #expect(step(.open, file).checked([.file]) == .choose(["/f/a.txt"]))
    #expect(step(.open, file).checked([.nothing]) == .say("\u{201C}/f/a.txt\u{201D} is not there any more."))
    #expect(step(.open, file).checked([.unknown(lost)]) == .say(lost.message))
    #expect(lost.message == "\u{201C}/f/a.txt\u{201D} cannot be shown: Permission denied.")
  }

  @Test("Saving asks before it replaces a file")
  func saving() {
    let lost = FolderError(path: "/f/a", code: 13)
    #expect(FileDialogStep.saving(nil, .nothing, parent: .folder) == .say("Type a name."))
    #expect(FileDialogStep.saving("/f/a", .nothing, parent: .folder) == .choose(["/f/a"]))
    #expect(
      FileDialogStep.saving("/f/a", .nothing, parent: .nothing) == .say("There is no folder \u{201C}/f\u{201D}."))
    #expect(FileDialogStep.saving("/f/a", .file, parent: .folder) == .confirm("/f/a"))
    #expect(FileDialogStep.saving("/f/a", .folder, parent: .folder) == .enter("/f/a"))
    #expect(FileDialogStep.saving("/f/a", .unknown(lost), parent: .folder) == .say(lost.message))
  }

  @Test("Places are the home, the user's folders, mounted media and the root, each once")
  func sidePlaces() {
    let mounts = """
      proc /proc proc rw 0 0
      /dev/sdb1 /media/ada/My\\040Disk vfat rw 0 0
      /dev/sdb1 /run/media/ada/\\303\\266l ext4 rw 0 0
      host:/x /mnt/\\377 nfs rw 0 0
      /dev/sdc1 /mediator ext4 rw 0 0
      /dev/sdb1 /media/ada/My\\040Disk vfat rw 0 0
      odd
      """
    let places = FilePlace.all(home: "/h", folders: ["/h", "/h/Papers", "/data/Music"], mounts: mounts)
    #expect(
      places.map(\.path) == ["/h", "/h/Papers", "/data/Music", "/media/ada/My Disk", "/run/media/ada/\u{F6}l", "/"])
    #expect(places.map(\.name) == ["Home", "Papers", "Music", "My Disk", "\u{F6}l", "Computer"])
    #expect(places.map(\.kind) == [.home, .folder, .folder, .medium, .medium, .root])
    let file = """
      # XDG_MUSIC_DIR="/none"
      XDG_DOWNLOAD_DIR="$HOME/My \\$ files/"
      XDG_DESKTOP_DIR="$HOME/"
      XDG_MUSIC_DIR="/old"
      XDG_MUSIC_DIR="/data/Music"
      XDG_VIDEOS_DIR="
      """
    #expect(FilePlace.userFolders(in: file, home: "/h") == ["/h", "/h/My $ files", "/data/Music"])
    // As programs with GLib read them: room between the parts, what follows a text, and texts that name no folder.
    let loose = """
       XDG_DESKTOP_DIR = "/a \\"b\\" \\\\c" # mine
      XDG_DOCUMENTS_DIR="$HOMES/Documents"
      XDG_MUSIC_DIR="Music"
      XDG_PICTURES_DIR="~/Pictures"
      XDG_VIDEOS_DIR="/v\u{2028}w"
      """
    #expect(FilePlace.userFolders(in: loose, home: "/h") == [#"/a "b" \c"#, "/v\u{2028}w"])
    #expect(FilePlace.userFolders(in: "XDG_MUSIC_DIR=\"/m\"\r\nXDG_VIDEOS_DIR=\"/v\"\r\n", home: "/h") == ["/m", "/v"])
    let own = FilePlace.all(home: "/", folders: [], mounts: "")
    #expect(own.first?.name == "Home" && own.filter { $0.path == "/" }.count == 1)
  }

  @Test("A name with line breaks is one line")
  func shownNames() {
    #expect(FilePath.shown("a\nb\r\nc é \u{202E}") == "a\u{2424}b\u{2424}\u{2424}c é \u{202E}")
  }

  @Test("Sizes and dates are short")
  func texts() {
    let sizes: [(Int64, String)] = [
      (-1, "0 bytes"), (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1049, "1.0 kB"),
      (1050, "1.1 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"), (12_345_678, "12.3 MB"), (.max, "9.2 EB"),
    ]
    for (bytes, text) in sizes { #expect(FileTexts.size(bytes) == text) }
    #expect(FileTexts.date(DateFields(year: 2026, month: 1, day: 2, hour: 3, minute: 4)) == "2026-01-02 03:04")
  }
}
