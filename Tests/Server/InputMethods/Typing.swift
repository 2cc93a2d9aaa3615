#if canImport(ProsceniumUI)
  import DeskSupport
  import Glibc
  @testable import ProsceniumCore
  import ProsceniumDesk
  import ProsceniumTesting
  import SuiteSupport
  import Testing

  @testable import ProsceniumDesktop
  @testable import ProsceniumLoop
  @testable import ProsceniumPlatform
  @testable import ProsceniumUI
  @testable import ProsceniumX11

  /// A program with a text that has the focus.
  @MainActor final class Typing {
    let desktop: PrivateDesktop
    let program: XProgram
    let text: TextView
    let source: BusSource

    init(_ desktop: PrivateDesktop, _ environment: [String: String]) throws {
      self.desktop = desktop
      let text = TextView()
      self.text = text
      source = BusSource(environment: environment, thermalFolder: "/missing") { _ in }
      source.requested.inputMethod.windowSystem = XIMEngine()
      var host = ApplicationHost()
      host.services.inputMethod = source.requested.inputMethod
      program = try XProgram(display: desktop.server.display, host: host) { window in
        window.rootView = text
      }
      program.start(source)
      text.becomeFirstResponder()
      let running = program
      let isShown = running.run { running.window?.draws.isEmpty == false && text.frame.size.height > 0 }
      try #require(isShown)
    }

    isolated deinit { source.stop() }

    func type(_ keys: String) throws { for key in keys { try desktop.desk.key(key) } }

    func press(_ keys: DeskKey...) throws { for key in keys { try desktop.desk.press(key) } }

    /// An engine is started for the first text, which takes longer than a key waits.
    func warmUp() throws {
      let before = text.text
      for _ in 0..<200 where composed == nil {
        try type("w")
        program.run(milliseconds: 200)
      }
      try #require(composed != nil)
      try press(.escape)
      let isOver = program.run { [self] in composed == nil }
      try #require(isOver)
      text.text = before
      text.caretOffset = before.count
    }

    /// Types while an engine is stopped, and after it goes on: a key waits for it once, and no other one.
    func passesStopped(_ engine: pid_t) throws {
      let feature = try #require(text.window?.inputMethods)
      let isIdle = program.run { feature.passage.isIdle }
      try #require(isIdle)
      InputMethods.patience = .milliseconds(500)
      kill(engine, SIGSTOP)
      defer { kill(engine, SIGCONT) }
      try type("ab")
      try #require(shows("ab"), evidence)
      let asked = feature.passage.number
      try type("cdefgh")
      try #require(shows("abcdefgh"), evidence)
      #expect(feature.passage.engine == .silent && feature.passage.number == asked, "no other key has waited")
      kill(engine, SIGCONT)
      // From here on it may be as slow as the machine is.
      InputMethods.patience = .seconds(30)
      // What it makes of the key that it was asked about is dropped; then it is asked again.
      for _ in 0..<200 where composed == nil {
        try type("w")
        program.run(milliseconds: 100)
      }
      #expect(composed != nil, "\(feature.passage.engine) \(feature.passage.number) \(asked) \(evidence)")
      #expect(text.text.hasPrefix("abcdefgh"))
    }

    func shows(_ text: String) -> Bool { program.run { [view = self.text] in view.text == text } }

    var evidence: Comment {
      "\(text.text.suffix(200)), composing \(composed ?? "nothing"), \(program.calls.suffix(20))"
    }

    /// What is being composed.
    var composed: String? { text.input.marked?.text }
  }
#endif
