import CXCB
import ProsceniumPlatform

/// What the user has chosen for all programs, as far as it is heard over X.
struct DesktopChoices {
  var isAsked = false
  /// The window of the XSETTINGS manager; 0 where there is none.
  var manager: UInt32 = 0
  /// `Xft/DPI`, where it is said.
  var dpi: Double?
  /// What has been handed out.
  var told = DesktopSettings()
}

/// The screen saver, and the settings of the desktop: asked for once the launch is over, which is not to be longer for them.
extension X11Platform {
  /// How long after the start, in milliseconds.
  static let desktopChoicesDelay = 400

  func askForDesktopChoices() {
    guard !isLost, !choices.isAsked, let connection, let extensions else { return }
    choices.isAsked = true
    let root = connection.screen.root
    if extensions.has(.screenSaver) {
      // The server keeps no version of ours, so none is asked for. ScreenSaverNotifyMask 1. One selection per client and
      // screen: a second one would replace it.
      extensions.send(.screenSaverSelectInput(window: root, mask: 1))
      connection.whenReplied(extensions.send(.screenSaverQueryInfo(window: root))) { [weak self] reply in
        // Reply: the state at 1; On is 1, and Cycle, another picture, 2.
        if let state = reply?.u8(1), state == 1 || state == 2 { self?.batch.append(.screenSaver(isOn: true)) }
      }
    }
    intern(AtomName.forSettings)
    // Answered after the others: both are known then.
    connection.internAtom(AtomName.settings.rawValue) { [weak self] _ in
      guard let self, atoms[.settingsSelection] != 0 else { return }
      if extensions.has(.fixes) {
        // SetSelectionOwner 1, SelectionWindowDestroy 2, SelectionClientClose 4.
        extensions.send(.fixesSelectSelectionInput(window: root, selection: atoms[.settingsSelection], mask: 7))
      }
      findSettingsManager()
    }
  }

  /// The manager has come, or has gone, or nobody knows yet.
  func findSettingsManager() {
    guard !isLost, let connection else { return }
    connection.selectionOwner(atoms[.settingsSelection]) { [weak self] owner in
      guard let self else { return }
      choices.manager = owner ?? 0
      guard choices.manager != 0 else { return take(nil) }
      // It may go at any time.
      connection.changeAttributes(
        choices.manager, .init(eventMask: XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue), .ignore)
      readSettings()
    }
  }

  func readSettings() {
    let manager = choices.manager
    properties?.read(manager, atoms[.settings], limit: 1 << 16) { [weak self] value in
      guard let self, choices.manager == manager else { return }
      take(value?.type == atoms[.settings] ? value.flatMap { XSettings($0.bytes) } : nil)
    }
  }

  private func take(_ settings: XSettings?) {
    resolutionChanged { $0.choices.dpi = settings?.dpi }
    let meaning = settings?.meaning ?? DesktopSettings()
    guard meaning != choices.told else { return }
    choices.told = meaning
    batch.append(.settings(meaning))
  }
}

extension XSettings {
  /// `Xft/DPI` in dots, which is said in 1024ths of them; nil where it is not a sensible number.
  var dpi: Double? {
    guard let number = integer("Xft/DPI").map({ Double($0) / 1024 }), (20...2000).contains(number) else { return nil }
    return number
  }

  /// What it says of the looks; a theme says by its name whether it is dark.
  var meaning: DesktopSettings {
    var settings = DesktopSettings()
    if let theme = text("Net/ThemeName")?.lowercased(), !theme.isEmpty {
      settings.style = theme.hasSuffix("-dark") || theme.hasSuffix(":dark") ? .dark : .light
      if theme.contains("highcontrast") { settings.prefersHighContrast = true }
      if theme == "highcontrastinverse" { settings.style = .dark }
    }
    if integer("Gtk/ApplicationPreferDarkTheme") == 1 { settings.style = .dark }
    settings.caretBlinks = integer("Net/CursorBlink").map { $0 != 0 }
    return settings
  }
}
