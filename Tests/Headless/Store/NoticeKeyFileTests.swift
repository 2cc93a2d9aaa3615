import Glibc
import Testing

@testable import ProsceniumStore

@Suite("The kept key of notices") struct NoticeKeyFileTests {
  private static let first = String(repeating: "a", count: NoticeKeyFile.length)
  private static let second = String(repeating: "b", count: NoticeKeyFile.length)
  private static let path = ".local/state/org.example.Keys/notice-key"
  private let home: RealHome
  private let file: NoticeKeyFile

  init() throws {
    home = try RealHome()
    file = NoticeKeyFile(applicationIdentifier: "org.example.Keys", environment: ["HOME": home.path])
  }

  @Test("A key is kept once it is given, for the user alone, and is the same from then on")
  func kept() {
    #expect(file.value(keeping: nil) == nil && home.mode(Self.path) == nil)
    #expect(file.value(keeping: Self.first) == Self.first)
    #expect(home.mode(Self.path) == 0o600 && home.read(Self.path) == Self.first)
    #expect(file.value(keeping: Self.second) == Self.first && file.value(keeping: nil) == Self.first)
  }

  @Test("What is no key is replaced; a link is neither read nor written through; without a place none is kept")
  func rubbish() throws {
    try home.write(Self.path, "short")
    #expect(file.value(keeping: nil) == nil && file.value(keeping: Self.first) == Self.first)
    try home.write("elsewhere", Self.second)
    unlink(home.path + "/" + Self.path)
    #expect(symlink(home.path + "/elsewhere", home.path + "/" + Self.path) == 0)
    #expect(file.value(keeping: Self.first) == nil && home.read("elsewhere") == Self.second)
    #expect(file.value(keeping: "{" + Self.first.dropFirst()) == nil)
    for (name, environment) in [("..", ["HOME": home.path]), ("a", [:])] {
      let file = NoticeKeyFile(applicationIdentifier: name, environment: environment)
      #expect(file.value(keeping: Self.first) == nil)
    }
  }
}
