import Glibc
import ProsceniumLoop
import Testing

/// Cancels a test that needs what the machine's kernel lacks, or does not grant even to root.
///
/// Swift Testing reports nothing when a case of a test with arguments is cancelled; `Tests/run` lists this message.
func cancelTest(_ reason: String) throws -> Never {
  StandardError.write("Cancelled: \(Test.current?.displayName ?? "a test"): \(reason)")
  try Test.cancel(Comment(rawValue: reason))
}
