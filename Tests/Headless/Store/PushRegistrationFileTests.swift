import Glibc
import ProsceniumPlatform
import Testing

@testable import ProsceniumStore

@MainActor @Suite("The kept registration for pushed messages") struct PushRegistrationFileTests {
  private static let path = ".local/state/org.example.Push/push-registration"
  private static let first = PushRegistration(
    token: String(repeating: "a", count: 64), distributor: "org.unifiedpush.Distributor.kde")
  private let home: RealHome
  private let file: PushRegistrationFile

  init() throws {
    home = try RealHome()
    file = PushRegistrationFile(applicationIdentifier: "org.example.Push", environment: ["HOME": home.path])
  }

  @Test("It is kept for the user alone, replaced, and removed")
  func kept() throws {
    #expect(try file.read() == nil && home.mode(Self.path) == nil)
    file.keep(nil)
    file.keep(Self.first)
    #expect(try file.read() == Self.first && home.mode(Self.path) == 0o600)
    var second = Self.first
    second.distributor += "2"
    file.keep(second)
    #expect(try file.read() == second)
    second.chosen = "org.unifiedpush.Distributor.other"
    file.keep(second)
    #expect(try file.read() == second)
    file.keep(nil)
    #expect(try file.read() == nil && home.mode(Self.path) == nil)
  }

  @Test("What a later version adds does not lose the registration")
  func later() throws {
    let plain = PushRegistration(token: "a", distributor: "b")
    let chosen = PushRegistration(token: "a", distributor: "b", chosen: "c")
    for (text, registration) in [
      ("a b c d", chosen), ("a b c d/ e  \u{e9}", chosen), ("a b c\nd e", chosen), ("a b\n", plain), ("a b  d", plain),
      ("a b ", plain), ("a b\nc d\n\n", plain),
    ] {
      try home.write(Self.path, text)
      #expect(try file.read() == registration, "\(text)")
    }
    // It is removed and replaced as any other
    file.keep(Self.first)
    #expect(try file.read() == Self.first && home.read(Self.path)?.contains("c") == false)
  }

  @Test("What is no registration is none; a link is not written through; without a place nothing is kept")
  func rubbish() throws {
    for text in [
      "", "a", "a ", " b", "a b c/", "a b/", "a\nb", "\na b", "a b\0", "\(String(repeating: "a", count: 65)) b",
    ] {
      try home.write(Self.path, text)
      #expect(try file.read() == nil, "\(text)")
    }
    try home.write("elsewhere", "a b")
    unlink(home.path + "/" + Self.path)
    #expect(symlink(home.path + "/elsewhere", home.path + "/" + Self.path) == 0)
    #expect(try file.read() == nil)
    file.keep(Self.first)
    #expect(try file.read() == Self.first && home.read("elsewhere") == "a b")
    for (name, environment) in [("..", ["HOME": home.path]), ("a", [:])] {
      let file = PushRegistrationFile(applicationIdentifier: name, environment: environment)
      file.keep(Self.first)
      #expect(throws: StoreError.self) { try file.read() }
    }
  }
}
