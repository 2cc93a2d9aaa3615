import DeskSupport
import SuiteSupport
import Testing

@Suite("What tests cancel themselves for") struct KernelFeatureTests {
  private func cancel(_ isThere: Bool) throws {
    if isThere { try cancelTest("a try", lacking: .clock, isThere: isThere) }
  }

  @Test(
    "A cancelled test fails where nothing may be skipped and the machine has what it lacks",
    .enabled(if: mustNotSkip))
  func failure() { #expect(throws: DeskFailure.self) { try cancel(true) } }
}
