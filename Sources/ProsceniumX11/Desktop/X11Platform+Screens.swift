import ProsceniumPlatform

/// What is known of the screens.
struct ScreenKnowledge {
  var current: [ScreenDescription] = []
  var isAsking = false
  var isStale = false
  var names: [UInt32: String] = [:]
  /// The number of the newest question, for the monitors or their names: start-up may have to wait for the answer.
  var question: UInt32?
  /// The root window's size, once it is another one than at start.
  var rootSize: Size?
  /// How what CRTCs show is turned, by where it is.
  var rotations: [Rect: ScreenRotation] = [:]
  var work = WorkAreaKnowledge()
  /// Where windows were that a monitor has left behind.
  var strays: [UInt32: Rect] = [:]
}

/// A monitor of RRGetMonitors' reply, before its name is known.
struct MonitorReply: Hashable {
  var name: UInt32
  var isPrimary: Bool
  var frame: Rect
  var physicalSize: Size

  /// RRGetMonitors' reply (randrproto.txt, appendix A): nMonitors at 12, then MONITORINFO of 24 bytes and its outputs.
  static func decode(_ reply: ReplyBytes) -> [MonitorReply] {
    var monitors: [MonitorReply] = []
    var offset = 32
    for _ in 0..<min(reply.u32(12) ?? 0, 256) {
      guard let name = reply.u32(offset), let primary = reply.u8(offset + 4), let outputs = reply.u16(offset + 6),
        let x = reply.i16(offset + 8), let y = reply.i16(offset + 10), let width = reply.u16(offset + 12),
        let height = reply.u16(offset + 14), let widthMM = reply.u32(offset + 16), let heightMM = reply.u32(offset + 20)
      else { break }
      offset += 24 + 4 * Int(outputs)
      guard width > 0, height > 0 else { continue }
      monitors.append(
        MonitorReply(
          name: name, isPrimary: primary != 0,
          frame: Rect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)),
          physicalSize: Size(width: Int(widthMM), height: Int(heightMM))))
    }
    return monitors
  }
}

/// Screens are RandR's monitors; the root's size without RandR 1.5.
extension X11Platform {
  /// Asks for the monitors; at most one question is under way.
  func refreshScreens() {
    guard !isLost, let connection, let extensions, extensions.has(.randr) else { return }
    guard !screens.isAsking else {
      screens.isStale = true
      return
    }
    screens.isAsking = true
    screens.isStale = false
    let sequence = extensions.send(.randrGetMonitors(window: connection.screen.root, activeOnly: true))
    screens.question = sequence
    connection.whenReplied(sequence) { [weak self] reply in
      guard let self else { return }
      nameMonitors(reply.map(MonitorReply.decode) ?? [])
    }
  }

  /// Waits until it is known how many screens there are, where, and what they are called: the names take another question.
  func awaitScreens(_ connection: Connection) {
    guard let monitors = screens.question else { return }
    connection.await(through: monitors)
    if let names = screens.question, names != monitors { connection.await(through: names) }
  }

  private func describe(_ monitor: MonitorReply, _ index: Int, of all: [MonitorReply]) -> ScreenDescription {
    let name = screens.names[monitor.name] ?? ""
    return ScreenDescription(
      name: name, frame: monitor.frame,
      isPrimary: all.contains(where: \.isPrimary) ? monitor.isPrimary : index == 0,
      physicalSize: monitor.physicalSize, scale: scale(of: monitor.frame.size, monitor.physicalSize),
      visibleFrame: visibleFrame(of: name, monitor.frame), rotation: screens.rotations[monitor.frame] ?? .normal)
  }

  /// Without RandR the root's ConfigureNotify is all there is.
  func rootResized(_ size: Size) {
    screens.rootSize = size
    guard let extensions, !extensions.has(.randr) else { return refreshScreens() }
    take([
      ScreenDescription(
        name: "screen", frame: Rect(x: 0, y: 0, width: size.width, height: size.height), isPrimary: true,
        scale: scale(of: size, Size(width: 0, height: 0)),
        visibleFrame: visibleFrame(of: "screen", Rect(x: 0, y: 0, width: size.width, height: size.height)))
    ])
  }

  private func nameMonitors(_ monitors: [MonitorReply]) {
    guard let connection else { return }
    let unknown = Set(monitors.map(\.name)).filter { screens.names[$0] == nil && $0 != 0 }
    let finish: @MainActor () -> Void = { [weak self] in self?.askRotations { self?.finish(monitors) } }
    guard let last = unknown.max() else { return finish() }
    // Answers come in order: the last one's comes when all names are known.
    for name in unknown.sorted() {
      screens.question = connection.atomName(name) { [weak self] text in
        self?.screens.names[name] = text ?? ""
        if name == last { finish() }
      }
    }
  }

  private func finish(_ monitors: [MonitorReply]) {
    screens.isAsking = false
    take(monitors.enumerated().map { describe($0.element, $0.offset, of: monitors) })
    if screens.isStale { refreshScreens() }
  }

  private func take(_ new: [ScreenDescription]) {
    guard !new.isEmpty, new != screens.current else { return }
    let old = screens.current
    screens.current = new
    batch.append(.screens(new))
    renewScales()
    signal(.monitors(new.map(\.frame)))
    noteStrays(old)
    // Who says what panels leave may be another one for one monitor than for several.
    if old.count != new.count { refreshWorkAreas() }
  }
}
