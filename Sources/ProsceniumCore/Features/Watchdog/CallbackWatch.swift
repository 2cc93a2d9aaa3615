package import ProsceniumStore

/// Who sees to it that callbacks return in time; called on the main thread.
///
/// Core says what runs and what is over; threads, clocks and reports are the other side's affair.
package protocol CallbackWatch: AnyObject, Sendable {
  /// The delegate has been made, and has said what it wants.
  func configure(_ policy: WatchdogPolicy, _ limits: WatchdogLimits, application: String)
  /// There is a place for reports, and somebody who may be saving.
  func storeOpened(_ access: StoreAccess)
  /// A callback is about to be called; answers the one that it is called within.
  func begin(_ callback: WatchedCallback) -> Vigil.Watch?
  /// The callback has returned; answers what took too long.
  func end(within outer: Vigil.Watch?) -> WatchdogOverrun?
  /// The first batch after the launch has been handled; answers what took too long.
  func endLaunch() -> WatchdogOverrun?
  /// Everything that was asked for has been done.
  func rest()
  /// The program ends now: what is being said of it is finished first, as far as that takes no more than a moment.
  func finish()
}
