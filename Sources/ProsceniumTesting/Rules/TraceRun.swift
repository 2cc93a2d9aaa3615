import ProsceniumTrace

/// One run of one process: the state that its trace has led to so far.
struct TraceRun: Sendable {
  /// How far the program has come; its default data are copied between the launch line and the launch callbacks.
  enum Phase: Comparable { case beforeLaunch, launching, copied, launchingTwice, running, terminated, ended }

  /// The URLs of a run.
  struct URLCount {
    var received = 0
    var delivered = 0
    /// An error said that some were given up.
    var hasLost = false
  }

  private var violations: [TraceChecker.Violation] = []
  /// The number of the line that is being checked.
  private var number = 0
  /// The latest time of a line, in seconds.
  private(set) var time = -Double.infinity
  var phase = Phase.beforeLaunch
  /// Nil where the trace does not say it.
  var isSceneBased: Bool?
  var scenes = TraceScenes()
  /// Nil until the first step says it.
  var application: ApplicationState?
  /// A scene has been disconnected because the program ends.
  var isExiting = false
  /// The values of facts, by window and name, those of the machine, and those of documents.
  var facts: [String: TraceRecord.Fact.Value] = [:]
  /// The facts of the program that are true: `locked`, `sleeping` and the like.
  var concealments: Set<String> = []
  var isProtected = false
  var work = TraceWork()
  /// The sessions whose activity has been announced: its end is the next callback of the application and its scenes.
  var announced: [String]?
  var urls = URLCount()
  private var doubts = TraceDoubts()

  var isLaunched: Bool { phase > .beforeLaunch }
  var isSaverOn: Bool { facts[MachineTrace.saver] == .flag(true) }

  /// Checks one line.
  /// - Returns: The rules that it breaks.
  mutating func check(_ line: TraceDecoder.Line) -> [TraceChecker.Violation] {
    violations = []
    number = line.number
    if line.time < time { fail(.forwardTime, "\(line.time) comes after \(time)") }
    time = max(time, line.time)
    if phase == .beforeLaunch, line.kind != "launch", line.kind != "error" {
      fail(.launchLine, "a line of the kind \(line.kind) comes before the launch line")
      phase = .running
    }
    if case .edge = line.record { doubts.walkGoesOn() }
    for doubt in doubts.certainties(at: line.time) { fail(doubt) }
    switch line.record {
    case .launch(let launch): check(launch)
    case .fact(let fact):
      check(fact)
      raiseDoubts(about: fact.scene)
    case .edge(let edge):
      check(edge)
      raiseDoubts(about: edge.scene)
    case .app(let app):
      check(app)
      raiseDoubts(about: nil)
    case .system(let system):
      check(system)
      raiseDoubts(about: nil)
    case .request(let request): check(request)
    case .error(let message): if message.contains("could not be handed to any scene") { urls.hasLost = true }
    case nil: checkIncomplete(line.kind)
    }
    return violations
  }

  mutating func fail(_ rule: TraceRule, _ scene: String?, _ detail: String) {
    violations.append(TraceChecker.Violation(rule: rule, line: number, scene: scene, detail: detail))
  }

  mutating func fail(_ rule: TraceRule, _ detail: String) { fail(rule, nil, detail) }

  /// A kind that is not known, or a line that lacks keys of its kind.
  private mutating func checkIncomplete(_ kind: String) {
    let rules: [String: TraceRule] = ["launch": .launchLine, "fact": .fact, "edge": .step, "app": .applicationStep]
    if kind == "launch" { phase = .launching }
    if let rule = rules[kind] { fail(rule, "the line lacks a key of its kind") }
  }

  private mutating func check(_ launch: TraceRecord.Launch) {
    phase = .launching
    if !["launch", "restore", "recover"].contains(launch.reason) {
      fail(.launchLine, "the reason is \(launch.reason)")
    }
    if launch.version != 1 { fail(.launchLine, "the version is not 1") }
    isSceneBased = launch.model.map { $0 == "sceneBased" }
    urls.received += launch.urls.atMostPlausible
  }

  private mutating func check(_ request: TraceRecord.Request) {
    if request.name == "screenMode" { checkScreenMode(request) }
    guard request.name == "sceneShouldClose", let scene = request.scene else { return }
    if scenes[scene].state == .unattached { fail(.question, scene, "it is not connected") }
    if isSuspended { fail(.silence, scene, "it is asked whether it may close") }
  }

  // MARK: What must not last

  private mutating func raiseDoubts(about identifier: String?) {
    // Before the first step the application's state is that of the launch, which no line says.
    let isOff = application.map { $0 != scenes.mostActive.application } ?? (scenes.mostActive == .foregroundActive)
    doubts.raise(.aggregate, isOff, at: time)
    doubts.raise(.concealed, !concealments.isEmpty && scenes.mostActive > .background, at: time)
    doubts.raise(.interrupted, isSaverOn && scenes.mostActive == .foregroundActive, at: time)
    guard let identifier else { return }
    let scene = scenes[identifier]
    doubts.raise(.visible(identifier), scene.state >= .foregroundInactive && scene.visible.isEmpty, at: time)
    let needsFocus = scene.state == .foregroundActive && !scene.needsNoFocus
    doubts.raise(.focused(identifier), needsFocus && scene.focused.isEmpty, at: time)
  }

  private mutating func fail(_ doubt: (subject: TraceDoubts.Subject, since: Double)) {
    switch doubt.subject {
    case .aggregate:
      let state = application?.rawValue ?? "unknown"
      fail(.aggregateAtRest, "it is \(state), and the most active scene is in \(scenes.mostActive.rawValue)")
    case .visible(let scene):
      fail(.foregroundIsVisible, scene, "no window of it has been visible since \(doubt.since)")
    case .concealed: fail(.away, "a scene has been in \(scenes.mostActive.rawValue) since \(doubt.since)")
    case .interrupted: fail(.lockers, "a scene has been active since \(doubt.since), and a screen saver is on")
    case .focused(let scene):
      fail(.activeHasFocus, scene, "no window of it has had the focus since \(doubt.since)")
    }
  }
}

extension Int? {
  /// A number of URLs: no more than a program may be given, or the line is rubbish.
  var atMostPlausible: Int { Swift.min(Swift.max(self ?? 0, 0), 1 << 32) }
}
