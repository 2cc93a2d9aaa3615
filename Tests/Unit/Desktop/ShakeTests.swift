import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import Synchronization
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// What is a shake, and the kernel's accelerometers.
@MainActor @Suite("Shakes and accelerometers", .serialized) struct ShakeTests {
  private static let gravity = 9.81
  private static let directions = [
    Acceleration(x: 1, y: 0, z: 0), Acceleration(x: 0, y: -1, z: 0), Acceleration(x: 0.6, y: 0, z: 0.8),
    Acceleration(x: -0.57735, y: 0.57735, z: 0.57735),
  ]

  /// Samples of some seconds, of which a part is a movement.
  private func phases(
    of movement: (Double) -> Double, along direction: Acceleration, down: Acceleration = Acceleration(x: 0, y: 0, z: 1),
    from start: Double, to end: Double, until last: Double = 8, step: Double = ShakeDetector.interval
  ) -> [(phase: ShakePhase, time: Double)] {
    var detector = ShakeDetector()
    var found: [(ShakePhase, Double)] = []
    for number in 0...Int(last / step) {
      let time = Double(number) * step
      let force = (start..<end).contains(time) ? movement(time - start) : 0
      let sample = Acceleration(
        x: down.x * Self.gravity + direction.x * force, y: down.y * Self.gravity + direction.y * force,
        z: down.z * Self.gravity + direction.z * force)
      if let phase = detector.add(sample, at: time) { found.append((phase, time)) }
    }
    return found
  }

  @Test("To and fro, hard and often enough, is a shake that ends: each strength, speed, direction and way up")
  func grid() {
    for direction in Self.directions {
      for down in Self.directions {
        for frequency in [2.0, 3, 4, 5, 7] {
          for strength in [2.0, 5, 12, 20, 80] {
            let found = phases(
              of: { strength * sin(2 * .pi * frequency * $0) }, along: direction, down: down, from: 1, to: 3.4)
            let isShake = strength >= 12
            #expect(found.map(\.phase) == (isShake ? [.began, .ended] : []), "\(direction) \(frequency) \(strength)")
            // Four pushes take one and a half periods, and it is over a pause after the last one.
            if isShake, found.count == 2 {
              #expect((1.0...2.4).contains(found[0].time) && (3.2...4.2).contains(found[1].time), "\(found)")
            }
          }
        }
      }
    }
  }

  @Test("A jolt, a fall, a turn, a slow swing and a few pushes are no shakes")
  func others() {
    let x = Self.directions[0]
    func none(_ movement: @escaping (Double) -> Double, to end: Double) -> Bool {
      phases(of: movement, along: x, from: 1, to: end).isEmpty
    }
    #expect(none({ _ in 150 }, to: 1.08))
    #expect(none({ _ in -Self.gravity }, to: 1.7))
    #expect(none({ _ in 14 }, to: 5))
    #expect(none({ 20 * sin(2 * .pi * 0.4 * $0) }, to: 6))
    for count in 1...3 { #expect(none({ Int($0 / 0.2) % 2 == 0 ? 15 : -15 }, to: 1 + 0.2 * Double(count))) }
    #expect(!none({ Int($0 / 0.2) % 2 == 0 ? 15 : -15 }, to: 2))
    // Two jolts that are further apart than a pause.
    #expect(none({ $0.truncatingRemainder(dividingBy: 0.7) < 0.1 ? (Int($0 / 0.7) % 2 == 0 ? 20 : -20) : 0 }, to: 7))
  }

  @Test("What lasts too long is cancelled once, and counts again after a rest")
  func longest() {
    let movement: (Double) -> Double = { 15 * sin(2 * .pi * 3 * $0) }
    let found = phases(of: movement, along: Self.directions[0], from: 1, to: 7.5, until: 9)
    #expect(found.map(\.phase) == [.began, .cancelled])
    let twice: (Double) -> Double = { (4.5..<5.5).contains($0) ? 0 : movement($0) }
    #expect(
      phases(of: twice, along: Self.directions[0], from: 1, to: 8, until: 9.5).map(\.phase)
        == [.began, .cancelled, .began, .ended])
  }

