import Glibc

/// Dead keys and compose sequences, by libxkbcommon's table for the locale; without either, keys stand for themselves.
///
/// Made on any thread, then used on one: the class holds the only pointers to what it made.
final class XKBCompose: @unchecked Sendable {
  /// What a key did to the sequence.
  enum Step: Hashable, Sendable {
    /// Nothing: the key types what it types.
    case none
    /// The key is in the middle of a sequence, or ended one that means nothing: it types nothing.
    case swallowed
    /// The sequence is complete.
    case composed(String)
  }

  private typealias Make = @convention(c) (Int32) -> OpaquePointer?
  private typealias Release = @convention(c) (OpaquePointer?) -> Void
  private typealias SetLevel = @convention(c) (OpaquePointer?, Int32) -> Void
  private typealias MakeTable = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int32) -> OpaquePointer?
  private typealias MakeState = @convention(c) (OpaquePointer?, Int32) -> OpaquePointer?
  private typealias Feed = @convention(c) (OpaquePointer?, UInt32) -> Int32
  private typealias Status = @convention(c) (OpaquePointer?) -> Int32
  private typealias Text = @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, Int) -> Int32

  private let library: UnsafeMutableRawPointer
  private let table: OpaquePointer
  private let state: OpaquePointer
  private let releaseTable: Release
  private let releaseState: Release
  private let resetState: Release
  private let feedState: Feed
  private let status: Status
  private let textOf: Text

  /// Reads the table of a locale; nil where the library, one of its functions or all tables are missing.
  ///
  /// The table of English is what all UTF-8 locales without one of their own have, and serves for C and for names
  /// that nobody knows.
  init?(locale: String) {
    guard let library = dlopen("libxkbcommon.so.0", RTLD_NOW | RTLD_LOCAL) else { return nil }
    var isMade = false
    // Deferred before all else, so that it runs last: what is released on the way out lives in the library.
    defer { if !isMade { dlclose(library) } }
    func function<Function>(_ name: String, as type: Function.Type) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: type) }
    }
    guard let makeContext = function("xkb_context_new", as: Make.self),
      let releaseContext = function("xkb_context_unref", as: Release.self),
      let setLogLevel = function("xkb_context_set_log_level", as: SetLevel.self),
      let makeTable = function("xkb_compose_table_new_from_locale", as: MakeTable.self),
      let releaseTable = function("xkb_compose_table_unref", as: Release.self),
      let makeState = function("xkb_compose_state_new", as: MakeState.self),
      let releaseState = function("xkb_compose_state_unref", as: Release.self),
      let resetState = function("xkb_compose_state_reset", as: Release.self),
      let feedState = function("xkb_compose_state_feed", as: Feed.self),
      let status = function("xkb_compose_state_get_status", as: Status.self),
      let textOf = function("xkb_compose_state_get_utf8", as: Text.self), let context = makeContext(0)
    else { return nil }
    defer { releaseContext(context) }
    setLogLevel(context, 10)
    let isPlain = ["", "C", "POSIX"].contains(locale.prefix { $0 != "." && $0 != "@" })
    let tables = (isPlain ? [] : [locale]) + ["en_US.UTF-8"]
    guard let table = tables.lazy.compactMap({ makeTable(context, $0, 0) }).first else { return nil }
    guard let state = makeState(table, 0) else {
      releaseTable(table)
      return nil
    }
    isMade = true
    self.library = library
    self.table = table
    self.state = state
    self.releaseTable = releaseTable
    self.releaseState = releaseState
    self.resetState = resetState
    self.feedState = feedState
    self.status = status
    self.textOf = textOf
  }

  deinit {
    releaseState(state)
    releaseTable(table)
    dlclose(library)
  }

  /// The locale that the user's environment names (locale(7)).
  static var userLocale: String {
    for name: String in ["LC_ALL", "LC_CTYPE", "LANG"] {
      if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty { return value }
    }
    return "C"
  }

  /// The next key that went down, by its symbol.
  func feed(_ symbol: UInt32) -> Step {
    // XKB_COMPOSE_FEED_IGNORED 0: a modifier.
    guard symbol != 0, feedState(state, symbol) != 0 else { return .none }
    switch status(state) {
    // XKB_COMPOSE_COMPOSING 1, COMPOSED 2, CANCELLED 3.
    case 1: return .swallowed
    case 2:
      var buffer = [CChar](repeating: 0, count: 256)
      let count = min(Int(max(0, textOf(state, &buffer, buffer.count))), buffer.count - 1)
      resetState(state)
      return .composed(String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    case 3:
      resetState(state)
      return .swallowed
    case _: return .none
    }
  }

  /// Forgets a sequence that has begun.
  func reset() { resetState(state) }
}
