import Testing

@Suite("The code of the articles") struct ArticleCodeTests {
  private static let conduct =
    ["ConductWhenInterrupted.md", "ConductGoingToTheBackground.md", "ConductEnding.md"]
    + ofOpenRequests.conduct + ofSuspensionAndMemory

  /// Those whose code is whole files, to be copied as it is.
  private static let wholes = ["TestingOnARealDesk.md"] + ofOpenRequests.wholes

  /// Those whose code is parts of programs.
  private static let parts =
    [
      "AdoptingWindows.md", "Animation.md", "CheckingATrace.md", "DrawingByOwnMeans.md", "Forms.md", "Lists.md",
      "Presentation.md", "Proscenium.md", "ScreenReaders.md", "TheManifest.md", "ViewsEventsAndDrawing.md",
    ]
    + ofOpenRequests.parts + ofFiles + ofDocuments + ofRemoteControl + ofUserNotifications + ofPush + ofHandoff
    + ofInterfaceFiles + ofDragAndDrop

  // Articles about features that can be deleted.
  #if WITHOUT_OpenRequests
    private static let ofOpenRequests = (conduct: [String](), wholes: [String](), parts: [String]())
  #else
    private static let ofOpenRequests = (
      conduct: ["ConductAtLaunch.md"], wholes: ["TestingYourScenes.md"], parts: ["OpeningURLs.md"]
    )
  #endif
  #if WITHOUT_FirstLaunch || WITHOUT_Directories
    private static let ofFiles: [String] = []
  #else
    private static let ofFiles = ["FilesOfTheProgram.md"]
  #endif
  #if WITHOUT_Documents
    private static let ofDocuments: [String] = []
  #else
    private static let ofDocuments = ofGettingStarted + ofOpeningDocuments
  #endif
  #if WITHOUT_OpenRequests || WITHOUT_Directories || WITHOUT_ProtectedFiles
    private static let ofOpeningDocuments: [String] = []
  #else
    private static let ofOpeningDocuments = ["Documents.md"]
  #endif
  #if WITHOUT_Directories
    private static let ofGettingStarted: [String] = []
  #else
    private static let ofGettingStarted = ["GettingStarted.md"]
  #endif
  #if WITHOUT_UserNotifications
    private static let ofUserNotifications: [String] = []
  #else
    private static let ofUserNotifications = ["Notices.md"]
  #endif
  #if WITHOUT_RemoteNotifications
    private static let ofPush: [String] = []
  #else
    private static let ofPush = ["PushedMessages.md"]
  #endif
  #if WITHOUT_Handoff || WITHOUT_OpenRequests
    private static let ofHandoff: [String] = []
  #else
    private static let ofHandoff = ["ContinuingElsewhere.md"]
  #endif
  #if WITHOUT_InterfaceFiles
    private static let ofInterfaceFiles: [String] = []
  #else
    private static let ofInterfaceFiles = ["InterfaceFiles.md"]
  #endif
  #if WITHOUT_DragAndDrop
    private static let ofDragAndDrop: [String] = []
  #else
    private static let ofDragAndDrop = ["DragAndDrop.md"]
  #endif
  #if WITHOUT_RemoteControl
    private static let ofRemoteControl: [String] = []
  #else
    private static let ofRemoteControl = ["PlayingMedia.md"]
  #endif
  #if WITHOUT_Suspension || WITHOUT_Memory
    private static let ofSuspensionAndMemory: [String] = []
  #else
    private static let ofSuspensionAndMemory = ["ConductComingBack.md"]
  #endif

  private static func text(of name: String) throws -> String {
    try ArticleCode.read((name == "README.md" ? "" : ArticleCode.articles) + name)
  }

  @Test("Each stage has its article, and each article of conduct one piece of code")
  func stages() throws {
    let names = try ArticleCode.names(in: ArticleCode.articles, ending: ".md").filter { $0.hasPrefix("Conduct") }
    #expect(Set(names) == Set(Self.conduct))
    for name in names {
      let blocks = ArticleCode.blocks(of: try ArticleCode.read(ArticleCode.articles + name))
      #expect(blocks.count == 1 && (10...30).contains(blocks.first?.count ?? 0), "\(name)")
    }
  }

  @Test("Every block of Swift in them is the text of a test", arguments: conduct + wholes + parts + ["README.md"])
  func isTested(_ name: String) throws {
    let pieces = try ArticleCode.tested()[name] ?? []
    for block in ArticleCode.blocks(of: try Self.text(of: name)) where !pieces.contains(block) {
      Issue.record(
        """
        \(name) has code that no test has between "// Begin: code of \(name)" and "// End: code of \(name)":
        \(block.joined(separator: "\n"))
        """)
    }
  }

  @Test("What can be copied as a file imports what the file of the test imports", arguments: wholes)
  func isImported(_ name: String) throws {
    let article = try ArticleCode.read(ArticleCode.articles + name).split(separator: "\n")
    for file in try ArticleCode.names(in: "Tests", ending: ".swift") {
      let source = try ArticleCode.read("Tests/" + file)
      guard ArticleCode.pieces(of: source)[name] != nil else { continue }
      #expect(
        ArticleCode.imports(of: article) == ArticleCode.imports(of: source.split(separator: "\n")), "\(name), \(file)")
    }
  }

  // What has been compiled is what people read; blocks of articles that are not about conduct may be no whole code.
  @Test("What a test has as an article's code is in that article")
  func isRead() throws {
    for (name, pieces) in try ArticleCode.tested() {
      let blocks = ArticleCode.blocks(of: try Self.text(of: name))
      for piece in pieces where !blocks.contains(piece) {
        Issue.record("\(name) does not have this code of the tests:\n\(piece.joined(separator: "\n"))")
      }
    }
  }

  // The tests are of this package, and find what is no API of the kit, too.
  @Test("No article lets time pass in milliseconds without their unit, as only this package's own tests can")
  func isPublic() throws {
    for name in try ArticleCode.names(in: ArticleCode.articles, ending: ".md") {
      for line in ArticleCode.blocks(of: try ArticleCode.read(ArticleCode.articles + name)).joined() {
        #expect(!line.contains(/advance\(by: \d/), "\(name)")
      }
    }
  }

  @Test("A block that differs by one sign is not the text of the test; indentation, imports and @main do not count")
  func differences() {
    let article = """
      Words.

      ```swift
      import Proscenium

      @main final class A {
        func f() {}

      }
      ```
      ```
      no Swift
      ```
      """
    // Spelt in two, or it would be a piece of its own.
    let mark = "//"
    let source = """
      enum Place {
        \(mark) Begin: code of A.md
        final class A {
          func f() {}

        }
        \(mark) End: code of A.md
      }
      """
    let code = ["final class A {", "  func f() {}", "", "}"]
    #expect(ArticleCode.blocks(of: article) == [code])
    #expect(ArticleCode.pieces(of: source) == ["A.md": [code]])
    #expect(ArticleCode.blocks(of: article.replacing("f()", with: "g()")) != [code])
  }
}
