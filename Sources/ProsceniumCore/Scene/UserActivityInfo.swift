private import Glibc

extension UserActivity {
  /// The values of a program in their stored form; values that cannot be stored are reported and left out.
  /// - Parameters:
  ///   - values: The program's values.
  ///   - owner: The owner of the values, for the error.
  /// - Returns: The values that can be stored.
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

  /// The destination of errors without a conductor.
  static func writeToStandardError(_ message: String) {
    let line = Array("Proscenium: \(message)\n".utf8)
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
}
