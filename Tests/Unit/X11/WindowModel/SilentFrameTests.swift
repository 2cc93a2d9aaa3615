import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// Frames whose events the server keeps from the program, as it does from an untrusted client (SECURITY extension).
@Suite("Frames that tell nothing")
struct SilentFrameTests {
  /// A window whose frame was mapped after it had been asked for.
  private static let late = "WM+Openbox C0 Create Show F [unviewable] Map"

  private func asks(_ signals: String, after history: String) -> Bool {
    var subject = Subject(Shorthand.entries(history))
    subject.windowEffects = []
    subject.take(signals)
    return subject.windowEffects.contains(.queryAncestors)
  }

  @Test("are asked again once the window has been seen, and count as they are found", arguments: ["V0", "V2", "E"])
  func seen(sign: String) {
    var subject = Subject(Shorthand.entries(Self.late))
    #expect(subject.levels.visibleCause == "frame-unmapped")
    subject.windowEffects = []
    subject.take(sign)
    // Anybody may send an Expose: only the answer counts.
    #expect(subject.windowEffects == [.queryAncestors] && subject.levels.visibleCause == "frame-unmapped")
    // One question at a time.
    subject.take(sign)
    #expect(subject.windowEffects == [.queryAncestors])
    subject.take("[viewable]")
    #expect(subject.levels.visible)
  }

  @Test("are not asked again where they tell: what has come before the sign is known")
  func telling() {
    let shown = Self.late + " fMap V0 E"
    #expect(!asks("V0 E FI(N/Nl) FO(N/Nl) S1 -H D0 Unmap Map", after: shown))
    #expect(!asks("fUnmap fMap V0 E", after: shown))
    // Nor without a frame, nor where the window is not mapped.
    #expect(!asks("V0 E", after: "WM+i3 C0 Create Show Map"))
    #expect(!asks("V0 E", after: "WM+Openbox C0 Create Show F [unviewable]"))
  }

  @Test(
    "are asked again at every sign that they may have changed", arguments: ["S3", "+H", "D1", "FI(N/Nl)", "FO(N/Nl)"])
  func hidden(sign: String) {
    let silent = Self.late + " V0 [viewable]"
    #expect(asks(sign, after: silent))
    // Also where the window has been framed anew.
    #expect(asks(sign, after: silent + " F [viewable]"))
    var subject = Subject(Shorthand.entries(silent + " FO(N/Nl) [unviewable]"))
    #expect(subject.levels.visibleCause == "frame-unmapped")
    subject.take("V1 [viewable]")
    #expect(subject.levels.visible)
    #expect(asks("Map", after: silent + " Unmap"))
  }

  @Test("are asked once more where the window was seen while they were asked for")
  func seenMeanwhile() {
    #expect(asks("[unviewable]", after: "WM+Openbox C0 Create Show F Map V0"))
    #expect(!asks("[viewable]", after: "WM+Openbox C0 Create Show F Map V0"))
    // Unmapped since, which a frame that tells says.
    #expect(!asks("[unviewable] [unviewable]", after: "WM+Openbox C0 Create Show F Map V0 [unviewable]"))
    // The answer under way may be older than the second sign.
    let silent = Self.late + " V0 [viewable]"
    #expect(asks("[viewable]", after: silent + " FO(N/Nl) S3"))
    #expect(!asks("[viewable]", after: silent + " FO(N/Nl)"))
  }

  @Test("The workspace is asked for where a window is on another one, which may be shown without a word")
  func workspace() {
    func asks(_ signals: String, under name: String) -> Bool {
      var subject = Subject(Shorthand.shown(name, framed: true))
      subject.windowEffects = []
      subject.take(signals)
      return subject.windowEffects.contains(.queryWorkspace)
    }
    #expect(asks("D1", under: "KWin") && asks("D1 FI(N/Nl)", under: "KWin"))
    #expect(!asks("D0 FI(N/Nl) V0 S1 FO(N/Nl)", under: "KWin") && !asks("D* FI(N/Nl)", under: "KWin"))
    // The window manager hides by itself what it leaves.
    #expect(!asks("D1 FI(N/Nl)", under: "Openbox") && !asks("D1 FI(N/Nl)", under: "i3"))
  }
}
