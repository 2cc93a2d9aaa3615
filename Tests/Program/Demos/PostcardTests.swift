import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import Testing

extension SecondDesk {
  /// The demo whose interface is a file: the real program, server and window manager.
  @Suite("Postcard", .enabled(if: Requirement.program("Postcard")))
  struct PostcardTests {
    private static let resources = "Proscenium_Postcard.resources"
    let home: TemporaryFolder
    let desktop: PrivateDesktop

    init() async throws {
      try Requirement.windowManager(.openbox)
      home = try TemporaryFolder()
      desktop = try await PrivateDesktop(.openbox)
    }

    /// What the program keeps of its card, without what is not renamed to its place yet.
    private func kept() -> String {
      let folder = home.file("state/org.proscenium.Postcard")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.filter { !$0.hasPrefix(".") }.map { DeskSupport.text(of: folder + "/" + $0) }.joined()
    }

    @Test("The interface is in the window before the scene connects, its buttons are heard, and the card comes back")
    func shows() async throws {
      // Given the program, whose window is shown with the views of the file
      let program = try desktop.start(Program.besideTests("Postcard"), [], home: home)
      try await desktop.settle(program) { $0.count == 1 && $0.first?.expectedState == .foregroundActive }
      let names = try program.trace.lines().map(\.name)
      let interface = try #require(names.firstIndex(of: "interface"), "\(program.evidence)")
      #expect(names[(interface + 1)...].first == "sceneWillConnect", "\(program.evidence)")
      #expect(!program.evidence.contains("has no effect"), "\(program.evidence)")
      // When the right button at the lower edge is pressed, and the other one is not
      let window = try #require(try program.windows().first)
      let place = try #require(desktop.desk.client.place(of: window))
      try desktop.desk.click(window, x: place.width - 40, y: place.height - 30)
      // Then its action has been called
      try await waitUntil("the stamp to be kept", evidence: { program.evidence }) { kept().contains("\"stamps\":1") }
      program.send(SIGKILL)
      _ = try await program.end()
      // And a next process shows the card again, with the interface read anew
      let next = try desktop.start(Program.besideTests("Postcard"), [], home: home)
      try await desktop.settle(next) { $0.count == 1 && $0.first?.expectedState == .foregroundActive }
      #expect(try next.trace.lines().count { $0.name == "interface" } == 1, "\(next.evidence)")
      #expect(kept().contains("\"stamps\":1"))
      next.send(SIGTERM)
      #expect(try await next.end() == .exited(0))
    }

    @Test("A packager names another file in the manifest's file, from the folder of the program")
    func renamed() async throws {
      let folder = try TemporaryFolder()
      let path = try folder.copy(Program.besideTests("Postcard"), to: "Postcard")
      try folder.write("Other.ui", DeskSupport.text(of: Program.besideTests(Self.resources + "/Postcard.ui")))
      try folder.write(
        "Postcard.manifest.json", #"{"sceneConfigurations": {"Postcard": {"interfaceFile": "Other.ui"}}}"#)
      let program = try desktop.start(path, [], home: home)
      try await desktop.settle(program) { $0.count == 1 && $0.first?.expectedState == .foregroundActive }
      let line = try #require(try program.trace.lines().first { $0.name == "interface" }, "\(program.evidence)")
      #expect(line.text.contains("Other.ui"), "\(line.text)")
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test(
      "A file that cannot be used ends the launch with the file, the line and the reason",
      arguments: [
        ("<interface>\n  <object>\n</interface>\n", ":3: This is no XML: mismatched tag."),
        (
          "<interface>\n<object class=\"GtkTreeView\"/></interface>",
          ":2: There is no view for the class \"GtkTreeView\"."
        ),
        (
          "<interface>\n<template class=\"PostcardController\" parent=\"GtkBox\"/></interface>",
          ":2: PostcardController has the outlet \"message\", and the file has no object of this id."
        ),
        (nil, "cannot be read: No such file or directory"),
      ])
    func fails(text: String?, reason: String) async throws {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.file(Self.resources), withIntermediateDirectories: true)
      let path = try folder.copy(Program.besideTests("Postcard"), to: "Postcard")
      if let text { try folder.write(Self.resources + "/Postcard.ui", text) }
      let program = try desktop.start(path, [], home: home)
      #expect(try await program.end() == .exited(1), "\(program.evidence)")
      #expect(program.evidence.contains(Self.resources + "/Postcard.ui"), "\(program.evidence)")
      #expect(program.evidence.contains(reason), "\(program.evidence)")
      // And nothing is left over: the next launch, with a file that can be used, shows a window
      try folder.write(
        Self.resources + "/Postcard.ui",
        DeskSupport.text(of: Program.besideTests(Self.resources + "/Postcard.ui")))
      let next = try desktop.start(path, [], home: home)
      try await desktop.settle(next) { $0.count == 1 && $0.first?.expectedState == .foregroundActive }
      next.send(SIGTERM)
      #expect(try await next.end() == .exited(0))
    }
  }
}
