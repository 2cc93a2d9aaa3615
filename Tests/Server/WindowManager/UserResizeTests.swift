import DeskSupport
import Glibc
import ProsceniumCore
import SuiteSupport
import Synchronization
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// A window resized by hand, by window managers that wait for each size to be drawn (`_NET_WM_SYNC_REQUEST`).
  @MainActor @Suite("Resizing by hand") struct UserResizeTests {
    private static let drawn: UInt32 = 0x336699
    nonisolated private static let unpainted: UInt32 = 0xFF00FE

    /// Looks at a window again and again, on a thread of its own.
    private final class Watcher: Sendable {
      private let found = Mutex((pictures: 0, unpainted: 0))
      private let isOver = Mutex(false)

      func watch(_ window: UInt32, on client: XClient) {
        while !isOver.withLock({ $0 }) {
          guard let picture = client.snapshot(of: window) else { return }
          let isBad = picture.pixels.hasPixel(UserResizeTests.unpainted)
          found.withLock {
            $0.pictures += 1
            if isBad { $0.unpainted += 1 }
          }
          // The others want the server, too.
          usleep(500)
        }
      }

      var pictures: Int { found.withLock { $0.pictures } }

      func end() -> (pictures: Int, unpainted: Int) {
        isOver.withLock { $0 = true }
        return found.withLock { $0 }
      }
    }

    @Test(
      "A corner that is dragged through 200 sizes shows no unpainted pixel, and each request is answered",
      arguments: [WindowManager.openbox, .xfwm4])
    func drag(manager: WindowManager) async throws {
      try Requirement.windowManager(manager)
      // Given a window whose background must never be seen, and a client that looks at it all the time
      let desktop = try await PrivateDesktop(manager)
      let program = try XProgram(display: desktop.server.display) { window in
        window.backgroundColor = Color(rgb: Self.unpainted)
        window.setNeedsDisplay()
      }
      let client = desktop.desk.client
      let window = try #require(program.window)
      let id = try #require(window.id?.rawValue)
      func isDrawn() -> Bool { client.snapshot(of: id)?.pixels.isAllOf(Self.drawn) == true }
      try #require(program.run(until: isDrawn))
      try #require(program.run { program.platform.parts.context.windows[id]?.sync.counter ?? 0 != 0 })
      let counter = try #require(program.platform.parts.context.windows[id]?.sync.counter)
      let frame = try #require(client.ancestors(of: id).last)
      let outer = try #require(client.place(of: frame))
      let watcher = Watcher()
      let eye = try XClient(display: desktop.server.display)
      async let watching: Void = Task.detached { watcher.watch(id, on: eye) }.value
      // When the frame's corner is taken hold of, and dragged
      var (x, y) = (outer.x + outer.width - 2, outer.y + outer.height - 2)
      desktop.desk.movePointer(x: x, y: y)
      try desktop.desk.button(isDown: true)
      // What shows that a window manager has begun is only that the size follows.
      let first = window.frame.size
      for _ in 0..<4000 where window.frame.size == first {
        (x, y) = (x + 2, y + 2)
        desktop.desk.movePointer(x: x, y: y)
        program.run(milliseconds: 20)
      }
      try #require(window.frame.size != first)
      var sizes: Set<Size> = []
      // A busy window manager merges moves, so that it does not ask once for each.
      var lastRequest: UInt64 = 0
      func isWaiting() -> Bool {
        let request = program.platform.parts.context.windows[id]?.sync.requested
        lastRequest = max(lastRequest, request ?? 0)
        return request != nil
      }
      for step in 1...200 {
        (x, y) = (x + (step % 40 < 20 ? 11 : -9), y + (step % 60 < 30 ? 7 : -5))
        let (before, pictures) = (window.frame.size, watcher.pictures)
        desktop.desk.movePointer(x: x, y: y)
        // Then the size comes, and all of it is drawn, and has been looked at
        let isDone = program.run {
          _ = isWaiting()
          return window.frame.size != before && isDrawn() && watcher.pictures > pictures
        }
        guard isDone else {
          Issue.record("step \(step): \(before), now \(window.frame.size), drawn: \(isDrawn())")
          break
        }
        sizes.insert(window.frame.size)
      }
      try desktop.desk.button(isDown: false)
      let found = watcher.end()
      await watching
      #expect(found.unpainted == 0 && found.pictures > 100, "\(found)")
      // And each request was answered: the counter has the value of the last one
      #expect(sizes.count > 40, "\(sizes.count)")
      #expect(program.run { !isWaiting() })
      #expect(lastRequest > 0)
      #expect(program.run { client.counter(counter).map { UInt64($0) >= lastRequest } == true }, "\(lastRequest)")
    }

    @Test("A sync request whose size is the old one is answered, too")
    func sameSize() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let program = try XProgram(display: desktop.server.display)
      let client = desktop.desk.client
      let id = try #require(program.window?.id?.rawValue)
      try #require(program.run { program.platform.parts.context.windows[id]?.sync.counter ?? 0 != 0 })
      let counter = try #require(program.platform.parts.context.windows[id]?.sync.counter)
      let place = try #require(client.place(of: id))
      // A busy machine may take longer than the time in which nothing wakes the program: then there is another try.
      let values = Array<UInt32>(77...96)
      let answered = values.first { value in
        // Given a program that has come to rest
        program.run(milliseconds: 1000)
        // When a window manager asks for a resize to be drawn, and finds that the size stays (ICCCM 4.1.5)
        client.sendMessage(id, "WM_PROTOCOLS", [client.atom("_NET_WM_SYNC_REQUEST"), 0, value, 0])
        client.sendPlace(id, place)
        // Then it is answered, though nothing else happens
        var answer: UInt64?
        program.run(milliseconds: 500) { answer = client.counter(counter).map { UInt64($0) } }
        return answer == UInt64(value)
      }
      #expect(answered != nil)
    }
  }
}
