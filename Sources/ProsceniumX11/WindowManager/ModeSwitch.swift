import CXCB
import ProsceniumPlatform

/// The modes of screens, and the program's choices among them: RandR's outputs and CRTCs.
///
/// Nothing is asked for before the program asks. A mode that the program has chosen is put back by it, or, where it is
/// killed, by a ``ModeKeeper``, since the server does not do that by itself, and where another client has chosen a
/// third one meanwhile, that stays.
@MainActor final class ModeSwitch: X11Component {
  private struct Output {
    var controller: UInt32
    var modes: [UInt32]
    var prefersFirst: Bool
  }

  private struct Controller {
    var frame: Rect
    var mode: UInt32
    var rotation: UInt16
    var outputs: [UInt32]

    /// Whether its content stands on a panel that lies, or the other way round.
    var isTurned: Bool { UInt32(rotation) & (RANDR_ROTATE_90.rawValue | RANDR_ROTATE_270.rawValue) != 0 }

    /// The size of what a mode shows.
    func size(of mode: ModeReply) -> Size {
      isTurned ? Size(width: mode.size.height, height: mode.size.width) : mode.size
    }
  }

  /// What has been read of the server's configuration.
  private struct Configuration {
    var time: UInt32 = 0
    var modes: [UInt32: ModeReply] = [:]
    var outputs: [UInt32: Output] = [:]
    var controllers: [UInt32: Controller] = [:]
  }

  private struct Asked {
    var number: Int
    var choice: ModeChoice
  }

  private static let mostOutputs = 64
  private static let mostModes = 1024
  /// RRSetCrtcConfig's status for a request that has been performed.
  private static let success: UInt8 = 0

  /// Whether the program wants to know the modes.
  var areFollowed = false
  /// The outputs of the screens, by the screens' names.
  var outputsByScreen: [String: UInt32] = [:]
  private var known = Configuration()
  /// What is being read, until all of it is there.
  private var reading: Configuration?
  /// The program's choices for a screen: the last one that the server has performed, and those not answered yet.
  ///
  /// The last of them counts, and a refused one goes.
  private var choices: [String: [Asked]] = [:]
  /// The number of the last choice, as two may be of one mode.
  private var lastNumber = 0
  /// Puts back what has been chosen, where this process is killed; nil where nobody does.
  var keeper: ModeKeeper?
  /// What has become of choices, which is told when the screens are known as they are now.
  private var outcomes: [(error: ScreenModeError?, screen: String)] = []

  // MARK: Reading

  /// Reads the modes and asks for the outputs, before the CRTCs are asked for.
  func read(_ reply: ReplyBytes, _ resources: randr_resources_reply, mostControllers: Int) {
    var reading = Configuration()
    reading.time = resources.configuration_time
    let afterControllers = ReplyBytes.header + 4 * Int(resources.crtc_count)
    for output in reply.u32s(afterControllers, count: min(Int(resources.output_count), Self.mostOutputs)) {
      let sequence = server.extensions.send(.randrGetOutputInfo(output, time: reading.time))
      connection.whenReplied(sequence) { [weak self] in if let self, let reply = $0 { read(output: output, reply) } }
    }
    let afterOutputs = afterControllers + 4 * Int(resources.output_count)
    for number in 0..<min(Int(resources.mode_count), Self.mostModes) {
      guard let mode = ModeReply(reply, at: afterOutputs + number * MemoryLayout<randr_mode>.size) else { continue }
      reading.modes[mode.id] = mode
    }
    self.reading = reading
  }

  private func read(output: UInt32, _ reply: ReplyBytes) {
    guard let info = reply.read(randr_output_reply.self), info.status == Self.success else { return }
    let start = MemoryLayout<randr_output_reply>.size + 4 * Int(info.crtc_count)
    reading?.outputs[output] = Output(
      controller: info.crtc, modes: reply.u32s(start, count: min(Int(info.mode_count), Self.mostModes)),
      prefersFirst: info.preferred_count > 0)
  }

  /// Reads a CRTC that shows something.
  func read(_ controller: UInt32, _ reply: ReplyBytes) {
    guard let info = reply.read(randr_crtc_reply.self), info.mode != 0 else { return }
    let frame = Rect(x: Int(info.x), y: Int(info.y), width: Int(info.width), height: Int(info.height))
    let outputs = reply.u32s(ReplyBytes.header, count: min(Int(info.output_count), Self.mostOutputs))
    reading?.controllers[controller] = Controller(
      frame: frame, mode: info.mode, rotation: info.rotation, outputs: outputs)
  }

  /// All has been read.
  func finishReading() {
    if let reading = reading.take() { known = reading }
  }

  /// The modes of an output; nil where they are not known, or it shows nothing.
  func modes(of output: UInt32) -> ScreenModes? {
    guard areFollowed, let output = known.outputs[output], let controller = known.controllers[output.controller] else {
      return nil
    }
    let all = output.modes.compactMap { id in
      known.modes[id].map { ScreenMode(size: controller.size(of: $0), refreshRate: $0.rate, id: id) }
    }
    return ScreenModes(
      available: all, current: all.first { $0.id == controller.mode }, preferred: output.prefersFirst ? all.first : nil)
  }

  // MARK: Choosing

