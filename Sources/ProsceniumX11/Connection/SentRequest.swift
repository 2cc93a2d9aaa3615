/// A request that has no reply, recorded so that an error can be matched to it.
struct SentRequest {
  /// The consequence of an error of the request.
  enum OnError: Hashable {
    /// A mistake of the framework's or the program's, which is reported.
    case report
    /// A normal race: another client's window was destroyed meanwhile, or ours is not viewable yet.
    case ignore
    /// Pixels did not get onto the screen: another way is used from then on, or the window is gone.
    case surface
    /// The server does not share memory: another way is used from then on.
    case sharing
    /// The window does not exist: as if another client had destroyed it.
    case window
  }
  var sequence: UInt32
  var name: StaticString
  var window: UInt32
  var onError: OnError
}
