import Glibc

extension XServer {
  /// A server that no client may use: it asks for a secret that none has.
  package static func withSecret() async throws -> XServer {
    try await XServer { ["-auth", try $0.writeAuthority()] }
  }
}

extension TemporaryFolder {
  /// An Xauthority file with one cookie for every display (family Wild; Xau(3)).
  fileprivate func writeAuthority() throws -> String {
    func counted(_ text: String) -> String { "\u{0}\(Character(UnicodeScalar(UInt8(text.utf8.count))))\(text)" }
    let record = "\u{0}\u{0}" + counted("") + counted("") + counted("MIT-MAGIC-COOKIE-1") + counted("sixteen_letters!")
    // Only the family differs from ASCII: 0xFFFF. FamilyLocal (256) with an empty address would match no client.
    let path = try write("authority", record, mode: 0o600)
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw DeskFailure("open \(path): errno \(errno)") }
    defer { close(descriptor) }
    guard pwrite(descriptor, [UInt8(0xff), 0xff], 2, 0) == 2 else { throw DeskFailure("write \(path)") }
    return path
  }
}
