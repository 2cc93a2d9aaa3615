/// A falling fact that takes effect only after a while, because window managers let facts fall and rise again.
package enum Hold: String, Hashable, Sendable, CaseIterable {
  /// The windows are hidden; the scene stops being active when it ends.
  case inactive
  /// The windows are hidden; the scene enters the background when it ends.
  case background
  /// The focus went to another program; the scene resigns when it ends.
  case focus
  /// Another client holds the keyboard; the scene is interrupted when it ends.
  case grab
}

/// How a fact falls.
package enum Fall: Hashable, Sendable, CaseIterable {
  /// At once: nothing can bring it back by itself.
  case atOnce
  /// After its usual hold.
  case held
  /// After the long hold, because the window manager is changing.
  case heldLong
}
