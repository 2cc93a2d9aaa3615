import FoundationEssentials
import Proscenium

@MainActor private final class Document {
  func save() async {}
}

#if !WITHOUT_Execution
  // Begin: code of InTheBackground.md
  @MainActor final class Player {
    private var playing: ExecutionToken?

    func play() { playing = Application.shared.beginExecution(.audio, reason: "playing") }
    func pause() { playing = nil }
  }
// End: code of InTheBackground.md
#endif

@MainActor private enum Background {
  static func finish(_ document: Document) async {
    // Begin: code of InTheBackground.md
    await Application.shared.withBackgroundTask("saving") { await document.save() }
    // End: code of InTheBackground.md
  }

  // On one line, as the article has it.
  // swift-format-ignore
  static func stop(_ scene: Scene, _ link: FrameLink) {
    // Begin: code of InTheBackground.md
    scene.whileActive { link.isPaused = false } stop: { link.isPaused = true }
    // End: code of InTheBackground.md
  }
}
