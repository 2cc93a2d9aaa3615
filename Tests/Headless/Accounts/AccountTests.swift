import FoundationEssentials
import ProsceniumCore
import Testing

@testable import ProsceniumPlatform
@testable import ProsceniumTesting
@testable import ProsceniumTrace

/// What the program learns of the user's accounts: `AccountStore`.
@MainActor @Suite("Accounts", .serialized) struct AccountTests {
  @MainActor private final class Run {
    let program: HeadlessProgram
    private(set) var calls: [[String]] = []
    private var token: NotificationCenter.ObservationToken?
    var store: AccountStore { AccountStore.shared }
    var machine: HeadlessMachine { program.machine }

    init(suspends: Bool = false, beforeLaunch: (Run) -> Void = { _ in }) {
      let delegate = RecordingDelegate()
      #if !WITHOUT_Suspension
        if suspends { delegate.manifest.suspensionPolicy = .whenAllInBackground }
      #endif
      program = HeadlessProgram(delegate: { delegate })
      observe()
      beforeLaunch(self)
      program.launch()
      program.advance(by: .seconds(3))
    }

    func observe() {
      token = NotificationCenter.default.addObserver(of: store, for: .identityDidChange) { [weak self] message in
        var words: [String] = []
        for account in message.added { words.append("+" + account.name) }
        for account in message.removed { words.append("-" + account.name) }
        for account in message.changed { words.append((account.needsAttention ? "!" : "=") + account.name) }
        self?.calls.append(words)
      }
    }

    func takeCalls() -> [[String]] {
      program.advance(by: .zero)
      defer { calls = [] }
      return calls
    }

    /// The trace's lines about accounts.
    var lines: [String] {
      program.entries.compactMap { entry in
        guard case .system(let system) = entry, system.name == "accounts" else { return nil }
        return system.details.fields.map { "\($0.key) \($0.value.inTrace)" }.joined(separator: " ")
      }
    }
  }

  @Test("Nothing is known or told before they are read; then each change is")
  func notifications() {
    let run = Run()
    run.machine.addAccount(provider: "google", name: "ada")
    #expect(run.takeCalls() == [] && run.lines == [])
    #expect(run.store.accounts == [] && !run.store.isKnown)
    #expect(run.takeCalls() == [["+ada"]] && run.store.isKnown)
    let ada = run.store.accounts[0]
    #expect(ada.provider == "google" && !ada.needsAttention)
    run.machine.addAccount(provider: "owncloud", name: "ada")
    run.machine.addAccount(provider: "google", name: "ada", needsAttention: true)
    #expect(run.takeCalls() == [["+ada"], ["!ada"]])
    #expect(run.store.accounts.filter { $0.identityToken == ada.identityToken }.map(\.needsAttention) == [true])
    #expect(Set(run.store.accounts.map(\.identityToken)).count == 2)
    run.machine.removeAccount(provider: "google", name: "ada")
    run.machine.removeAccount(provider: "google", name: "ada")
    #expect(run.takeCalls() == [["-ada"]] && run.store.accounts.map(\.provider) == ["owncloud"])
    // Names stay out of the trace.
    #expect(run.lines == ["count 1 added 1", "count 2 added 1", "count 2 changed 1", "count 1 removed 1"])
  }

  @Test("A machine without the service has none, and says nothing; one with none says so once")
  func none() {
    let run = Run()
    #expect(run.store.accounts == [] && run.takeCalls() == [] && !run.store.isKnown)
    run.machine.removeAccount(provider: "google", name: "ada")
    #expect(run.takeCalls() == [[]] && run.store.isKnown && run.store.accounts == [])
    run.machine.removeAccount(provider: "google", name: "ada")
    #expect(run.takeCalls() == [])
  }

  @Test("An account that the service has twice is one")
  func twice() {
    let run = Run()
    _ = run.store.accounts
    var ada = AccountReading(identifier: "1", provider: "google", identity: "ada")
    ada.name = "ada"
    var other = ada
    other.needsAttention = true
    run.machine.post(.accounts([ada]))
    run.machine.post(.accounts([ada, other]))
    #expect(run.takeCalls() == [["+ada"]] && run.store.accounts.count == 1 && run.lines == ["count 1 added 1"])
  }

  @Test("A token is equal in the next run of the program, and after it has been stored")
  func tokens() throws {
    let run = Run {
      $0.machine.addAccount(provider: "google", name: "ada")
      _ = $0.store.accounts
    }
    #expect(run.takeCalls() == [["+ada"]])
    let token = run.store.accounts[0].identityToken
    let stored = try JSONEncoder().encode(token)
    run.program.relaunch()
    run.observe()
    #expect(run.store.accounts == [] && run.takeCalls() == [["+ada"]])
    #expect(run.store.accounts[0].identityToken == token)
    #expect(try JSONDecoder().decode(IdentityToken.self, from: stored) == token)
    run.machine.removeAccount(provider: "google", name: "ada")
    run.machine.addAccount(provider: "google", name: "bob")
    _ = run.takeCalls()
    #expect(run.store.accounts[0].identityToken != token)
  }

  #if !WITHOUT_Suspension
    @Test("While the program is suspended nothing is told; on return one message has what differs")
    func suspended() {
      let run = Run(suspends: true)
      run.machine.addAccount(provider: "google", name: "ada")
      run.machine.addAccount(provider: "google", name: "bob")
      _ = run.store.accounts
      _ = run.takeCalls()
      run.program.desk.minimize(run.program.windows[0])
      run.program.advance(by: .seconds(10))
      #expect(run.program.platform.isSuspended)
      run.machine.removeAccount(provider: "google", name: "ada")
      run.machine.addAccount(provider: "google", name: "ada")
      run.machine.removeAccount(provider: "google", name: "bob")
      run.machine.addAccount(provider: "google", name: "eve")
      run.machine.addAccount(provider: "google", name: "ada", needsAttention: true)
      #expect(run.takeCalls() == [] && run.program.platform.isSuspended && run.lines.count == 1)
      run.program.desk.restore(run.program.windows[0])
      run.program.advance(by: .seconds(1))
      #expect(run.takeCalls() == [["+eve", "-bob", "!ada"]] && run.lines.count == 2)
    }
  #endif
}
