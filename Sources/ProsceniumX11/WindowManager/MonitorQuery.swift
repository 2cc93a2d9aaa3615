import CXCB
import ProsceniumPlatform

/// Asks RandR for the monitors whenever they may have changed; at most one question is under way.
@MainActor final class MonitorQuery: X11Component {
  /// No real machine has more.
  private static let mostControllers = 64

  private(set) lazy var workAreas = WorkAreaQuery(parts)
  private(set) lazy var modes = ModeSwitch(parts)
  private var names: [UInt32: String] = [:]
  /// How the contents of CRTCs are rotated, by where they are.
  private var rotations: [Rect: ScreenRotation] = [:]
  /// The number of the newest request, for the monitors or their names: start-up may have to wait for its answer.
  private var lastRequest: UInt32?

  private var screens: Screens { parts.screens }

  /// Asks for the monitors.
  func refresh() {
    guard !server.isLost, server.extensions.has(.randr), screens.question.begin() else { return }
    let sequence = server.extensions.send(.randrGetMonitors(window: server.root, activeOnly: true))
    lastRequest = sequence
    connection.whenReplied(sequence) { [weak self] reply in
      guard let self else { return }
      if let reply { return name(MonitorReply.decode(reply)) }
      // RandR before 1.5: it has no monitors.
      finish([])
      if !connection.isLost { replace([screens.wholeRoot]) }
    }
  }

  /// Waits until the monitors and their names are known: start-up's further round trips.
  func await() {
    guard let monitors = lastRequest else { return }
    connection.await(through: monitors)
    if let names = lastRequest, names != monitors { connection.await(through: names) }
  }

  /// The root window has another size, which without RandR is the one sign of a change.
  func rootResized(to size: Size) {
    screens.rootSize = size
    if server.extensions.has(.randr) { refresh() } else { replace([screens.wholeRoot]) }
  }

  /// Begins to follow what panels leave of the screens, and how they are rotated.
  func follow() {
    guard !server.isLost, !screens.areFollowed else { return }
    screens.areFollowed = true
    server.intern(AtomName.forWorkAreas)
    refresh()
    connection.whenDone { [weak self] in self?.workAreas.refresh() }
  }

  /// Begins to follow the modes of screens.
  func followModes() {
    guard !server.isLost, !modes.areFollowed else { return }
    modes.areFollowed = true
    refresh()
  }

  private func name(_ monitors: [MonitorReply]) {
    let unknown = Set(monitors.map(\.name)).filter { names[$0] == nil && $0 != 0 }
    guard let last = unknown.max() else { return rotate(monitors) }
    // Answers come in order: the last one's comes when all names are known.
    for name in unknown.sorted() {
      lastRequest = connection.atomName(name) { [weak self] text in
        self?.names[name] = text ?? ""
        if name == last { self?.rotate(monitors) }
      }
    }
  }

  /// Requests the rotations and the modes: RandR's CRTCs and outputs have them, its monitors do not.
  private func rotate(_ monitors: [MonitorReply]) {
    guard screens.areFollowed || modes.areFollowed else { return finish(monitors) }
    let sequence = server.extensions.send(.randrGetScreenResources(window: server.root))
    connection.whenReplied(sequence) { [weak self] reply in
      guard let self, let reply, let resources = reply.read(randr_resources_reply.self) else {
        self?.finish(monitors)
        return
      }
      let controllers = reply.u32s(ReplyBytes.header, count: min(Int(resources.crtc_count), Self.mostControllers))
      rotations = [:]
      // Answers come in order: all of an output's come before the last controller's.
      if modes.areFollowed { modes.read(reply, resources, mostControllers: Self.mostControllers) }
      guard let last = controllers.last else { return finish(monitors) }
      for controller in controllers {
        let sequence = server.extensions.send(.randrGetCrtcInfo(controller, time: resources.configuration_time))
        connection.whenReplied(sequence) { [weak self] reply in
          if let reply, self?.modes.areFollowed == true { self?.modes.read(controller, reply) }
          if let (frame, rotation) = reply.flatMap(ScreenRotation.decode) {
            self?.rotations[frame] = self?.rotations[frame] ?? rotation
          }
          if controller == last { self?.finish(monitors) }
        }
      }
    }
  }

