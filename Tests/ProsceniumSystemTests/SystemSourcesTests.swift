import Testing

@testable import ProsceniumSystem

@Suite("What the kernel tells") @MainActor struct SystemSourcesTests {
}
