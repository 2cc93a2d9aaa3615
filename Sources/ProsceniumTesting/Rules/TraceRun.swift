/// What is known of one run of one process after some lines of its trace, and what was wrong with the last one.
///
/// Names and states are written out once more, apart from the law: what the law gets wrong is not right here too.
struct TraceRun: Sendable {
  /// The states of scenes, the less active ones first.
  enum Standing: String, Comparable {
    case unattached, background, foregroundInactive, foregroundActive

    var rank: Int {
      switch self {
      case .unattached: 0
      case .background: 1
      case .foregroundInactive: 2
      case .foregroundActive: 3
      }
    }

    /// What an application is whose most active scene stands here.
    var application: ApplicationStanding {
      switch self {
      case .unattached, .background: .background
      case .foregroundInactive: .inactive
      case .foregroundActive: .active
      }
    }

    static func < (lhs: Standing, rhs: Standing) -> Bool { lhs.rank < rhs.rank }
  }

  /// The states of the application, the less active ones first.
  enum ApplicationStanding: String, Comparable {
    case background, inactive, active

    var rank: Int {
      switch self {
      case .background: 0
      case .inactive: 1
      case .active: 2
      }
    }

    static func < (lhs: ApplicationStanding, rhs: ApplicationStanding) -> Bool { lhs.rank < rhs.rank }
  }

  struct Scene {
    var standing = Standing.unattached
    /// Windows that the trace says are visible.
    var visible: Set<String> = []
    var focused: Set<String> = []
    /// Active whenever it is visible.
    var needsNoFocus = false
  }

  /// How far the program has come.
  enum Phase: Comparable { case beforeLaunch, launching, launchingTwice, running, terminated, ended }

  /// Something that should not last.
  struct Doubt {
    var since: Double
    /// When it was seen to have lasted; another line has to follow, or a process that was stopped would look guilty.
    var seen: Double?
  }

  var found: [TraceChecker.Violation] = []
  var phase = Phase.beforeLaunch
  var time = -Double.infinity
  /// Nil where the trace does not say it.
  var isSceneBased: Bool?
  var scenes: [String: Scene] = [:]
  /// How many scenes stand in each state, by rank.
  var census = [0, 0, 0, 0]
  /// How many of the active scenes have to have the focus.
  var activeWithFocus = 0
  /// Nil until the first step says it.
  var application: ApplicationStanding?
  var discarded: Set<String> = []
  var closedByUser: Set<String> = []
  var isExiting = false
  /// Values of facts, by window and name.
  var facts: [String: TraceChecker.Value] = [:]
  var absences: Set<String> = []
  var isProtected = false
  var isSuspended = false
  /// Whose activity has been announced, and is the next thing that the application and its scenes are told.
  var announced: [String]?
  var urlsReceived = 0
  var urlsDelivered = 0
  /// Some URLs were given up, and an error said so.
  var hasLostURLs = false
  var doubts: [String: Doubt] = [:]

  var isLaunched: Bool { phase > .beforeLaunch }

  var mostActive: Standing {
    if census[3] > 0 { return .foregroundActive }
    if census[2] > 0 { return .foregroundInactive }
    return census[1] > 0 ? .background : .unattached
  }

  mutating func fail(_ rule: TraceRule, _ line: TraceChecker.Line, _ scene: String?, _ detail: String) {
    found.append(TraceChecker.Violation(rule: rule, line: line.number, scene: scene, detail: detail))
  }

  mutating func fail(_ rule: TraceRule, _ line: TraceChecker.Line, _ detail: String) { fail(rule, line, nil, detail) }

  mutating func take(_ line: TraceChecker.Line) {
    if line.time < time { fail(.forwardTime, line, "\(line.time) comes after \(time)") }
    time = max(time, line.time)
    if phase == .beforeLaunch, line.kind != "launch", line.kind != "error" {
      fail(.launchLine, line, "a line of the kind \(line.kind) comes before the launch line")
      phase = .running
    }
    settleDoubts(line)
    switch line.kind {
    case "launch": launch(line)
    case "edge": edge(line)
    case "app": app(line)
    case "fact": fact(line)
    case "system": system(line)
    case "request": request(line)
    case "error": error(line)
    default: break
    }
    raiseDoubts(line)
  }

  private mutating func launch(_ line: TraceChecker.Line) {
    phase = .launching
    if line.text("application") == nil { fail(.launchLine, line, "no application is named") }
    if !["launch", "restore", "recover"].contains(line.text("reason")) {
      fail(.launchLine, line, "the reason is \(line.text("reason") ?? "missing")")
    }
    if line.count("version") != 1 { fail(.launchLine, line, "the version is not 1") }
    isSceneBased = line.text("model").map { $0 == "sceneBased" }
    urlsReceived += line.urls
  }

  private mutating func error(_ line: TraceChecker.Line) {
    if line.text("message")?.contains("could not be handed to any scene") == true { hasLostURLs = true }
  }

  private mutating func request(_ line: TraceChecker.Line) {
    guard line.text("name") == "sceneShouldClose", let scene = line.text("scene") else { return }
    if scenes[scene]?.standing ?? .unattached == .unattached {
      fail(.question, line, scene, "it is not connected")
    }
    if isSuspended { fail(.silence, line, scene, "it is asked whether it may close") }
  }
}
