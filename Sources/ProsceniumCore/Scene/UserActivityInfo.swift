private import Glibc

extension UserActivity {
  /// The values of a program as they are kept; those that cannot be are reported and left out.
  /// - Parameters:
  ///   - values: What the program set.
  ///   - owner: Whose values they are, for the error.
  /// - Returns: What can be kept.
  static func checked(_ values: [String: Any]?, of owner: String) -> [String: StoredValue]? {
    guard let values else { return nil }
    var entries: [String: StoredValue] = [:]
    for (key, value) in values {
      do throws(StoredValue.Unstorable) {
        entries[key] = try StoredValue(value, key: key)
      } catch {
        report("In the userInfo of \(owner), \(error) It has been left out.")
      }
    }
    return entries
  }

  /// Where errors go as long as no stage hears of them.
  static func writeToStandardError(_ message: String) {
    let line = Array("Proscenium: \(message)\n".utf8)
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
}
