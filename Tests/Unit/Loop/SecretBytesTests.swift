import Glibc
import Testing

@testable import ProsceniumLoop

@Suite("Secrets in memory") struct SecretBytesTests {
  @Test("Where the process may write no file, a secret has no file in memory, and nothing else happens")
  func noFile() async {
    // The limit is the process's.
    await #expect(processExitsWith: .success) {
      let secret = try #require(SecretBytes.random(count: 16))
      // It may be ignored by who has started the tests.
      signal(SIGXFSZ, SIG_DFL)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      limit.rlim_cur = 0
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let hasFile = if let file = secret.file() { file.number >= 0 } else { false }
      #expect(!hasFile)
    }
  }
}