  /// Shows a screen in a mode; where nil, in the one before the first choice.
  func set(_ mode: ScreenMode?, for screen: String) {
    guard let id = outputsByScreen[screen], let output = known.outputs[id],
      let controller = known.controllers[output.controller]
    else {
      choices[screen] = nil
      tellKeeper()
      if mode != nil { batch.append(.screenMode(.disconnected, screen: screen)) }
      return
    }
    guard let mode else {
      if let choice = choices.removeValue(forKey: screen)?.last?.choice {
        // Until the server has answered it would be put back after a kill.
        putBack(choice) { [weak self] in self?.tellKeeper() }
      }
      return
    }
    guard output.modes.contains(mode.id) else {
      return batch.append(.screenMode(.unavailable, screen: screen))
    }
    lastNumber += 1
    let before = choices[screen]?.last?.choice.before ?? controller.mode
    let asked = Asked(number: lastNumber, choice: ModeChoice(output: id, mode: mode.id, before: before))
    choices[screen, default: []].append(asked)
    tellKeeper()
    apply(mode.id, output.controller, controller) { [weak self] isDone in
      self?.answered(asked, isDone, for: screen)
    }
  }

  private func answered(_ asked: Asked, _ isDone: Bool, for screen: String) {
    outcomes.append((isDone ? nil : .refused, screen))
    // Not there any more where the program has gone back meanwhile.
    guard let index = choices[screen]?.firstIndex(where: { $0.number == asked.number }) else { return }
    if isDone { choices[screen]?.removeFirst(index) } else { choices[screen]?.remove(at: index) }
    if choices[screen]?.isEmpty == true { choices[screen] = nil }
    tellKeeper()
  }

  private func tellKeeper() {
    keeper?.keep(choices.values.compactMap(\.last?.choice).sorted { $0.output < $1.output })
  }

  /// Shows what was shown before a choice, unless somebody else has chosen another mode meanwhile.
  /// - Returns: Whether the screen showed the choice.
  @discardableResult
  func putBack(_ choice: ModeChoice, _ completion: @escaping @MainActor () -> Void = {}) -> Bool {
    guard let output = known.outputs[choice.output], let controller = known.controllers[output.controller],
      controller.mode == choice.mode, output.modes.contains(choice.before)
    else {
      completion()
      return false
    }
    apply(choice.before, output.controller, controller) { _ in completion() }
    return true
  }

  /// Tells what has become of choices.
  func tellOutcomes() {
    for (error, screen) in exchange(&outcomes, with: []) { batch.append(.screenMode(error, screen: screen)) }
  }

  /// Makes a CRTC show a mode at its place, and the root window as large as all of them need.
  ///
  /// Nothing is waited for: this may be the last thing that the program does.
  private func apply(
    _ mode: UInt32, _ id: UInt32, _ controller: Controller, _ completion: @escaping @MainActor (Bool) -> Void
  ) {
    guard let size = known.modes[mode].map(controller.size) else { return completion(false) }
    let before = screens.rootSize
    // What is being read is how it was; it is read again when this has been answered.
    reading = nil
    known.controllers[id]?.mode = mode
    known.controllers[id]?.frame.size = size
    let frames = known.controllers.values.map(\.frame)
    let needed = Size(
      width: frames.map { $0.origin.x + $0.size.width }.max() ?? size.width,
      height: frames.map { $0.origin.y + $0.size.height }.max() ?? size.height)
    let grown = Size(width: max(before.width, needed.width), height: max(before.height, needed.height))
    if grown != before { resizeRoot(grown) }
    let sequence = server.extensions.send(
      .randrSetCrtcConfig(
        id, time: known.time, origin: controller.frame.origin, mode: mode, rotation: controller.rotation,
        outputs: controller.outputs))
    connection.whenReplied(sequence) { [weak self] reply in
      let isDone = reply?.u8s(1, count: 1).first == Self.success
      if !isDone, grown != before { self?.resizeRoot(before) }
      completion(isDone)
      // Also where it has failed: the modes that were assumed are not true.
      self?.parts.monitors.refresh()
    }
    // Refused where the CRTC still shows the larger mode.
    if needed != grown { resizeRoot(needed) }
  }

  private var screens: Screens { parts.screens }

  private func resizeRoot(_ size: Size) {
    let (pixels, millimetres) = (connection.screen.size, connection.screen.physicalSize)
    func length(_ new: Int, _ pixels: Int, _ millimetres: Int) -> Int {
      // 96 dots per inch where the server does not know.
      pixels > 0 && millimetres > 0 ? max(1, new * millimetres / pixels) : max(1, new * 254 / 960)
    }
    let physical = Size(
      width: length(size.width, pixels.width, millimetres.width),
      height: length(size.height, pixels.height, millimetres.height))
    server.extensions.send(
      .randrSetScreenSize(window: server.root, size, millimetres: physical), onError: .ignore)
  }
}

/// A mode of RRGetScreenResourcesCurrent's reply.
struct ModeReply: Hashable {
  var id: UInt32
  var size: Size
  /// In hertz; 0 where it cannot be told.
  var rate: Double

  /// The mode at an offset; nil where it is not there whole, or has no size.
  init?(_ reply: ReplyBytes, at offset: Int) {
    guard let mode = reply.read(randr_mode.self, at: offset) else { return nil }
    self.init(mode)
  }

  init?(_ mode: randr_mode) {
    guard mode.width > 0, mode.height > 0 else { return nil }
    (id, size) = (mode.id, Size(width: Int(mode.width), height: Int(mode.height)))
    let pixels = Double(mode.htotal) * Double(mode.vtotal)
    // Half frames, and lines that are shown twice.
    let frames = mode.flags & RANDR_INTERLACE.rawValue != 0 ? 2.0 : 1
    let lines = mode.flags & RANDR_DOUBLE_SCAN.rawValue != 0 ? 2.0 : 1
    rate = pixels > 0 ? Double(mode.dot_clock) * frames / (pixels * lines) : 0
  }
}
