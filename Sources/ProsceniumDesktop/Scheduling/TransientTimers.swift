import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// Has systemd's user manager start the program at certain times, by transient timers (`org.freedesktop.systemd1`,
/// "StartTransientUnit").
///
/// The name of a timer says the application, the task, the time and what is started: one that is set again, by another
/// process too, is the same one. One of an earlier run that starts another file, or for another display, stays beside
/// it: what it starts fails, or is the other version, where its file is still there. The manager drops a timer when it
/// has gone off. It refuses what a process asks that has left the bus when the request is read: the end of the program
/// waits for the answers.
@MainActor final class TransientTimers {
  private static let service = "org.freedesktop.systemd1"
  /// How long the bus may take until starts are given up, in milliseconds.
  private static let patience = 5000

  private let program: String?
  /// The variables that the program is started with, without those that the manager refuses: it takes no control
  /// character.
  private lazy var variables = environment.filter {
    WorkSource.variables.contains($0.key)
      && !$0.value.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  private let environment: [String: String]
  private let subject: String
  private weak var host: (any SystemHost)?
  private var bus: Bus?
  private var identifier = ""
  private var starts: Set<WorkStart> = []
  private var isReported = false
  private var isChecking = false

  /// Makes an owner of no timers.
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - environment: The program's own environment, at its launch.
  ///   - subject: What happens only while the program runs where there is no manager, as the beginning of a sentence.
  init(program: String?, environment: [String: String], subject: String) {
    (self.program, self.environment, self.subject) = (program, environment, subject)
  }

  func start(_ host: any SystemHost) { self.host = host }

  /// Sets the session bus, which is where the user's manager is.
  func use(_ bus: Bus) {
    self.bus = bus
    bus.onConnection { [weak self] isConnected in
      guard let self, isConnected else { return }
      for start in starts { set(start) }
    }
  }

  /// Sets the timers that there are to be.
  func replace(_ starts: Set<WorkStart>, of identifier: String) {
    self.identifier = identifier
    let old = exchange(&self.starts, with: starts)
    // In this order: a process that is killed in between has both, and not none.
    for start in starts.subtracting(old) { set(start) }
    for start in old.subtracting(starts) { stop(start) }
  }

  private func set(_ start: WorkStart) {
    guard let bus, bus.isConnected else { return checkLater() }
    guard let program, let name = name(of: start) else {
      return giveUp("its path, or its name, cannot be that of a unit")
    }
    let arguments = [program, "--background", WorkStart.option, start.identifier]
    let command = BusValue.structure([.string(program), .array(of: "s", arguments.map { .string($0) }), .bool(false)])
    let timer = Self.properties([
      ("Description", .string("Task \(start.identifier) of \(identifier)")),
      (
        "TimersCalendar", .array(of: "(ss)", [.structure([.string("OnCalendar"), .string(Self.calendar(start.time))])])
      ),
      ("AccuracyUSec", .whole(1_000_000, code: "t")), ("RemainAfterElapse", .bool(false)),
    ])
    let service = Self.properties([
      ("Description", .string("\(identifier), for its task \(start.identifier)")),
      ("ExecStart", .array(of: "(sasb)", [command])), ("Environment", .array(of: "s", variables.map { .string($0) })),
      ("CollectMode", .string("inactive-or-failed")),
    ])
    let values: [BusValue] = [
      .string(name + ".timer"), .string("replace"), timer,
      .array(of: "(sa(sv))", [.structure([.string(name + ".service"), service])]),
    ]
    bus.call(Self.service, Self.manager("StartTransientUnit"), values, needsCaller: true) { [weak self] result in
      guard case .failure(let failure) = result, failure != .disconnected else { return }
      // Another process of the program has set it.
      guard failure.name != Self.service + ".UnitExists" else { return }
      self?.giveUp("\(failure)")
    }
  }

  private func stop(_ start: WorkStart) {
    guard let bus, bus.isConnected, let name = name(of: start) else { return }
    // One that has gone off is no unit any more.
    let values: [BusValue] = [.string(name + ".timer"), .string("replace")]
    bus.call(Self.service, Self.manager("StopUnit"), values, needsCaller: true) { _ in }
  }

  private static func manager(_ method: String) -> BusMember {
    BusMember(path: "/org/freedesktop/systemd1", interface: service + ".Manager", name: method)
  }

  private static func properties(_ pairs: [(String, BusValue)]) -> BusValue {
    .array(of: "(sv)", pairs.map { .structure([.string($0.0), .variant($0.1)]) })
  }

  /// The bus may be connected soon.
  private func checkLater() {
    guard !isReported, !isChecking, let host else { return }
    isChecking = true
    host.after(milliseconds: Self.patience) { [weak self] in
      guard let self else { return }
      isChecking = false
      if bus?.isConnected != true, !starts.isEmpty { giveUp("there is no session bus") }
    }
  }

  private func giveUp(_ reason: String) {
    guard !exchange(&isReported, with: true) else { return }
    host?.report(
      "\(subject) only while the program does: systemd's user manager cannot start it. (\(reason))")
  }

  // MARK: Names

  private func name(of start: WorkStart) -> String? {
    program.flatMap { Self.unit(identifier, start, command: [$0] + variables) }
  }

  /// The name of the units without their suffix, as desktop environments name those of an application (systemd,
  /// "Desktop Environment Integration").
  /// - Parameters:
  ///   - identifier: The application.
  ///   - start: The task and its time.
  ///   - command: What is started, which a unit that is there does not change.
  /// - Returns: The name; nil where it would be too long (systemd.unit(5)).
  nonisolated static func unit(_ identifier: String, _ start: WorkStart, command: [String]) -> String? {
    var checksum = Checksum(start.identifier.utf8)
    for word in command {
      checksum.add([0])
      checksum.add(word.utf8)
    }
    var name = "app-"
    for byte in identifier.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default: name += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    name += "@task" + String(checksum.value, radix: 16) + "." + String(start.time, radix: 16)
    return identifier.isEmpty || name.utf8.count > 240 ? nil : name
  }

  /// A moment as systemd.time(7) writes it.
  nonisolated static func calendar(_ time: Int) -> String {
    var (time, parts) = (time, tm())
    gmtime_r(&time, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = "\(Int(parts.tm_year) + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(day) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) UTC"
  }
}
