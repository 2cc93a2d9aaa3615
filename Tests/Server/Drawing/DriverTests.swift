import CXCB
import DeskSupport
import Glibc
import ProsceniumCore
import Synchronization
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// A window into which a driver draws, on the platform's connection.
  @MainActor @Suite("Drivers") struct DriverTests {
    @Test("Frames come with the screen where a driver presents its own, with the numbers from 1 on")
    func presenting() throws {
      let server = try #require(TestServer([]))
      let easel = try Easel(display: server.display)
      let parts = easel.stage.platform.parts
      let (connection, window) = (parts.server.connection, easel.window.rawValue)
      let depth = try #require(easel.stage.platform.handle(for: easel.window)?.depth)
      let pixmap = connection.makeID()
      connection.sent(xcb_create_pixmap(connection.raw, depth, pixmap, window, 300, 200), "CreatePixmap", window)
      let start = MonotonicClock.seconds
      for serial in 1...40 {
        try #require(easel.frame())
        parts.server.extensions.send(
          .presentPixmap(pixmap, on: window, serial: UInt32(serial), update: 0, isImmediate: true))
      }
      // Of the server's 60 a second; a slow machine takes longer.
      #expect(MonotonicClock.seconds - start > 0.5)
      #expect(easel.stage.errors == [])
    }

    @Test("Who hears of no frames any more is not woken by those that a driver shows, and hears of the next")
    func presentingOnItsOwn() throws {
      let server = try #require(TestServer([]))
      let easel = try Easel(display: server.display)
      let parts = easel.stage.platform.parts
      let (connection, id) = (parts.server.connection, easel.window.rawValue)
      let window = try #require(parts.context.windows[id])
      let depth = try #require(easel.stage.platform.handle(for: easel.window)?.depth)
      let pixmap = connection.makeID()
      connection.sent(xcb_create_pixmap(connection.raw, depth, pixmap, id, 300, 200), "CreatePixmap", id)
      for _ in 0..<3 { try #require(easel.frame()) }
      try #require(window.drawing.presentEvents != 0)
      // Given that the last frame is long ago
      window.drawing.clock = FrameClock()
      parts.server.extensions.send(.presentPixmap(pixmap, on: id, serial: 1, update: 0, isImmediate: true))
      #expect(easel.stage.run { window.drawing.presentEvents == 0 })
      for _ in 0..<3 { #expect(easel.frame()) }
      #expect(window.drawing.presentEvents != 0)
      #expect(easel.stage.errors == [])
    }

    /// What drivers for Vulkan do for each swapchain: a thread that waits for its events reads those of all.
    @Test("What a driver's thread has read from the connection is delivered, whatever else comes")
    func reading() throws {
      let server = try #require(TestServer([]))
      let easel = try Easel(display: server.display)
      let stage = easel.stage
      let driver = try #require(DriverThread(stage, easel.window))
      defer { #expect(driver.end(stage)) }
      // Frames, whose moments the server tells
      for round in 0..<100 { try #require(easel.frame(), "frame \(round)") }
      // What the window manager asks for
      let requests = { stage.events.count { $0 == .closeRequested(easel.window) } }
      let delete = easel.witness.atom("WM_DELETE_WINDOW")
      for round in 1...200 {
        easel.witness.sendMessage(easel.window.rawValue, "WM_PROTOCOLS", [delete, 0])
        easel.witness.sync()
        try #require(stage.run { requests() == round }, "request \(round)")
      }
      // Answers to questions
      for round in 0..<200 {
        var isAnswered = false
        stage.platform.parts.server.connection.whenDone { isAnswered = true }
        stage.platform.flush()
        try #require(stage.run { isAnswered }, "answer \(round)")
      }
      #expect(stage.errors == [])
    }
  }
}

/// A thread that waits for Present's events of a window in libxcb, as drivers have one.
@MainActor private final class DriverThread {
  /// libxcb keeps its address.
  private nonisolated(unsafe) static let present = {
    let record = UnsafeMutablePointer<xcb_extension_t>.allocate(capacity: 1)
    record.initialize(to: xcb_extension_t(name: UnsafePointer(strdup("Present")), global_id: 0))
    return record
  }()

  private final class State: Sendable {
    let isOver = Mutex(false)
    let hasEnded = Mutex(false)
  }

  private let state = State()
  private let window: UInt32

  init?(_ stage: Recording, _ window: WindowID) {
    guard let handle = stage.platform.handle(for: window) else { return nil }
    self.window = handle.window
    nonisolated(unsafe) let connection = handle.connection
    let selection = xcb_generate_id(connection)
    guard let events = xcb_register_for_special_xge(connection, Self.present, selection, nil) else { return nil }
    nonisolated(unsafe) let queue = events
    stage.platform.parts.server.extensions.send(
      .presentSelectInput(selection, window: handle.window, PRESENT_COMPLETE_NOTIFY))
    let state = state
    let isRunning = DetachedThread.run {
      while !state.isOver.withLock({ $0 }), let event = xcb_wait_for_special_event(connection, queue) { free(event) }
      state.hasEnded.withLock { $0 = true }
    }
    guard isRunning else { return nil }
  }

  /// Ends the thread, with an event that it waits for; whether it has ended.
  func end(_ stage: Recording) -> Bool {
    state.isOver.withLock { $0 = true }
    stage.platform.parts.server.extensions.send(.presentNotifyMSC(window: window, serial: 1))
    stage.platform.flush()
    let state = state
    return stage.runLooking { state.hasEnded.withLock { $0 } }
  }
}
