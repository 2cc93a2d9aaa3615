import CXCB
import ProsceniumPlatform

/// The user's settings for all programs: X resources, and those of an XSETTINGS manager.
///
/// The latter are asked for once the launch is over, which is not to be longer for them.
@MainActor final class UserSettings: X11Component {
  private(set) var isAsked = false
  /// The window of the XSETTINGS manager; 0 where there is none.
  private(set) var manager: UInt32 = 0
  /// The settings that were delivered last.
  private var last = DesktopSettings()
  /// The resources of the pointer's shapes; nil until they are known.
  private var cursorResources: [Substring]?

  /// Reads the X resources: at start and when they change.
  func readResources() {
    server.read(server.root, PredefinedAtom.resourceManager, limit: 1 << 16) { [weak self] value in
      guard let self else { return }
      parts.screens.resourceDPI = value?.text.flatMap(ScaleRule.dpi)
      let resources = ThemeCursor.resources(in: value?.text ?? "")
      if let old = exchange(&cursorResources, with: resources), old != resources { parts.input.cursors.reload() }
    }
  }

  /// Begins to follow the XSETTINGS manager.
  func begin() {
    guard !server.isLost, !isAsked else { return }
    isAsked = true
    server.intern(AtomName.forSettings) { [weak self] in
      guard let self, server.atoms[.settingsSelection] != 0 else { return }
      if server.extensions.has(.fixes) {
        server.extensions.send(
          .fixesSelectSelectionInput(window: server.root, selection: server.atoms[.settingsSelection]))
      }
      findManager()
    }
  }

  /// The selection has another owner, or the owner is not known yet.
  func findManager() {
    guard !server.isLost else { return }
    connection.selectionOwner(server.atoms[.settingsSelection]) { [weak self] owner in
      guard let self else { return }
      manager = owner ?? 0
      guard manager != 0 else { return set(nil) }
      // It may end at any time.
      parts.dragAndDrop.selectEvents(of: manager)
      read()
    }
  }

  /// The manager has written its settings.
  func read() {
    let manager = manager
    server.read(manager, server.atoms[.settings], limit: 1 << 16) { [weak self] value in
      guard let self, self.manager == manager else { return }
      set(value?.type == server.atoms[.settings] ? value.flatMap { XSettings($0.bytes) } : nil)
    }
  }

  private func set(_ settings: XSettings?) {
    parts.screens.settingsDPI = settings?.dpi
    let looks = settings?.looks ?? DesktopSettings()
    guard looks != last else { return }
    last = looks
    batch.append(.settings(looks))
  }
}

/// The settings that an XSETTINGS manager has for all programs (XSETTINGS, "Properties of the selection window").
///
/// Any client can own the selection and write anything: bytes that are cut off or claim more than is there are no
/// settings.
struct XSettings: Equatable {
  enum Value: Equatable {
    case integer(Int32)
    case text(String)
    /// Red, green, blue and alpha.
    case color([UInt16])
  }

  private enum ByteOrder: UInt8 { case leastSignificantFirst, mostSignificantFirst }
  private enum Kind: Int { case integer, text, color }

  /// Several times as many as any desktop environment has.
  private static let most = 4096

  /// The longest name, and name of a theme, in bytes: to compare a text takes a time that grows with the square of the
  /// number of its marks.
  private static let longestName = 255

  private(set) var values: [String: Value] = [:]

  /// Reads the property's bytes; nil where they are not whole.
  init?(_ bytes: [UInt8]) {
    // CARD8 byte-order, 3 unused, CARD32 serial, CARD32 number of settings.
    guard let order = bytes.first.flatMap(ByteOrder.init) else { return nil }
    var reader = Reader(bytes: bytes[...], isBigEndian: order == .mostSignificantFirst)
    guard reader.skip(8), let count = reader.number(4), count <= Self.most else { return nil }
    for _ in 0..<count {
      guard let (name, value) = reader.setting() else { return nil }
      values[name] = value
    }
  }

  func integer(_ name: String) -> Int32? { if case .integer(let number)? = values[name] { number } else { nil } }

