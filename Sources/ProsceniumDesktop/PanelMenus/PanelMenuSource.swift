import ProsceniumLoop
package import ProsceniumPlatform

/// The menu bars of the program's windows on the session bus, while a panel wants them
/// (`com.canonical.AppMenu.Registrar` and `com.canonical.dbusmenu`).
///
/// Without a window that has a menu bar nothing is asked; without a registrar there is no object and no request.
@MainActor package final class PanelMenuSource: PanelMenuService {
  static let registrar = "com.canonical.AppMenu.Registrar"
  static let registrarPath = "/com/canonical/AppMenu/Registrar"
  /// How long a panel waits for what is in a menu to be complete.
  private static let patience = Duration.seconds(1)

  /// How often a registrar is asked, and how long it has between.
  private static let tries = 3
  private static let pause = Duration.milliseconds(500)

  private weak var host: (any SystemHost)?
  private var bus: Bus?
  private var objects: BusObjects?
  private var isFollowing = false
  /// The unique name of the registrar; nil where there is none.
  private var owner: String?
  private var menus: [WindowID: DBusMenu] = [:]
  private var waiting: [Waiting] = []
  /// How many items have been chosen.
  private var flood = CallFlood.ofCommands

  /// A panel that is about to show menus, and has not been answered.
  private final class Waiting {
    let window: WindowID
    /// The menus that are asked for, and those of them that are not complete yet.
    let asked: [Int]
    var items: Set<Int>
    /// Those that have changed meanwhile.
    var changed: [Int] = []
    let answer: (_ changed: [Int]) -> Void

    init(_ window: WindowID, _ items: Set<Int>, _ answer: @escaping (_ changed: [Int]) -> Void) {
      (self.window, self.items, self.answer) = (window, items, answer)
      asked = items.sorted()
    }
  }

  init() {}

  func start(_ host: any SystemHost) { self.host = host }

  /// Sets the session bus, before it is connected.
  func use(_ bus: Bus, _ objects: BusObjects) {
    (self.bus, self.objects) = (bus, objects)
    if isFollowing { watch() }
  }

  package func follow() {
    guard !exchange(&isFollowing, with: true) else { return }
    watch()
  }

  private func watch() {
    bus?.onOwner(of: Self.registrar) { [weak self] in self?.ownerChanged(to: $0) }
  }

  private func ownerChanged(to new: String?) {
    guard new != owner else { return }
    if owner != nil {
      for window in menus.keys { remove(window) }
      owner = nil
      host?.post(.panelMenu(.panel(isThere: false)))
    }
    guard let new else { return }
    owner = new
    host?.trace("menuRegistrar", new)
    host?.post(.panelMenu(.panel(isThere: true)))
  }

  // MARK: Out

  private static func path(_ window: WindowID) -> String { "/com/canonical/menu/\(window)" }

  private static func member(_ name: String) -> BusMember {
    BusMember(path: registrarPath, interface: registrar, name: name)
  }

  package func show(_ items: [PanelMenuItem], of window: WindowID) {
    guard let owner, let objects else { return }
    guard var menu = menus[window] else {
      menus[window] = DBusMenu(items)
      objects.export(Self.path(window), interfaces: DBusMenu.description) { [weak self] in self?.answer($0, window) }
      register(window, at: owner, tries: Self.tries)
      return
    }
    let before = menu
    for (name, values) in menu.update(items) { emit(name, values, window) }
    menus[window] = menu
    guard before != menu else { return }
    for one in waiting where one.window == window { one.changed = one.asked }
  }

  /// Gives the menu bar to the registrar, again where it is not ready yet although it has its name.
  private func register(_ window: WindowID, at owner: String, tries: Int) {
    let values: [BusValue] = [.uint32(window.rawValue), .objectPath(Self.path(window))]
    bus?.call(owner, Self.member("RegisterWindow"), values) { [weak self] result in
      guard let self, menus[window] != nil, self.owner == owner else { return }
      switch result {
      case .success: host?.post(.panelMenu(.accepted(window)))
      case .failure where tries > 1:
        host?.after(milliseconds: Self.pause.milliseconds) { [weak self] in
          guard let self, menus[window] != nil, self.owner == owner else { return }
          register(window, at: owner, tries: tries - 1)
        }
      case .failure(let failure):
        remove(window)
        host?.log("The registrar of menus does not take a menu bar, which its window shows: \(failure)")
      }
    }
  }

  private func emit(_ name: String, _ values: [BusValue], _ window: WindowID) {
    bus?.emit(BusMember(path: Self.path(window), interface: DBusMenu.interface, name: name), values)
  }

  package func withdraw(_ window: WindowID) {
    guard menus[window] != nil else { return }
    remove(window)
    if let owner { bus?.tell(owner, Self.member("UnregisterWindow"), [.uint32(window.rawValue)]) }
  }

  private func remove(_ window: WindowID) {
    menus[window] = nil
    objects?.withdraw(Self.path(window))
    for one in waiting where one.window == window { finish(one) }
  }

  package func open(_ item: Int, of window: WindowID) {
    guard menus[window]?.has(item) == true else { return }
    emit("ItemActivationRequested", [.int32(item), .uint32(0)], window)
  }

  package func isComplete(_ item: Int, of window: WindowID) {
    for one in waiting where one.window == window && one.items.remove(item) != nil && one.items.isEmpty { finish(one) }
  }

  private func finish(_ one: Waiting) {
    guard let index = waiting.firstIndex(where: { $0 === one }) else { return }
    waiting.remove(at: index)
    one.answer(one.changed)
  }

  // MARK: In

  private func answer(_ call: BusMessage, _ window: WindowID) -> BusAnswer? {
    let member = call.member
    switch member.interface {
    case DBusMenu.interface:
      return objects?.admit(call) { [weak self] _, values, reply in
        self?.answer(MethodCall(name: member.name, values: values), window, reply)
      }
    case BusObjects.properties:
      return objects?.admit(call) { _, values, reply in
        reply.give(BusObjects.property(member.name, values, of: [DBusMenu.interface: DBusMenu.objectProperties]))
      }
    case _: return nil
    }
  }

  private func answer(_ call: MethodCall, _ window: WindowID, _ reply: BusReply) {
    guard let menu = menus[window] else { return reply.give(.failure(.standard("UnknownObject", "it is gone"))) }
    if let answer = menu.answer(call) { return reply.give(answer) }
    switch (call.name, call.signature) {
    case ("Event", "isvu"):
      guard menu.has(call.int(0)) else { return reply.give(.failure(DBusMenu.unknown(call.int(0)))) }
      heard(call.values, menu, window)
      reply.give(.success([]))
    case ("EventGroup", "a(isvu)"):
      let events = call.values[0].elements?.compactMap(\.fields) ?? []
      let (known, unknown) = (events.filter { Self.isFor(menu, $0) }, events.filter { !Self.isFor(menu, $0) })
      // As the specification has it: an error where none of them is for an item that there is.
      guard !known.isEmpty || events.isEmpty else { return reply.give(.failure(.invalid("there are no such items"))) }
      for event in known { heard(event, menu, window) }
      reply.give(.success([.array(of: "i", unknown.compactMap { $0.first?.integer }.map { .int32($0) })]))
    case ("AboutToShow", "i"):
      guard menu.has(call.int(0)) else { return reply.give(.failure(DBusMenu.unknown(call.int(0)))) }
      willShow([call.int(0)], window) { reply.give(.success([.bool(!$0.isEmpty)])) }
    case ("AboutToShowGroup", "ai"):
      let ids = Array(call.ints(0).prefix(DBusMenu.mostItems))
      let unknown = BusValue.array(of: "i", ids.filter { !menu.has($0) }.map { .int32($0) })
      willShow(ids.filter(menu.has), window) { changed in
        reply.give(.success([.array(of: "i", changed.map { .int32($0) }), unknown]))
      }
    default:
      let method = "\(DBusMenu.interface).\(call.name)".prefix(200)
      reply.give(
        .failure(.standard("UnknownMethod", "there is no \(method) with \"\(call.signature.prefix(100))\"")))
    }
  }

  private static func isFor(_ menu: DBusMenu, _ event: [BusValue]) -> Bool {
    event.first?.integer.map(menu.has) ?? false
  }

  /// A panel tells what the user does; what is only looked at changes nothing.
  private func heard(_ event: [BusValue], _ menu: DBusMenu, _ window: WindowID) {
    guard event.count == 4, event[1].text == "clicked", let item = event[0].integer, menu.isEnabled(item),
      let host, host.acceptsRequests
    else { return }
    // One message may have any number, which would keep the program busy long after it has come.
    guard flood.admits(at: host.now) else {
      if flood.isNews { host.log("Another program chooses too many menu items at once: some are ignored.") }
      return
    }
    let time = UInt32(clamping: event[3].integer ?? 0)
    host.post(.panelMenu(.chosen(window, item: item, time: time)))
  }

  /// Answers once the program has completed the menus; a program that does not run completes none.
  private func willShow(
    _ items: [Int], _ window: WindowID, _ answer: @escaping (_ changed: [Int]) -> Void
  ) {
    guard let host, host.acceptsRequests, !host.isSuspended, !items.isEmpty, waiting.count < 100 else {
      return answer([])
    }
    let one = Waiting(window, Set(items), answer)
    waiting.append(one)
    for item in Set(items).sorted() { host.post(.panelMenu(.willShow(window, item: item))) }
    host.after(milliseconds: Self.patience.milliseconds) { [weak self, weak one] in if let one { self?.finish(one) } }
  }
}
