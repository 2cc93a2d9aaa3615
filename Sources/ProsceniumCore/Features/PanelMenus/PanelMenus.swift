import ProsceniumJSON
import ProsceniumTrace

/// Shows menu bars in a panel of the desktop where one wants them, and does what is chosen there.
final class PanelMenus: FeatureBase, Feature, LoopObserver {
  /// A menu bar that is given to the panel.
  private struct Shown {
    weak var window: Window?
    weak var menu: (any PanelMenu)?
    /// Whether a modal window was above it when it was read.
    var isBlocked: Bool
    var isAccepted = false
  }

  private var isFollowing = false
  /// Whether a panel is there.
  private(set) var hasPanel = false
  private var shown: [WindowID: Shown] = [:]
  /// The windows whose menu bars have to be read again.
  private var stale: Set<ObjectIdentifier> = []
  private var isReading = false

  private lazy var service: (any PanelMenuService)? =
    application.host.sources.lazy.compactMap { $0 as? any PanelMenuProvider }.first?.panelMenus

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.handle, .whileSuspended, by: self)
    lists.observe(.turnEnded, by: self)
  }

  // MARK: The program's side

  func setNeedsUpdate(_ window: Window) {
    if !isFollowing, window.panelMenu != nil {
      isFollowing = true
      service?.follow()
    }
    if hasPanel { stale.insert(ObjectIdentifier(window)) }
  }

  func open(_ item: Int, of window: Window) {
    guard let id = window.id, shown[id]?.isAccepted == true else { return }
    service?.open(item, of: id)
  }

  // MARK: Reading

  /// Follows windows that come and go, and menu bars that have changed.
  func moment(_ moment: LoopMoment) -> [FeatureAction] {
    guard hasPanel, !isReading, !conductor.isSuspended, !conductor.machine.phase.isEnding else { return [] }
    let windows = self.windows
    guard !stale.isEmpty || Set(windows.keys) != Set(shown.keys) || windows.contains(where: isOutdated) else {
      return []
    }
    isReading = true
    return [.call(PanelMenuCall(kind: .read))]
  }

  private func isOutdated(_ id: WindowID, _ window: Window) -> Bool {
    guard let known = shown[id] else { return true }
    return known.menu !== window.panelMenu || known.isBlocked != window.isBlockedByModal
  }

  /// The windows that are shown, and have a menu bar.
  private var windows: [WindowID: Window] {
    var windows: [WindowID: Window] = [:]
    for record in roster.ordered {
      for window in record.windowScene?.windows ?? [] {
        guard let id = window.id, record.windows[id]?.isShown == true, window.panelMenu != nil else { continue }
        windows[id] = window
      }
    }
    return windows
  }

  fileprivate func read() {
    isReading = false
    guard hasPanel else { return }
    let (windows, stale) = (windows, exchange(&self.stale, with: []))
    for (id, known) in shown where windows[id] == nil || windows[id]?.panelMenu !== known.menu {
      known.menu?.isShownByPanel = false
      shown[id] = nil
      service?.withdraw(id)
    }
    for (id, window) in windows.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      if stale.contains(ObjectIdentifier(window)) || isOutdated(id, window) { show(window, id) }
    }
  }

  private func show(_ window: Window, _ id: WindowID) {
    guard let menu = window.panelMenu else { return }
    let isBlocked = window.isBlockedByModal
    var new = shown[id] ?? Shown(window: window, menu: menu, isBlocked: isBlocked)
    new.isBlocked = isBlocked
    shown[id] = new
    let items = menu.panelMenuItems
    service?.show(isBlocked ? items.map(\.disabled) : items, of: id)
  }

  // MARK: The panel's side

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .panelMenu(let event) = event else { return [] }
    switch event {
    case .panel(let isThere):
      guard hasPanel || isThere else { return [] }
      // One that comes while there is one is another: the program was suspended when that left.
      let hadOne = exchange(&hasPanel, with: isThere)
      let trace = FeatureAction.traceSystem("panelMenus", ["isOn": .bool(isThere)])
      return hadOne ? [trace, .callAfterSettling(PanelMenuCall(kind: .panelLeft))] : [trace]
    case .accepted(let id): return [.callAfterSettling(PanelMenuCall(kind: .accepted(id)))]
    case .willShow(let id, let item): return [.callAfterSettling(PanelMenuCall(kind: .willShow(id, item)))]
    case .chosen(let id, let item, let time):
      return [.command(.userActed(time)), .callAfterSettling(PanelMenuCall(kind: .chosen(id, item)))]
    }
  }

  /// Nobody looks at a suspended program, whose bar is as it was when that runs again.
  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    switch event {
    case .panelMenu(.panel): .kept(kind: "panel of menus", rank: 6)
    case .panelMenu(.accepted(let id)): .kept(kind: "menu of \(id)", rank: 7)
    case .panelMenu(.willShow), .panelMenu(.chosen): .dropped
    default: nil
    }
  }

  fileprivate func perform(_ kind: PanelMenuCall.Kind) {
    switch kind {
    case .read: read()
    case .panelLeft:
      let menus = exchange(&shown, with: [:]).values.compactMap(\.menu)
      for menu in menus { menu.isShownByPanel = false }
    case .accepted(let id):
      guard hasPanel, shown[id] != nil else { return }
      shown[id]?.isAccepted = true
      shown[id]?.menu?.isShownByPanel = true
    case .willShow(let id, let item):
      if let window = shown[id]?.window, let menu = shown[id]?.menu {
        menu.panelMenuWillShow(item)
        show(window, id)
      }
      service?.isComplete(item, of: id)
    case .chosen(let id, let item):
      guard let window = shown[id]?.window, let menu = shown[id]?.menu, !window.isBlockedByModal,
        window.record.map({ $0.activation >= .foregroundInactive }) ?? false
      else { return }
      menu.panelMenuPerform(item)
      stale.insert(ObjectIdentifier(window))
    }
  }
}

/// A call of the program about its menu bar.
private struct PanelMenuCall: Notice {
  enum Kind: Equatable {
    case read, panelLeft
    case accepted(WindowID)
    case willShow(WindowID, Int)
    case chosen(WindowID, Int)

    var name: String {
      switch self {
      case .read: "panelMenuItems"
      case .panelLeft, .accepted: "isShownByPanel"
      case .willShow: "panelMenuWillShow(_:)"
      case .chosen: "panelMenuPerform(_:)"
      }
    }
  }

  var kind: Kind
  var call: CallDescription { CallDescription(kind.name, phase: .event) }
  func send(to application: Application) { application.conductor?.feature(PanelMenus.self)?.perform(kind) }
}

extension Window {
  /// Whether a modal window of the scene is above the window, so that nothing of it can be used.
  fileprivate var isBlockedByModal: Bool { windowScene?.modalWindows.last.map { $0 !== self } ?? false }
}

extension PanelMenuItem {
  /// The item as one that cannot be chosen, and neither can what is in it.
  fileprivate var disabled: PanelMenuItem {
    var item = self
    item.isEnabled = false
    item.children = children.map(\.disabled)
    return item
  }
}