  private func finish(_ monitors: [MonitorReply]) {
    let isStale = screens.question.end()
    if modes.areFollowed {
      modes.finishReading()
      modes.outputsByScreen = outputs(of: monitors)
    }
    replace(monitors.enumerated().map { describe($0.element, $0.offset, of: monitors) })
    if isStale { refresh() } else { modes.tellOutcomes() }
  }

  /// The first output of each monitor, by the monitors' names.
  private func outputs(of monitors: [MonitorReply]) -> [String: UInt32] {
    let pairs = monitors.compactMap { monitor in monitor.outputs.first.map { (names[monitor.name] ?? "", $0) } }
    return Dictionary(pairs) { first, _ in first }
  }

  private func describe(_ monitor: MonitorReply, _ index: Int, of all: [MonitorReply]) -> ScreenDescription {
    let name = names[monitor.name] ?? ""
    return ScreenDescription(
      name: name, frame: monitor.frame, isPrimary: all.contains(where: \.isPrimary) ? monitor.isPrimary : index == 0,
      physicalSize: monitor.physicalSize, scale: screens.scale(of: monitor.frame.size, monitor.physicalSize),
      visibleFrame: screens.visibleFrame(of: name, monitor.frame), rotation: rotations[monitor.frame] ?? .normal,
      modes: modes.modes(of: monitor.outputs.first ?? 0))
  }

  private func replace(_ new: [ScreenDescription]) {
    guard let old = screens.replace(new) else { return }
    // The sources of work areas for one monitor and for several differ.
    if old.count != new.count { workAreas.refresh() }
  }
}

/// A monitor of RRGetMonitors' reply, before its name is known.
struct MonitorReply: Hashable {
  var name: UInt32
  var isPrimary: Bool
  var frame: Rect
  var physicalSize: Size
  /// The outputs that show it.
  var outputs: [UInt32] = []

  /// The monitors of a reply: each is followed by its outputs.
  static func decode(_ reply: ReplyBytes) -> [MonitorReply] {
    var monitors: [MonitorReply] = []
    var offset = ReplyBytes.header
    for _ in 0..<min(reply.read(randr_monitors_reply.self)?.monitor_count ?? 0, 256) {
      guard let found = reply.read(randr_monitor.self, at: offset) else { break }
      let outputs = reply.u32s(offset + MemoryLayout<randr_monitor>.size, count: Int(found.output_count))
      offset += MemoryLayout<randr_monitor>.size + 4 * Int(found.output_count)
      guard found.width > 0, found.height > 0 else { continue }
      let frame = Rect(x: Int(found.x), y: Int(found.y), width: Int(found.width), height: Int(found.height))
      let millimetres = Size(width: Int(found.width_millimeters), height: Int(found.height_millimeters))
      monitors.append(
        MonitorReply(
          name: found.name, isPrimary: found.is_primary != 0, frame: frame,
          physicalSize: turn(millimetres, like: frame.size), outputs: outputs))
    }
    return monitors
  }

  /// A size in millimetres as the rectangle lies: of a monitor that is turned the server turns the rectangle alone.
  private static func turn(_ millimetres: Size, like pixels: Size) -> Size {
    let isTurned = (pixels.width - pixels.height).signum() * (millimetres.width - millimetres.height).signum() < 0
    return isTurned ? Size(width: millimetres.height, height: millimetres.width) : millimetres
  }
}

extension ScreenRotation {
  /// The place and the rotation in RRGetCrtcInfo's reply; nil where the CRTC shows nothing.
  static func decode(_ reply: ReplyBytes) -> (Rect, ScreenRotation)? {
    guard let crtc = reply.read(randr_crtc_reply.self), crtc.mode != 0, crtc.width > 0, crtc.height > 0 else {
      return nil
    }
    // Counterclockwise; reflections are other bits.
    let rotation: ScreenRotation =
      switch UInt32(crtc.rotation) & RANDR_ROTATIONS.rawValue {
      case RANDR_ROTATE_90.rawValue: .left
      case RANDR_ROTATE_180.rawValue: .inverted
      case RANDR_ROTATE_270.rawValue: .right
      case _: .normal
      }
    return (Rect(x: Int(crtc.x), y: Int(crtc.y), width: Int(crtc.width), height: Int(crtc.height)), rotation)
  }
}