  @Test("A sensor that falls silent within a shake cancels it; every beginning has one end, whatever it says")
  func silence() {
    var detector = ShakeDetector()
    func shake(from start: Double) -> [ShakePhase] {
      (0...25).compactMap { number in
        let time = start + Double(number) * 0.04
        return detector.add(Acceleration(x: 15 * sin(2 * .pi * 4 * time), y: 0, z: 9.81), at: time)
      }
    }
    #expect(shake(from: 0) == [.began])
    #expect(detector.interrupt() == .cancelled && detector.interrupt() == nil)
    #expect(shake(from: 10) == [.began])
    // The next sample comes late: what was before is over.
    #expect(detector.add(Acceleration(x: 0, y: 0, z: 9.81), at: 20) == .cancelled)
    var isShaken = false
    var generator = SystemRandomNumberGenerator()
    var time = 20.0
    for _ in 0..<20_000 {
      time += Bool.random(using: &generator) ? 0.04 : Double.random(in: 0...0.5, using: &generator)
      let range = -400.0...400
      let sample = Acceleration(
        x: Double.random(in: range, using: &generator), y: Double.random(in: range, using: &generator), z: 0)
      switch Int.random(in: 0..<40, using: &generator) == 0 ? detector.interrupt() : detector.add(sample, at: time) {
      case .began:
        #expect(!isShaken)
        isShaken = true
      case .ended, .cancelled:
        #expect(isShaken)
        isShaken = false
      case nil: break
      }
    }
  }

  // MARK: The kernel's files

  private func sensor(_ name: String, _ files: [String: String], in folder: TemporaryFolder) throws {
    mkdir(folder.file(name), 0o755)
    for (file, text) in files { try folder.write("\(name)/\(file)", text) }
  }

  private static let screen = [
    "in_accel_x_raw": "100\n", "in_accel_y_raw": "-200\n", "in_accel_z_raw": "1000\n", "in_accel_scale": "0.01\n",
    "label": "accel-display\n",
  ]

  @Test("The screen's accelerometer counts, with its scales and offsets")
  func accelerometers() throws {
    let folder = try TemporaryFolder()
    #expect(Accelerometer.main(in: folder.path) == nil && Accelerometer.main(in: folder.file("none")) == nil)
    // No accelerometers: a light sensor, one of two axes, one without a scale, and names that the kernel does not use.
    try sensor("iio:device0", ["in_illuminance_raw": "7", "in_accel_scale": "1"], in: folder)
    try sensor("iio:device1", ["in_accel_x_raw": "1", "in_accel_y_raw": "1", "in_accel_scale": "1"], in: folder)
    for (number, scale) in ["0", "-1", "nan", "inf", "1e9", "", "x"].enumerated() {
      try sensor("iio:device\(number + 20)", Self.screen.merging(["in_accel_scale": scale]) { $1 }, in: folder)
    }
    for name in ["iio:device", "iio:device-1", "iio:devicex", "iio:device99999", "trigger0", "device3"] {
      try sensor(name, Self.screen, in: folder)
    }
    #expect(Accelerometer.main(in: folder.path) == nil)
    try sensor("iio:device4", Self.screen.merging(["label": "accel-base\n"]) { $1 }, in: folder)
    #expect(Accelerometer.main(in: folder.path)?.acceleration == Acceleration(x: 1, y: -2, z: 10))
    var own = Self.screen.merging(["in_accel_y_scale": "0.1", "in_accel_offset": "50", "in_accel_x_offset": "-100"]) {
      $1
    }
    own["label"] = nil
    try sensor("iio:device5", own, in: folder)
    #expect(Accelerometer.main(in: folder.path)?.acceleration == Acceleration(x: 0, y: -15, z: 10.5))
    try sensor("iio:device12", Self.screen.merging(["in_accel_x_raw": "300"]) { $1 }, in: folder)
    let sensor = try #require(Accelerometer.main(in: folder.path))
    #expect(sensor.acceleration == Acceleration(x: 3, y: -2, z: 10))
    // What cannot be is no sample, nor is a sensor that has gone.
    for rubbish in ["", "x", "1e300", "nan", "-inf", "99999999"] {
      try folder.write("iio:device12/in_accel_y_raw", rubbish)
      #expect(sensor.acceleration == nil, "\(rubbish)")
    }
    try folder.write("iio:device12/in_accel_y_raw", "5")
    #expect(sensor.acceleration?.y == 0.05)
    unlink(folder.file("iio:device12/in_accel_z_raw"))
    #expect(sensor.acceleration == nil)
  }

