import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

@Suite("Interface orientations") struct InterfaceOrientationTests {
  private let wide = Size(width: 1920, height: 1080)
  private let tall = Size(width: 1080, height: 1920)

  @Test(
    "A screen's shape and rotation tell its orientation",
    arguments: [
      // What a monitor that is wider than high shows, and a tablet whose panel is higher than wide
      (Screen.Rotation.normal, false, InterfaceOrientation.landscapeRight), (.left, true, .portrait),
      (.inverted, false, .landscapeLeft), (.right, true, .portraitUpsideDown), (.normal, true, .portrait),
      (.left, false, .landscapeLeft), (.inverted, true, .portraitUpsideDown), (.right, false, .landscapeRight),
    ])
  func orientation(_ rotation: Screen.Rotation, isTall: Bool, expected: InterfaceOrientation) {
    #expect(InterfaceOrientation(of: isTall ? tall : wide, rotation: rotation) == expected)
    #expect(expected.isPortrait == isTall && expected.isLandscape != isTall)
  }

  @Test("The nearest supported one is itself, the other way up, or a quarter turn away, in every set there is")
  func nearest() {
    let all: [InterfaceOrientation] = [.portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight]
    for one in all {
      for set in 1...15 {
        let supported = InterfaceOrientationMask(rawValue: UInt(set))
        let nearest = one.nearest(of: supported)
        #expect(supported.contains(nearest.mask))
        if supported.contains(one.mask) { #expect(nearest == one) }
        let hasShape = all.contains { $0.isPortrait == one.isPortrait && supported.contains($0.mask) }
        #expect((nearest.isPortrait == one.isPortrait) == hasShape, "\(one) of \(supported)")
      }
      #expect(one.nearest(of: []) == one)
    }
    #expect(InterfaceOrientation.landscapeRight.nearest(of: .portrait) == .portrait)
    #expect(InterfaceOrientation.portrait.nearest(of: .landscape) == .landscapeLeft)
    #expect(InterfaceOrientation.unknown.nearest(of: .portrait) == .unknown)
  }
}
