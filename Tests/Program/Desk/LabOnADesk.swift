import Glibc
import ProsceniumDesk
import ProsceniumDeskTrait
import Testing

// Begin: code of TestingOnARealDesk.md
@Suite("The lab on a desk", .desktop(.openbox), .serialized) struct LabOnADesk {
  @Test("A minimised window is in the background, and active again when it comes back")
  func minimised() async throws {
    let desk = try Desk.current
    let lab = try desk.start(Program.besideTests("SceneLab"))
    let scene = try await lab.waitForScene(toBe: .foregroundActive)
    let window = try #require(scene.window)
    try desk.minimize(window)
    try await lab.waitForScene(toBe: .background)
    desk.restore(window)
    try await lab.waitForScene(toBe: .foregroundActive)
  }

  @Test("Two windows side by side: one is active at a time", .desktop(.i3))
  func sideBySide() async throws {
    let desk = try Desk.current
    let lab = try desk.start(Program.besideTests("SceneLab"), ["--scenes", "2"])
    let scenes = try await desk.waitUntilSettled(lab) { $0.count == 2 && $0.allSatisfy(\.exists) }
    let first = try #require(scenes.first?.window)
    desk.focus(first)
    try await lab.waitForScene(0, toBe: .foregroundActive)
    try await lab.waitForScene(1, toBe: .foregroundInactive)
  }

  @Test("What was open comes back after the end of the session")
  func comesBack() async throws {
    let desk = try Desk.current
    let lab = try desk.start(Program.besideTests("SceneLab"))
    let scene = try await lab.waitForScene(toBe: .foregroundActive)
    lab.send(SIGTERM)
    #expect(try await lab.end() == .exited(0))
    let again = try desk.start(Program.besideTests("SceneLab"), home: lab.home)
    #expect(try await again.waitForScene(toBe: .foregroundActive).identifier == scene.identifier)
  }
}
// End: code of TestingOnARealDesk.md
