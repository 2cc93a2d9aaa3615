import SceneLifecycle
import Testing

/// A program to tell short stories about: what happens goes in, what its delegates hear comes out.
///
/// Every promise that ``World`` checks is checked on the way.
final class Program {
  private(set) var world: World

  /// A program before its launch.
  init(unlaunched world: World) { self.world = world }

  /// A launched program: all scenes are visible, and the first one has the focus.
  init(scenes: Int, policies: [ActivationPolicy] = [.whenFocused]) {
    world = World(scenes: scenes, policies: policies)
    play(.launch(foreground: true), .connect(0))
    play(.show(0), .focus(0), .checkLaunch)
    for scene in 1..<max(1, scenes) { play(.connect(scene), .show(scene)) }
    world.heard = []
  }

  /// What happens at one moment: one batch.
  func play(_ events: WorldEvent..., at location: SourceLocation = #_sourceLocation) {
    world.batch(events)
    if let failure = world.failure { Issue.record("\(failure)", sourceLocation: location) }
  }

  /// Lets time pass.
  func wait(_ time: Int, at location: SourceLocation = #_sourceLocation) { play(.wait(time), at: location) }

  /// What has been heard since it was last asked.
  func heard() -> [String] {
    defer { world.heard = [] }
    return world.heard
  }

  func state(_ scene: Int) -> ActivationState { world.scenes[scene].activation }
  func reason(_ scene: Int) -> InactiveReason? { world.machine(scene).inactiveReason }
  var application: ApplicationState { world.applicationState }
  var deadlines: [Int] { world.deadlines.map { $0 - world.now }.sorted() }
}