  @Test("A sensor that goes or comes while it is looked for is there or not, and no more")
  func goingWhileLookedFor() async throws {
    let folder = try TemporaryFolder()
    try sensor("iio:device0", Self.screen, in: folder)
    final class End: Sendable { let hasCome = Mutex(false) }
    let end = End()
    let writer = Task.detached {
      while !end.hasCome.withLock({ $0 }) {
        for scale in ["", "0.01\n"] { _ = try? folder.write("iio:device0/in_accel_scale", scale) }
      }
    }
    for _ in 0..<1000 { _ = Accelerometer.main(in: folder.path) }
    end.hasCome.withLock { $0 = true }
    await writer.value
    try sensor("iio:device0", Self.screen, in: folder)
    #expect(Accelerometer.main(in: folder.path)?.acceleration == Acceleration(x: 1, y: -2, z: 10))
  }

  // MARK: The thread

  /// Lets happen what was put off until the next turn, and what is put off there.
  private func passTurns(_ host: TestHost) {
    var turns = 0
    _ = host.turn {
      turns += 1
      return turns > 3
    }
  }

  @Test("A source reads while shakes are followed, and leaves no thread and no descriptor; one shake is told as one")
  func source() throws {
    let folder = try TemporaryFolder()
    try sensor("iio:device0", Self.screen, in: folder)
    let host = TestHost()
    let source = SensorSource(folder: folder.path)
    source.start(host)
    host.passTime()
    #expect(host.watched.isEmpty)
    source.follow([.shake])
    #expect(host.turn { host.watched.count == 1 })
    // Held still; then shaken, by a thread that need not wait for other tests, until that is noticed, then held still.
    final class Shaking: Sendable { let phase = Mutex(0) }
    let shaking = Shaking()
    let isShaken = DetachedThread.run {
      var number = 0
      while shaking.phase.withLock({ $0 == 0 }) {
        number += 1
        _ = try? folder.write("iio:device0/in_accel_x_raw", number % 2 == 0 ? "2500\n" : "-2500\n")
        // As fast as two samples.
        usleep(80_000)
      }
      shaking.phase.withLock { $0 = 2 }
    }
    try #require(isShaken)
    #expect(host.turn { host.events.contains { $0 == .shake(.began) } })
    shaking.phase.withLock { $0 = 1 }
    try #require(host.turn { shaking.phase.withLock { $0 == 2 } })
    try folder.write("iio:device0/in_accel_x_raw", "0\n")
    try #require(host.turn { host.events.count > 1 })
    #expect(host.events.first == .shake(.began))
    #expect([.shake(.ended), .shake(.cancelled)].contains(host.events[1]))
    // Again, and not followed any more within it: nothing more is said, and nothing is left.
    let told = host.events.count
    source.follow([])
    #expect(host.turn { host.watched.isEmpty })
    try folder.write("iio:device0/in_accel_x_raw", "3000\n")
    for _ in 0..<20 { host.turn(milliseconds: 10) }
    #expect(host.events.count == told && host.messages.isEmpty)
    // Quick changes of mind leave one thread.
    for _ in 0..<50 {
      source.follow([.shake])
      passTurns(host)
      source.follow([])
      passTurns(host)
    }
    source.follow([.shake])
    #expect(host.turn { host.watched.count == 1 })
    source.stop()
    #expect(host.watched.isEmpty)
  }

  @Test("Without an accelerometer there is no thread, and one that comes later is found when the program looks again")
  func none() throws {
    let folder = try TemporaryFolder()
    let host = TestHost()
    let source = SensorSource(folder: folder.path)
    source.start(host)
    source.follow([.shake])
    #expect(host.turn { host.wakeUps > 0 && host.watched.isEmpty })
    try sensor("iio:device0", Self.screen, in: folder)
    source.follow([])
    passTurns(host)
    source.follow([.shake])
    #expect(host.turn { host.watched.count == 1 })
    source.stop()
    #expect(host.watched.isEmpty && host.events.isEmpty)
  }
}
