import FoundationEssentials
import Glibc
import ProsceniumCore
import ProsceniumLoop
import Testing

/// Time, frames, descriptors and the order of things.
extension PlatformContractTests {
  @Test(
    "Deadlines come in the order of their times, not before them, and not when cancelled or put off", arguments: kinds)
  func deadlines(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let start = ground.platform.now
    var times: [Int: Double] = [:]
    listener.onEvent = { if case .deadline(let id) = $0 { times[id.rawValue] = ground.platform.now - start } }
    for (id, milliseconds) in [(1, 90), (2, 30), (3, 60), (4, 45), (5, 20)] {
      ground.perform(.setDeadline(DeadlineID(rawValue: id), milliseconds: milliseconds))
    }
    ground.perform(.cancelDeadline(DeadlineID(rawValue: 4)))
    ground.perform(.setDeadline(DeadlineID(rawValue: 5), milliseconds: 120))
    #expect(listener.deadlines == [])
    #expect(ground.run { listener.deadlines.count == 4 })
    ground.pass(milliseconds: 50)
    #expect(listener.deadlines == [2, 3, 1, 5])
    for (id, milliseconds) in [(1, 90), (2, 30), (3, 60), (5, 120)] {
      #expect((times[id] ?? 0) >= Double(milliseconds) / 1000 - 1e-6, "\(id)")
    }
    #expect(listener.violations == [])
  }

  @Test("What is asked for in the middle of a batch is answered in a later one", arguments: kinds)
  func reentry(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let window = try #require(ground.makeActiveWindow())
    let request = listener.makeRequestID()
    var heard: [String] = []
    listener.onEvent = { event in
      switch event {
      case .deadline(DeadlineID(rawValue: 1)):
        heard.append("first begins")
        ground.perform(.setDeadline(DeadlineID(rawValue: 2), milliseconds: 0))
        ground.perform(.request(request, window, .maximize(true)))
        ground.perform(.requestFrame(window))
        heard.append("first ends")
      case .deadline(DeadlineID(rawValue: 2)): heard.append("second")
      case .outcome(request, _): heard.append("outcome")
      default: break
      }
    }
    ground.perform(.setDeadline(DeadlineID(rawValue: 1), milliseconds: 0))
    #expect(heard == [])
    #expect(ground.run { listener.outcomes[request] != nil && listener.deadlines.contains(2) })
    #expect(Array(heard.prefix(2)) == ["first begins", "first ends"] && heard.count == 4)
    #expect(listener.violations == [])
  }

