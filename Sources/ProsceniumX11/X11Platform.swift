package import ProsceniumCore
@MainActor package final class X11Platform: Platform {
  package var client: (any PlatformClient)?
  package init() {}
  package func start(_ identity: ApplicationIdentity) throws(PlatformError) -> [ScreenDescription] { [] }
  package func makeWindowID() -> WindowID { WindowID(rawValue: 1) }
  package func perform(_ command: PlatformCommand) {}
  package func flush() {}
  package func run() -> Int32 { 0 }
  package var now: Double { 0 }
}
