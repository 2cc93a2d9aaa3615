import CProscenium
import CSystem
import Glibc
import ProsceniumCore

/// A function of the interface that fails: a code of the header, and a sentence for `psc_error_message()`.
package struct Failure: Error {
  package let code: Int32
  package let message: String

  init(_ code: Int, _ message: String) { (self.code, self.message) = (Int32(truncatingIfNeeded: code), message) }

  static let noApplication = Failure(
    PSC_ERROR_STATE, "No application runs: psc_attach() has not been called, has failed, or the application has ended.")
}

/// What a function of the interface returns where it fails.
protocol FailureResult { static func failed(_ code: Int32) -> Self }

extension Int32: FailureResult { static func failed(_ code: Int32) -> Int32 { code } }
extension Int64: FailureResult { static func failed(_ code: Int32) -> Int64 { Int64(code) } }
extension UInt64: FailureResult { static func failed(_ code: Int32) -> UInt64 { 0 } }
extension UnsafeMutableRawPointer?: FailureResult {
  static func failed(_ code: Int32) -> UnsafeMutableRawPointer? { nil }
}

/// Carries pointers to the main actor on the main thread.
private struct Carried<Value>: @unchecked Sendable { let value: Value }

/// Runs a function of the interface on the main actor; fails on another thread than the main one.
/// - Parameters:
///   - arguments: What the caller has passed.
///   - body: The function.
/// - Returns: Its result, or that of its failure.
func onMainThread<each Argument, Result: FailureResult>(
  _ arguments: repeat each Argument, body: @MainActor (repeat each Argument) throws(Failure) -> Result
) -> Result {
  guard Responder.isMainThread else {
    return fail(
      Failure(PSC_ERROR_THREAD, "A function of proscenium.h was called on another thread than the main one."))
  }
  let carried = Carried(value: (repeat each arguments))
  return MainActor.assumeIsolated {
    do throws(Failure) {
      return Carried(value: try body(repeat each carried.value))
    } catch {
      return Carried(value: fail(error))
    }
  }.value
}

/// Keeps the message of a failure for its thread.
func fail<Result: FailureResult>(_ failure: Failure) -> Result {
  ErrorMessage.set(failure.message)
  return Result.failed(failure.code)
}

/// The message of the last failure of each thread.
enum ErrorMessage {
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key) { free($0) } == 0 ? key : nil
  }()
  /// What a thread without a failure gets.
  private static let none: StaticString = ""

  static func set(_ message: String) {
    guard let key else { return }
    free(pthread_getspecific(key))
    pthread_setspecific(key, strdup(message))
  }

  static var text: UnsafePointer<CChar> {
    if let key, let text = pthread_getspecific(key) {
      return UnsafePointer(text.assumingMemoryBound(to: CChar.self))
    }
    return UnsafeRawPointer(none.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
