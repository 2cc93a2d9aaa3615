import CXCB
import ProsceniumPlatform

/// The user's settings for all programs: X resources, and those of an XSETTINGS manager.
///
/// The latter are asked for once the launch is over, which is not to be longer for them.
@MainActor final class UserSettings: X11Component {
  let context: X11Context
  private let screens: Screens
  private(set) var isAsked = false
  /// The window of the XSETTINGS manager; 0 where there is none.
  private(set) var manager: UInt32 = 0
  /// The settings that were delivered last.
  private var last = DesktopSettings()

  init(_ context: X11Context, _ screens: Screens) {
    self.context = context
    self.screens = screens
  }

  /// Reads the X resources: at start and when they change.
  func readResources() {
    server.properties.read(server.root, PredefinedAtom.resourceManager, limit: 1 << 16) { [weak self] value in
      self?.screens.setResolution(resources: value?.text.flatMap(ScaleRule.dpi))
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
      connection.changeAttributes(manager, .init(eventMask: XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue), .ignore)
      read()
    }
  }

  /// The manager has written its settings.
  func read() {
    let manager = manager
    server.properties.read(manager, server.atoms[.settings], limit: 1 << 16) { [weak self] value in
      guard let self, self.manager == manager else { return }
      set(value?.type == server.atoms[.settings] ? value.flatMap { XSettings($0.bytes) } : nil)
    }
  }

  private func set(_ settings: XSettings?) {
    screens.setResolution(settings: settings?.dpi)
    let looks = settings?.looks ?? DesktopSettings()
    guard looks != last else { return }
    last = looks
    batch.append(.settings(looks))
  }
}