  func text(_ name: String) -> String? { if case .text(let text)? = values[name] { text } else { nil } }

  private struct Reader {
    var bytes: ArraySlice<UInt8>
    let isBigEndian: Bool

    mutating func skip(_ count: Int) -> Bool { read(count) != nil }

    mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
      guard count >= 0, count <= bytes.count else { return nil }
      defer { bytes = bytes.dropFirst(count) }
      return bytes.prefix(count)
    }

    mutating func number(_ size: Int) -> Int? {
      guard let part = read(size) else { return nil }
      return isBigEndian ? part.reduce(0) { $0 << 8 | Int($1) } : part.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Text, filled up to a multiple of four bytes; the last filling may be missing.
    mutating func text(_ count: Int) -> String? {
      guard let part = read(count) else { return nil }
      _ = read(min(-count & 3, bytes.count))
      return String(decoding: part, as: UTF8.self)
    }

    /// CARD8 type, 1 unused, CARD16 length of the name, the name, CARD32 serial of the last change, the value.
    mutating func setting() -> (String, Value)? {
      guard let type = number(1), skip(1), let length = number(2), length <= XSettings.longestName,
        let name = text(length), skip(4)
      else { return nil }
      switch Kind(rawValue: type) {
      case .integer: return number(4).map { (name, .integer(Int32(truncatingIfNeeded: $0))) }
      case .text:
        guard let length = number(4), let text = text(length) else { return nil }
        return (name, .text(text))
      case .color:
        let parts = (0..<4).compactMap { _ in number(2).map { UInt16($0) } }
        return parts.count == 4 ? (name, .color(parts)) : nil
      case nil: return nil
      }
    }
  }

  /// `Xft/DPI` in dots, of which it counts 1024ths; nil where it is not a sensible number.
  var dpi: Double? {
    guard let number = integer("Xft/DPI").map({ Double($0) / 1024 }), (20...2000).contains(number) else { return nil }
    return number
  }

  /// The settings of the program's looks; the name of a theme shows whether it is dark.
  var looks: DesktopSettings {
    var settings = DesktopSettings()
    if let name = text("Net/ThemeName"), !name.isEmpty, name.utf8.count <= Self.longestName {
      let theme = name.lowercased()
      settings.style = theme.hasSuffix("-dark") || theme.hasSuffix(":dark") ? .dark : .light
      if theme.contains("highcontrast") { settings.prefersHighContrast = true }
      if theme == "highcontrastinverse" { settings.style = .dark }
    }
    if integer("Gtk/ApplicationPreferDarkTheme") == 1 { settings.style = .dark }
    settings.caretBlinks = integer("Net/CursorBlink").map { $0 != 0 }
    settings.prefersReducedMotion = integer("Gtk/EnableAnimations").map { $0 == 0 }
    return settings
  }
}

/// The server's screen saver (MIT-SCREEN-SAVER).
@MainActor final class ScreenSaver: X11Component {
  private var isAsked = false
  private(set) lazy var lockers = Lockers(parts)

  /// Begins to follow the screen saver.
  func begin() {
    guard !server.isLost, !isAsked, server.extensions.has(.screenSaver) else { return }
    isAsked = true
    // The server does not keep clients' versions, so none is asked for. A client has one selection for each screen: a
    // second one would replace it.
    server.extensions.send(.screenSaverSelectInput(window: server.root))
    connection.whenReplied(server.extensions.send(.screenSaverQueryInfo(window: server.root))) { [weak self] reply in
      if let state = reply?.read(screen_saver_event.self)?.state, EventDecoder.isScreenSaverOn(state) {
        self?.batch.append(.screenSaver(isOn: true))
      }
    }
  }

  /// Keeps the screen saver away, or lets it come again.
  ///
  /// The server counts this for each client, and forgets it when the client ends (MIT-SCREEN-SAVER, Suspend).
  func suspend(_ isSuspended: Bool) {
    guard !server.isLost, server.extensions.has(.screenSaver) else { return }
    server.extensions.send(.screenSaverSuspend(isSuspended))
  }
}
