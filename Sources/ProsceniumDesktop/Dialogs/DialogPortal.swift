import ProsceniumLoop
package import ProsceniumPlatform

/// Shows dialogs by the desktop portal (XDG Desktop Portal, "Request"), which is started for the first one.
///
/// Each dialog is an object of the portal (`org.freedesktop.portal.Request`) whose name ends with the token of the
/// call: its response is known even where it comes before the answer to the call. Only the portal's owner is believed.
@MainActor package final class DialogPortal: DialogService {
  /// How long the portal may take to say that it shows a dialog: the bus may have to start it, and its backend.
  private static let patience = Duration.seconds(10)
  /// How long its answer is of use, after which a dialog is closed that nobody waits for any more.
  private static let timeout = Duration.seconds(120)
  private static let request = Portal.interface + ".Request"

  private weak var host: (any SystemHost)?
  private var bus: Bus?
  private var services: DisplayServices?
  private var owner: String?
  private var isListening = false
  private var count = 0
  /// The dialogs that have not ended, by the last parts of their objects' names.
  private var dialogs: [String: PortalDialog] = [:]

  func start(_ host: any SystemHost) { self.host = host }

  /// Sets the session bus, which is where the portal is.
  func use(_ bus: Bus) { self.bus = bus }

  /// Sets what tells whether the portal is that of the program's display.
  func use(_ services: DisplayServices) { self.services = services }

  package func show(
    _ dialog: DesktopDialog, above window: WindowID, completion: @escaping @MainActor (DesktopDialogOutcome) -> Void
  ) -> any ShownDialog {
    let shown = PortalDialog(dialog, in: self, completion)
    guard let bus, bus.isConnected else {
      host?.after(milliseconds: 0) { shown.end(.unavailable("there is no session bus")) }
      return shown
    }
    let (call, parent): (DialogCall, String)
    do throws(Errno) {
      parent = "x11:" + String(window.rawValue, radix: 16)
      call = try DialogCall(dialog, parent: parent)
    } catch {
      host?.after(milliseconds: 0) { shown.end(.failed("the file cannot be opened: \(error)")) }
      return shown
    }
    listen(to: bus)
    let first = DialogCall.preparation(of: dialog, parent: parent)
    if first != nil { shown.next = call }
    whenOurs(for: shown) { [weak self] in self?.send(first ?? call, for: shown) }
    return shown
  }

  /// Goes on where the portal is that of the program's display.
  private func whenOurs(for shown: PortalDialog, _ action: @escaping @MainActor () -> Void) {
    guard let services else { return action() }
    let deadline = host?.after(milliseconds: Self.patience.milliseconds) { [weak self] in
      self?.bus?.catchUp { shown.awaitsPlace }
      if shown.awaitsPlace { shown.end(.unavailable("the desktop's portal does not answer")) }
    }
    services.start(Portal.name) { [weak self] isOurs in
      if let deadline { self?.host?.cancel(deadline) }
      guard shown.awaitsPlace else { return }
      shown.isPlaced = true
      if isOurs { action() } else { shown.end(.unavailable("the desktop's portal is that of another display")) }
    }
  }

  private func send(_ call: DialogCall, for shown: PortalDialog) {
    count += 1
    let token = "proscenium\(count)_\(UInt32.random(in: .min ... .max))"
    (shown.token, shown.path) = (token, nil)
    dialogs[token] = shown
    let deadline = host?.after(milliseconds: Self.patience.milliseconds) { [weak self] in
      self?.bus?.catchUp { shown.awaitsAnswer(to: token) }
      guard shown.awaitsAnswer(to: token) else { return }
      shown.end(.unavailable("the desktop's portal does not answer"))
    }
    bus?.call(Portal.name, call.member, call.arguments(token), timeout: Self.timeout) { [weak self] result in
      if let deadline { self?.host?.cancel(deadline) }
      // The response to the call may be known already, and another call made.
      if shown.token == token || shown.hasEnded { self?.answered(result, shown) }
    }
  }

  /// Makes the call that follows the one that a dialog has been shown by.
  fileprivate func goOn(_ shown: PortalDialog, with results: [String: BusValue]) {
    guard var call = exchange(&shown.next, with: nil) else { return }
    forget(shown)
    call.use(results)
    send(call, for: shown)
  }

  /// Follows responses from the first dialog on.
  private func listen(to bus: Bus) {
    guard !isListening else { return }
    isListening = true
    bus.subscribe(BusRule(sender: Portal.name, interface: Self.request, name: "Response")) { [weak self] signal in
      self?.dialogs[signal.member.path.lastPart]?.responded(signal.values)
    }
    bus.onOwner(of: Portal.name) { [weak self] owner in self?.ownerChanged(to: owner) }
  }

  /// A portal that is gone, and one that has taken its place, does not answer any more.
  private func ownerChanged(to owner: String?) {
    guard let old = exchange(&self.owner, with: owner), old != owner else { return }
    for (_, dialog) in dialogs.sorted(by: { $0.key < $1.key }) { dialog.end(.failed("the desktop's portal has ended")) }
  }

  private func answered(_ result: Result<[BusValue], BusFailure>, _ dialog: PortalDialog) {
    switch result {
    // What cannot be prepared is asked for when it is done.
    case .failure(let failure) where failure.isAbsence && dialog.next != nil: goOn(dialog, with: [:])
    case .success(let values):
      guard values.count == 1, case .objectPath(let path) = values[0] else {
        return dialog.end(.failed("the desktop's portal has answered with \(values.map(\.signature))"))
      }
      dialog.path = path
      if dialog.hasEnded { return close(path) }
      // Portals before version 0.9 make up the name.
      forget(dialog)
      dialog.token = path.lastPart
      dialogs[dialog.token] = dialog
    case .failure(let failure) where failure.isAbsence || failure == .disconnected:
      dialog.end(.unavailable("\(failure)"))
    case .failure(let failure): dialog.end(.failed("\(failure)"))
    }
  }

  fileprivate func forget(_ dialog: PortalDialog) { dialogs[dialog.token] = nil }

  /// Has the portal take a dialog down; one that it does not know any more is no error.
  fileprivate func close(_ path: String) {
    bus?.call(Portal.name, BusMember(path: path, interface: Self.request, name: "Close")) { _ in }
  }
}

