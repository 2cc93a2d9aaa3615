import Glibc
import ProsceniumStore
import TestSupport
import Testing

@testable import ProsceniumCore

/// Files that say what a program does, and who can have written them.
@Suite("Files that a program trusts") struct TrustedFileTests {
  @Test("Root's, the user's and the executable's owner's are, unless all users may write to them")
  func grid() {
    let owners: Set<UInt32> = [0, 1000]
    for (owner, mode, doubt) in [
      (0, S_IFREG | 0o644, nil), (1000, S_IFREG | 0o600, nil), (1000, S_IFREG | 0o664, nil),
      (1001, S_IFREG | 0o644, .owner(1001)), (1001, S_IFREG | 0o666, .owner(1001)), (1000, S_IFREG | 0o602, .mode),
      (0, S_IFREG | 0o1666, .mode), (0, S_IFDIR | 0o755, nil), (0, S_IFDIR | 0o777, .mode),
      (0, S_IFDIR | 0o1777, nil), (1001, S_IFDIR | 0o1777, .owner(1001)),
    ] as [(UInt32, mode_t, TrustedFile.Doubt?)] {
      #expect(
        TrustedFile.Doubt(owner: owner, mode: mode, owners: owners) == doubt, "\(owner) \(String(mode, radix: 8))")
    }
  }

  @Test("An interface file that all users may write to is an error that says what to do; so is one in such a folder")
  @MainActor func written() throws {
    let file = TemporaryFile("<a/>")
    #expect(throws: Never.self) { try InterfaceDocument(contentsOf: file.path) }
    #expect(chmod(file.path, 0o666) == 0)
    let error = #expect(throws: InterfaceError.self) { try InterfaceDocument(contentsOf: file.path) }
    #expect(error?.description.contains("all users may write to \"\(file.path)\"") == true)
    #expect(error?.description.contains("chmod o-w") == true)
    var manifest = ApplicationManifest(applicationIdentifier: "org.example.Own")
    let own = TemporaryFile(#"{"applicationIdentifier": "org.example.Other"}"#)
    #expect(chmod(own.path, 0o646) == 0)
    let problems = manifest.replaceValues(from: own.path)
    #expect(problems.count == 1 && problems[0].contains("was not used, because all users may write to"))
    #expect(manifest.applicationIdentifier == "org.example.Own")
    #expect(chmod(own.path, 0o644) == 0)
    #expect(manifest.replaceValues(from: own.path) == [] && manifest.applicationIdentifier == "org.example.Other")
    // A folder into which all users may write
    let folder = "/tmp/proscenium-trusted-\(getpid())"
    try #require(mkdir(folder, 0o700) == 0 && chmod(folder, 0o777) == 0 && symlink(folder, folder + ".link") == 0)
    try #require(rename(own.path, folder + "/file") == 0)
    defer {
      unlink(folder + "/file")
      unlink(folder + ".link")
      rmdir(folder)
    }
    for path in [folder + "/file", folder + ".link/file"] {
      #expect(manifest.replaceValues(from: path).first?.contains("all users may write to \"\(folder)\"") == true)
    }
    if geteuid() == 0 {
      // Another user's
      let other = TemporaryFile("<a/>")
      try #require(chown(other.path, 12345, 12345) == 0)
      let error = #expect(throws: InterfaceError.self) { try InterfaceDocument(contentsOf: other.path) }
      #expect(error?.description.contains("belongs to the user 12345") == true)
    }
  }
}
