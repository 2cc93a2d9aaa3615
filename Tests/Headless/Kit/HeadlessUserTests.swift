import FoundationEssentials
import ProsceniumCore
import ProsceniumPlatform
import ProsceniumTesting
import Testing

/// What the user and other programs do on a desk in memory beside the program's own windows.
@MainActor @Suite("The user of a desk in memory", .serialized) struct HeadlessUserTests {
  @Test("A drag ends with the process that drags, and one of another program goes on")
  func drags() throws {
    let (program, window) = try KitProgram.launched()
    let offer = DragOffer(types: ["text/plain"]) { _, done in done(Data("a".utf8)) }
    program.platform.beginDrag(offer, from: try #require(window.id))
    #expect(program.platform.drags.isDragging)
    program.kill()
    #expect(!program.platform.drags.isDragging && program.platform.drags.offer == nil)
    program.relaunch()
    #expect(!program.platform.drags.isDragging)
    program.platform.beginForeignDrag([PasteboardItem(text: "b")], allowsMove: false)
    program.relaunch()
    #expect(program.platform.drags.isDragging)
    program.platform.cancelDrag()
    #expect(!program.platform.drags.isDragging)
  }

  @Test("The appearance that the user chooses comes to the scenes, and what another program copies can be pasted")
  func choices() async throws {
    let (program, window) = try KitProgram.launched()
    let scene = try #require(window.windowScene)
    program.desk.chooseAppearance(style: .dark, prefersHighContrast: true)
    program.advance(by: .seconds(1))
    #expect(scene.traitCollection.userInterfaceStyle == .dark && scene.traitCollection.prefersHighContrast)
    program.desk.chooseAppearance()
    program.advance(by: .seconds(1))
    #expect(scene.traitCollection.userInterfaceStyle == .light && !scene.traitCollection.prefersHighContrast)
    program.desk.copy([PasteboardItem(text: "copied")])
    program.desk.copy([PasteboardItem(text: "selected")], isSelection: true)
    #expect(await Pasteboard.general.string() == "copied")
    // Other tests have driven their programs meanwhile.
    program.advance(by: .milliseconds(1))
    #expect(await Pasteboard.primary.string() == "selected")
  }
}
