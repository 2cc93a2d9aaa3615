import DeskSupport
import Glibc
import ProsceniumCore
import TestSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// The same on each way from memory to the screen.
  @MainActor @Suite("Surfaces") struct SurfaceTests {
    enum Way: String, CaseIterable, Codable {
      case present, sharedMemory, request

      var options: [String] { self == .request ? ["-extension", "MIT-SHM"] : [] }
      var method: SurfaceMethod {
        switch self {
        case .present: .present
        case .sharedMemory: .sharedMemory
        case .request: .request
        }
      }
      func limit(_ support: inout SurfaceSupport) { if self == .sharedMemory { support.presents = false } }
    }

    func easel(_ way: Way, _ server: TestServer) throws -> Easel {
      try Easel(display: server.display, without: way.limit)
    }

    @Test("what is drawn is on the screen, and damage changes nothing else", arguments: Way.allCases)
    func pixels(way: Way) throws {
      let server = try #require(TestServer(way.options))
      let easel = try easel(way, server)
      #expect(easel.fill(Rect(x: 0, y: 0, width: 300, height: 200), 0x102030))
      #expect(easel.showsExpected())
      #expect(easel.surface?.method == way.method)
      #expect(easel.showsExpected())
      #expect(easel.fill(Rect(x: 10, y: 20, width: 30, height: 40), 0xFF0000))
      #expect(easel.asked.rects == [Rect(x: 10, y: 20, width: 30, height: 40)])
      #expect(easel.showsExpected())
      // Partly and wholly outside.
      #expect(easel.fill(Rect(x: -10, y: 190, width: 20, height: 40), 0x00FF00))
      #expect(easel.fill(Rect(x: 500, y: 0, width: 20, height: 40), 0x0000FF))
      #expect(easel.showsExpected())
      #expect(easel.stage.errors == [])
    }

    @Test("500 random damages leave the picture that drawing them in order gives", arguments: Way.allCases)
    func randomDamage(way: Way) throws {
      let server = try #require(TestServer(way.options))
      let easel = try easel(way, server)
      var random = SeededNumbers(testSeed())
      #expect(easel.fill(Rect(x: 0, y: 0, width: 300, height: 200), 0))
      for round in 0..<500 {
        let parts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
          (
            Rect(
              x: .random(in: -20...300, using: &random), y: .random(in: -20...200, using: &random),
              width: .random(in: 1...120, using: &random), height: .random(in: 1...90, using: &random)),
            UInt32.random(in: 0...0xFF_FFFF, using: &random)
          )
        }
        guard easel.draw(parts) else {
          Issue.record("round \(round) was not drawn")
          return
        }
        if round % 50 == 49 { #expect(easel.showsExpected(), "round \(round)") }
      }
      #expect(easel.stage.errors == [])
    }

    @Test("what another window covered is repaired without the client", arguments: Way.allCases)
    func exposures(way: Way) throws {
      let server = try #require(TestServer(way.options))
      let easel = try easel(way, server)
      #expect(easel.fill(Rect(x: 0, y: 0, width: 300, height: 200), 0x445566))
      #expect(easel.fill(Rect(x: 50, y: 50, width: 100, height: 50), 0xABCDEF))
      #expect(easel.showsExpected())
      let exposures = easel.stage.exposures
      for _ in 0..<20 {
        let cover = easel.witness.makeWindow(x: 40, y: 40, width: 120, height: 90, overrideRedirect: true)
        easel.witness.destroy(cover)
        easel.witness.sync()
        #expect(easel.stage.runLooking { easel.seen == easel.expected })
      }
      #expect(easel.stage.exposures == exposures)
      #expect(easel.stage.errors == [])
    }

    @Test("frames one after the other share one buffer, and a part that changes again needs no word about it")
    func oneBuffer() throws {
      let server = try #require(TestServer([]))
      let easel = try easel(.present, server)
      #expect(easel.fill(Rect(x: 0, y: 0, width: 300, height: 200), 0x445566))
      #expect(easel.showsExpected())
      let square = Rect(x: 50, y: 50, width: 100, height: 50)
      var requests: [Int] = []
      for (round, part) in [square, square, square, easel.whole, square].enumerated() {
        #expect(easel.frame())
        let before = easel.stage.platform.parts.server.connection.lastRequest
        #expect(easel.fillNow(part, UInt32(round)))
        requests.append(easel.stage.platform.parts.server.connection.lastRequest - before)
        #expect(easel.showsExpected(), "round \(round)")
      }
      // The round trip of what was shown before, the region and the pixmap; then no region.
      #expect(requests == [3, 2, 2, 2, 2])
      #expect(easel.surface?.buffers.count == 1)
      #expect(easel.stage.errors == [])
    }

    @Test("what is drawn while something lost is on its way back goes into another buffer")
    func drawingDuringRepair() throws {
      let server = try #require(TestServer([]))
      let easel = try easel(.present, server)
      #expect(easel.fill(Rect(x: 0, y: 0, width: 300, height: 200), 0x445566))
      #expect(easel.showsExpected())
      let platform = easel.stage.platform
      let window = try #require(platform.parts.context.windows[easel.window.rawValue])
      // The server has not been asked for anything yet when the next frame is drawn.
      #expect(easel.frame())
      #expect(platform.parts.drawing.surfaces.canRepair(window, easel.whole))
      platform.parts.drawing.surfaces.repair()
      let front = try #require(easel.surface?.front)
      #expect(front.uses == 1)
      #expect(easel.fillNow(Rect(x: 50, y: 50, width: 100, height: 50), 0xABCDEF))
      #expect(easel.surface?.buffers.count == 2 && easel.surface?.front !== front)
      #expect(easel.showsExpected())
      #expect(easel.stage.run { front.uses == 0 })
      #expect(easel.fill(Rect(x: 70, y: 70, width: 10, height: 10), 0x00FF00))
      #expect(easel.showsExpected())
      #expect(easel.stage.errors == [])
    }

    @Test("what cannot be drawn while something lost is on its way back gets another frame")
    func refusedDuringRepair() throws {
      let server = try #require(TestServer(Way.sharedMemory.options))
      let easel = try easel(.sharedMemory, server)
      #expect(easel.fill(Rect(x: 0, y: 0, width: 300, height: 200), 0x445566))
      #expect(easel.showsExpected())
      let stage = easel.stage
      let front = try #require(easel.surface?.front)
      // Given a frame, and an exposure before it is drawn
      #expect(easel.frame())
      let cover = easel.witness.makeWindow(x: 40, y: 40, width: 120, height: 90, overrideRedirect: true)
      easel.witness.destroy(cover)
      try #require(stage.run { front.uses == 1 })
      // When the only buffer is on its way
      let frames = easel.frames.count
      #expect(!easel.fillNow(Rect(x: 200, y: 100, width: 50, height: 50), 0xABCDEF))
      // Then nobody has to ask again
      #expect(stage.run { easel.frames.count > frames })
      #expect(easel.fillNow(Rect(x: 200, y: 100, width: 50, height: 50), 0xABCDEF))
      #expect(easel.showsExpected() && stage.errors == [])
    }

    @Test("a new size is drawn as a whole; giving the surface back leaves the background", arguments: Way.allCases)
    func resizing(way: Way) throws {
      let server = try #require(TestServer(way.options))
      let easel = try easel(way, server)
      #expect(easel.fill(Rect(x: 0, y: 0, width: 300, height: 200), 0x112233))
      var stores: [SurfaceStore] = []
      for step in 1...50 {
        let rect = Rect(x: 20, y: 20, width: 300 + (step % 7) * 13, height: 200 + (step % 5) * 11)
        easel.stage.perform(.request(RequestID(rawValue: step), easel.window, .geometry(rect)))
        #expect(easel.stage.run { easel.stage.geometry[easel.window]?.frame == rect })
        #expect(easel.fill(Rect(x: 0, y: 0, width: rect.size.width, height: rect.size.height), UInt32(step)))
        #expect(easel.asked.rects == [easel.whole])
        #expect(easel.showsExpected(), "step \(step)")
        let front = try #require(easel.surface?.front)
        if !stores.contains(where: { $0 === front.store }) { stores.append(front.store) }
        #expect(front.store.suits(rect.size.width * rect.size.height * 4))
      }
      // A size after the other has the memory of the one before; the first was too small.
      #expect(stores.count <= 3)
      easel.stage.perform(.purgeSurface(easel.window))
      #expect(easel.surface == nil)
      // The server may give a number away again that names nothing.
      #expect(easel.drawing?.presentEvents == 0)
      easel.stage.synchronise()
      let exposures = easel.stage.exposures
      let cover = easel.witness.makeWindow(x: 40, y: 40, width: 20, height: 20, overrideRedirect: true)
      easel.witness.destroy(cover)
      #expect(easel.stage.run { easel.stage.exposures > exposures })
      #expect(easel.seen[30 * easel.size.width + 30] == 0xFFFFFF)
      #expect(easel.stage.errors == [])
    }

    @Test("when memory is short one buffer is left, which is shown and drawn upon as before", arguments: Way.allCases)
    func spareBuffers(way: Way) throws {
      let server = try #require(TestServer(way.options))
      let easel = try easel(way, server)
      let bytes = 300 * 200 * 4
      for round in 0..<3 {
        for color: UInt32 in [0x112233, 0x223344, 0x334455] {
          #expect(easel.fill(Rect(x: 0, y: 0, width: 300, height: 200), color))
          #expect(easel.fill(Rect(x: round, y: 50, width: 100, height: 50), 0xABCDEF))
        }
        #expect(easel.showsExpected())
        easel.stage.perform(.purgeSpareBuffers(easel.window))
        easel.stage.synchronise()
        // One that is on its way to the screen is no spare one.
        let busy = easel.surface?.buffers.count { $0 !== easel.surface?.front && $0.uses > 0 } ?? 0
        #expect(easel.stage.platform.footprint(of: easel.window) == bytes * (1 + busy))
        if way == .present {
          #expect(try easel.witness.pixmapBytes(ofClientWith: easel.window.rawValue) == bytes * (1 + busy))
        }
        #expect(easel.showsExpected())
        #expect(easel.fill(Rect(x: 10, y: 20, width: 30, height: 40), 0xFF0000))
        #expect(easel.showsExpected())
      }
      #expect(easel.stage.errors == [])
    }

    @Test("1,000 rounds of drawing and giving back leave nothing on either side", arguments: Way.allCases)
    func rounds(way: Way) async {
      // Other tests use memory of this process.
      await #expect(processExitsWith: .success) { [way = way as Way] in
        try await SurfaceTests().measureRounds(way)
      }
    }

    private func measureRounds(_ way: Way) throws {
      let server = try #require(TestServer(way.options))
      let easel = try easel(way, server)
      func round() {
        #expect(easel.fillNow(Rect(x: 0, y: 0, width: 300, height: 200), 0x778899))
        #expect(easel.fillNow(Rect(x: 5, y: 5, width: 30, height: 20), 0x998877) || way == .sharedMemory)
        easel.stage.perform(.purgeSurface(easel.window))
        easel.stage.synchronise()
      }
      func resources() throws -> [String: Int] {
        easel.stage.perform(.purgeSurface(easel.window))
        easel.stage.synchronise()
        return try easel.witness.resources(ofClientWith: easel.window.rawValue)
      }
      for _ in 0..<20 { round() }
      #expect(easel.frame())
      let before = try resources()
      let memory = residentPages()
      for index in 0..<1000 {
        round()
        if index % 100 == 99 { #expect(easel.frame()) }
      }
      #expect(easel.frame())
      // The server may answer the witness before it has read what was flushed.
      var after = try resources()
      for _ in 0..<4000 where after != before {
        usleep(10_000)
        after = try resources()
      }
      #expect(after == before)
      #expect(residentPages() - memory < 1024, "\(residentPages() - memory) pages more")
      #expect(easel.stage.errors == [])
    }

    @Test("frames come at about the screen's rate, and stop when none is asked for", arguments: Way.allCases)
    func clock(way: Way) throws {
      let server = try #require(TestServer(way.options))
      let easel = try easel(way, server)
      for isDrawing in [true, false] {
        let start = easel.stage.platform.now
        let first = easel.frames.count
        var color: UInt32 = 0
        while easel.stage.platform.now - start < 1 || easel.frames.count < first + 2, easel.frame() {
          color += 1
          if isDrawing { #expect(easel.fillNow(Rect(x: 0, y: 0, width: 300, height: 200), color)) }
        }
        let count = easel.frames.count - first
        // A busy machine shows fewer; more than the screen's rate is never right.
        let length = easel.stage.platform.now - start
        #expect(count >= 2 && Double(count) <= 66 * length, "\(count) frames in \(length) s, drawing: \(isDrawing)")
        let times = easel.frames.dropFirst(first)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp })
        #expect(times.allSatisfy { $0.targetTimestamp > $0.timestamp })
      }
      // What was asked for does not come after the surface is given back.
      easel.stage.perform(.requestFrame(easel.window))
      easel.stage.perform(.purgeSurface(easel.window))
      let count = easel.frames.count
      let late = DeadlineID(rawValue: 77)
      easel.stage.perform(.setDeadline(late, milliseconds: 300))
      #expect(easel.stage.run { easel.stage.events.contains(.deadline(late)) })
      #expect(easel.frames.count == count)
      #expect(easel.frame())
    }
  }
}

extension Recording {
  var exposures: Int { events.count { if case .exposed = $0 { true } else { false } } }
}

/// How many pages of this process are in memory.
func residentPages() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  guard fgets(&line, 128, file) != nil else { return 0 }
  let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
}
