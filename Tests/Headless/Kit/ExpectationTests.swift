import ProsceniumCore
import ProsceniumTesting
import Testing

@MainActor @Suite("Expectations", .serialized) struct ExpectationTests {
  @Test("What happens has to be expected, all of it and in its order")
  func exhaustive() throws {
    let (program, _) = try KitProgram.launched()
    program.desk.focus(nil)
    program.advance(by: .seconds(1))
    let lines = program.newLines()
    #expect(lines.count == 2)
    program.desk.focus(program.windows.first)
    let back = program.trace.suffix(2).map(\.description)
    try program.expect(back[0], back[1])
    try program.expectNothingMore()
  }

  @Test("What a library on top of the framework reports has to be expected, too")
  func reports() throws {
    let (program, _) = try KitProgram.launched()
    program.kit?.onCall = { call in
      if call.name == "applicationSignificantTimeChange" { Application.report("The alert is dropped.") }
    }
    program.ignoreLines()
    program.machine.changeTime(.newDay)
    #expect(program.trace.contains { $0.description.contains("The alert is dropped.") })
    let mismatch = #expect(throws: TraceMismatch.self) { try program.expectNothingMore() }
    #expect(mismatch?.unexpected.contains { $0.contains("The alert is dropped.") } == true)
  }

  @Test("A failure says what is missing and what was not expected, in one text")
  func difference() throws {
    let (program, _) = try KitProgram.launched()
    program.desk.focus(nil)
    program.advance(by: .seconds(1))
    let error = #expect(throws: TraceMismatch.self) {
      try program.expect(
        """
        scene1 sceneWillEnterForeground background -> foregroundInactive

          applicationWillResignActive [inactive]
        """)
    }
    let mismatch = try #require(error)
    #expect(mismatch.missing == ["scene1 sceneWillEnterForeground background -> foregroundInactive"])
    #expect(mismatch.unexpected.count == 1)
    #expect(mismatch.location.hasPrefix("HeadlessTests/ExpectationTests.swift:"))
    #expect(
      mismatch.description.hasSuffix(
        """
        - missing, + unexpected):
          - scene1 sceneWillEnterForeground background -> foregroundInactive
          + scene1 sceneWillResignActive foregroundActive -> foregroundInactive
            applicationWillResignActive [inactive]
        """))
    // And what has been compared is not compared again
    try program.expectNothingMore()
  }

  @Test("A program that leaves lines unexamined fails at its end")
  func unexamined() throws {
    #expect(throws: TraceMismatch.self) {
      try HeadlessProgram(delegate: KitProgram.init).exhaustively { $0.launch() }
    }
    try HeadlessProgram(delegate: KitProgram.init).exhaustively { program in
      program.launch()
      program.ignoreLines()
    }
  }

  @Test("So does one whose test suspends; a body that does not needs no await there")
  func unexaminedAfterSuspension() async throws {
    await #expect(throws: TraceMismatch.self) {
      try await HeadlessProgram(delegate: KitProgram.init).exhaustively { program in
        program.launch()
        #expect(await program.waits { !program.windows.isEmpty })
      }
    }
    let count = try await HeadlessProgram(delegate: KitProgram.init).exhaustively { program in
      program.launch()
      #expect(await program.waits { !program.windows.isEmpty })
      program.ignoreLines()
      return program.windows.count
    }
    #expect(count == 1)
    try HeadlessProgram(delegate: KitProgram.init).exhaustively { program in
      program.launch()
      program.ignoreLines()
    }
  }

  @Test("An unexpected error fails too, and names scenes by their numbers")
  func errors() throws {
    let (program, window) = try KitProgram.launched()
    let session = try #require(window.windowScene?.session)
    program.application.conductor?.log("Something about \(session.persistentIdentifier).")
    try program.expect("error: Something about scene1.")
  }

  @Test("The trace has the parts of its lines, and is a value")
  func parts() throws {
    let program = HeadlessProgram(delegate: KitProgram.init)
    program.launch()
    let trace = program.trace
    let line = try #require(trace.first { $0.name == "sceneDidBecomeActive" })
    #expect(line.kind == "edge" && line.scene == "scene1" && line.reason == nil)
    #expect(line.from == "foregroundInactive" && line.to == "foregroundActive")
    let call = try #require(trace.first { $0.name == "applicationDidBecomeActive" })
    #expect(call.kind == "app" && call.scene == nil && call.to == "active")
    let fact = try #require(trace.first { $0.kind == "fact" && $0.name == "visible" })
    #expect(fact.to == "true" && fact.reason == "viewable")
    let count = trace.count
    program.desk.focus(nil)
    program.advance(by: .seconds(1))
    #expect(trace.count == count && program.trace.count > count)
  }
}