  @Test(
    "A frame comes once for all that ask, soon, with a time to come; none without being asked for", arguments: kinds)
  func frames(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let window = try #require(ground.makeActiveWindow())
    var handed: [Duration] = []
    listener.onEvent = { if case .frame(window, _) = $0 { handed.append(.seconds(ground.platform.now)) } }
    ground.pass(milliseconds: 100)
    #expect(listener.frames(of: window).isEmpty)
    ground.perform(.requestFrame(window))
    ground.perform(.requestFrame(window))
    #expect(ground.run { !listener.frames(of: window).isEmpty })
    ground.pass(milliseconds: 100)
    #expect(listener.frames(of: window).count == 1)
    for count in 2...4 {
      _ = ground.platform.draw(window, damage: Damage()) { _, _ in }
      ground.perform(.requestFrame(window))
      #expect(ground.run { listener.frames(of: window).count == count })
    }
    let frames = listener.frames(of: window)
    for (earlier, later) in zip(frames, frames.dropFirst()) { #expect(earlier.timestamp <= later.timestamp) }
    // Soon, from when it is handed out: a process that got no processor before has missed some.
    for (frame, now) in zip(frames, handed) {
      #expect(frame.timestamp < frame.targetTimestamp && frame.targetTimestamp - now < .milliseconds(100))
    }
    #expect(listener.violations == [])
  }

  @Test("There are no frames for a window that is not shown, withdrawn or purged", arguments: kinds)
  func noFrames(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let hidden = ground.makeWindow { $0.position = Point(x: 500, y: 300) }
    ground.perform(.requestFrame(hidden))
    let window = try #require(ground.makeActiveWindow())
    for command: PlatformCommand in [.purgeSurface(window), .withdraw(window)] {
      ground.perform(.requestFrame(window))
      ground.perform(command)
      ground.pass(milliseconds: 150)
      #expect(listener.frames(of: window).isEmpty, "\(command)")
    }
    #expect(listener.frames(of: hidden).isEmpty)
    #expect(listener.violations == [])
  }

  @Test("The first drawing is all of the window, a later one its damage, and all again after a purge", arguments: kinds)
  func drawing(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let platform = ground.platform
    let part = Damage([Rect(x: 10, y: 20, width: 30, height: 40)])
    func drawn(_ window: WindowID) -> Damage? {
      var result: Damage?
      let isDrawn = platform.draw(window, damage: part) { buffer, parts in
        #expect(buffer.size == Size(width: 300, height: 200) && buffer.bytesPerRow >= 1200)
        result = parts
      }
      #expect(isDrawn == (result != nil))
      return result
    }
    let unseen = ground.makeWindow()
    #expect(drawn(unseen) == nil && platform.footprint(of: unseen) == 0)
    let window = try #require(ground.makeActiveWindow())
    #expect(ground.run { ground.listener.geometry[window]?.frame.size == Size(width: 300, height: 200) })
    let whole = Damage([Rect(x: 0, y: 0, width: 300, height: 200)])
    func next() -> Damage? {
      let count = ground.listener.frames(of: window).count
      ground.perform(.requestFrame(window))
      #expect(ground.run { ground.listener.frames(of: window).count > count })
      return drawn(window)
    }
    #expect(next() == whole)
    #expect(platform.footprint(of: window) >= 300 * 200 * 4)
    #expect(next() == part)
    ground.perform(.purgeSurface(window))
    #expect(platform.footprint(of: window) == 0)
    #expect(next() == whole)
    #expect(ground.listener.violations == [])
  }

  @Test("What was copied here is pasted here, later and not at once", arguments: kinds)
  func pasteboard(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let platform = ground.platform
    let picture = PasteboardItem(type: "image/png", data: Data([1, 2, 3]))
    platform.write([picture, PasteboardItem(text: "text")], to: .general)
    var answers: [String] = []
    platform.read([PasteboardItem.textType, "image/png"], from: .general) { answers.append($0?.type ?? "none") }
    platform.read(["image/gif"], from: .general) { answers.append($0?.type ?? "none") }
    platform.readTypes(of: .general) { answers += $0 }
    #expect(answers == [])
    #expect(ground.run { answers.count == 4 })
    #expect(answers == [PasteboardItem.textType, "none", "image/png", PasteboardItem.textType])
    #expect(ground.listener.violations == [])
  }

  @Test(
    "A descriptor is listened to until it is no longer watched, and never in the middle of a batch", arguments: kinds)
  func sources(kind: GroundKind) async throws {
    let ground = try await kind.make()
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    var calls = 0
    let watched = Watched()
    let reader = ends[0]
    watched.id = ground.platform.watch(
      LoopSource(descriptor: reader, interest: .readable) { isGone in
        #expect(!isGone)
        var byte: UInt8 = 0
        _ = read(reader, &byte, 1)
        calls += 1
        if calls == 2, let id = watched.id { ground.platform.unwatch(id) }
      })
    ground.pass(milliseconds: 20)
    #expect(calls == 0)
    for count in 1...2 {
      _ = write(ends[1], "x", 1)
      #expect(ground.run { calls == count })
    }
    _ = write(ends[1], "x", 1)
    ground.pass(milliseconds: 50)
    #expect(calls == 2)
    #expect(ground.listener.violations == [])
  }

  @Test("While the program is suspended no deadline and no frame comes, but what happens does", arguments: kinds)
  func suspension(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    let window = try #require(ground.makeActiveWindow())
    ground.perform(.setDeadline(DeadlineID(rawValue: 1), milliseconds: 40))
    ground.perform(.suspend)
    ground.pass(milliseconds: 120)
    #expect(listener.deadlines == [])
    ground.askToClose(window)
    #expect(ground.run { listener.count(.closeRequested(window)) == 1 })
    #expect(listener.deadlines == [])
    ground.perform(.resume)
    #expect(ground.run { listener.deadlines == [1] })
    #expect(listener.violations == [])
  }

  @Test("Idle work is done when there is nothing else to do, before the loop sleeps", arguments: kinds)
  func idleWork(kind: GroundKind) async throws {
    let ground = try await kind.make()
    let listener = ground.listener
    var order: [String] = []
    listener.onEvent = { if case .deadline(let id) = $0 { order.append("\(id.rawValue)") } }
    listener.idleWork = { order.append("idle") }
    ground.perform(.setDeadline(DeadlineID(rawValue: 1), milliseconds: 2000))
    #expect(ground.run { order.count == 2 })
    #expect(order == ["idle", "1"])
    #expect(listener.violations == [])
  }
}

/// A descriptor's place in the loop, which its own handler has to know.
@MainActor private final class Watched {
  var id: LoopSourceID?
}
