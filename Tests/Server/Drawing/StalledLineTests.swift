import DeskSupport
import Glibc
import ProsceniumCore
import Synchronization
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// A display that takes nothing any more while a frame is on its way to it.
  @MainActor @Suite("A line that stands still") struct StalledLineTests {
    @Test("A signal that asks the process to end is heard all the same, and the display is lost")
    func signal() async {
      // Signals are the whole process's matter.
      await #expect(processExitsWith: .success) { try await StalledLineTests().endWhileDrawing() }
    }

    private func endWhileDrawing() throws {
      let server = try #require(TestServer())
      let size = Size(width: 1100, height: 850)
      let easel = try Easel(
        display: server.display, without: { ($0.sharesMemory, $0.presents) = (false, false) },
        describe: { $0.size = size })
      let stage = easel.stage
      stage.platform.loop.catchTerminationSignals(cutting: stage.platform.parts.server.connection.fileDescriptor)
      #expect(easel.frame() && easel.surface == nil)
      // Given a server that has stopped; it goes on at last, so that a test that fails does not stay here
      let isOver = Mutex(false)
      let process = server.process.pid
      Glibc.kill(process, SIGSTOP)
      let rescue = DetachedThread.run {
        for _ in 0..<600 where !isOver.withLock({ $0 }) { usleep(100_000) }
        Glibc.kill(process, SIGCONT)
      }
      defer { isOver.withLock { $0 = true } }
      // When the signal comes, to the process as the thread of a test blocks it, and a frame too large for the socket
      Glibc.kill(getpid(), SIGTERM)
      try #require(rescue && easel.fillNow(Rect(x: 0, y: 0, width: size.width, height: size.height), 0x112233))
      // Then the signal is heard, and the loss of the display
      let losses: () -> [String] = {
        stage.events.compactMap { if case .connectionLost(let why) = $0 { why } else { nil } }
      }
      try #require(stage.run { !losses().isEmpty || isOver.withLock { $0 } })
      try #require(stage.events.contains(.signal(SIGTERM)))
      try #require(losses().count == 1 && losses()[0].contains("took nothing for three seconds"))
    }
  }
}