/// A dialog of the portal.
@MainActor private final class PortalDialog: ShownDialog {
  private let dialog: DesktopDialog
  /// The last part of the name of its object.
  var token = ""
  /// The call that follows the one that it is shown by.
  var next: DialogCall?
  private weak var portal: DialogPortal?
  /// Nil once it has ended.
  private var completion: (@MainActor (DesktopDialogOutcome) -> Void)?
  /// The name of its object, once the portal has said that it shows the dialog.
  var path: String?
  var hasEnded: Bool { completion == nil }
  /// Whether it is known whether the portal is that of the program's display.
  var isPlaced = false
  /// Whether that is not known yet, and is waited for.
  var awaitsPlace: Bool { !isPlaced && !hasEnded }
  /// Whether the portal has not said yet that it shows the dialog of a call.
  func awaitsAnswer(to token: String) -> Bool { self.token == token && path == nil && !hasEnded }

  init(
    _ dialog: DesktopDialog, in portal: DialogPortal,
    _ completion: @escaping @MainActor (DesktopDialogOutcome) -> Void
  ) {
    (self.dialog, self.portal, self.completion) = (dialog, portal, completion)
  }

  func end(_ outcome: DesktopDialogOutcome) {
    portal?.forget(self)
    next = nil
    exchange(&completion, with: nil)?(outcome)
  }

  /// One that the portal does not show yet is closed when it says that it does.
  func close() {
    guard !hasEnded else { return }
    (completion, next) = (nil, nil)
    portal?.forget(self)
    if let path { portal?.close(path) }
  }

  func responded(_ values: [BusValue]) {
    guard values.count == 2, let code = values[0].integer, let results = values[1].properties else {
      return end(.failed("the desktop's portal has answered with \(values.map(\.signature))"))
    }
    switch code {
    case 0 where next != nil: portal?.goOn(self, with: results)
    case 0: end(DialogCall.outcome(of: dialog, results))
    // Two is any other end: GTK's backend says so where the user closes the window or presses Escape.
    case 1, 2: end(.cancelled)
    default: end(.failed("the desktop's portal has answered with the code \(code)"))
    }
  }
}

extension String {
  /// What follows the last slash of an object's name.
  fileprivate var lastPart: String { String(split(separator: "/").last ?? "") }
}
