import SceneLifecycle

/// A whole little program: scenes, the application and a shell with a clock of its own, as the framework has one.
///
/// It keeps its own record of what is true and since when, and checks every step against it (`World+Checks.swift`).
/// The first broken promise ends up in ``failure``; everything that a program would hear of is in ``heard``.
struct World {
  struct Scene {
    /// Where its delegates have been told that it stands.
    var activation = ActivationState.unattached
    /// What is true of its windows, whatever the law believes.
    var isVisible = false
    var isWithdrawn = false
    /// When visibility and focus were last lost, while connected.
    var hiddenSince: Int?
    var unfocusedSince: Int?
    var grabbedSince: Int?
    /// The deadlines that run.
    var deadlines: [Hold: Int] = [:]
    var isDirty = false
    /// The last edge that its delegates heard of.
    var lastEdge: SceneEdge?
  }

  var scenes: [Scene]
  var law: ApplicationMachine.State
  let times: HoldTimes
  var now = 0
  /// The scene that has the keyboard focus, if one has it.
  var focus: Int?
  var isGrabbed = false
  var isLocked = false
  var isChanging = false
  /// When the window manager was last changing.
  var lastChange: Int?
  var resignDue: Int?
  var applicationState = ApplicationState.background
  var heard: [String] = []
  var failure: String?
  var hasEnded = false
  /// The aggregate before the scene edge that has just been walked; nil after anything else.
  var aggregateBefore: ApplicationState?
  /// Whether the application's state was the aggregate when the batch began.
  var wasAggregate = false

  init(
    scenes count: Int, model: LifecycleModel = .sceneBased, policies: [ActivationPolicy] = [.whenFocused],
    times: HoldTimes = HoldTimes()
  ) {
    scenes = (0..<count).map { _ in Scene() }
    law = ApplicationMachine.State(model: model)
    for index in 0..<count { law.scenes[index] = SceneMachine.State(policy: policies[index % policies.count]) }
    self.times = times
  }

  /// The law of one scene.
  func machine(_ index: Int) -> SceneMachine.State { law.scenes[index] }
  func isConnected(_ index: Int) -> Bool { machine(index).attachment != .detached }

  func isFocused(_ index: Int) -> Bool { focus == index }
  var aggregate: ApplicationState {
    ApplicationState(mostActive: scenes.map(\.activation).max() ?? .unattached)
  }
  var deadlines: [Int] { scenes.flatMap(\.deadlines.values) + (resignDue.map { [$0] } ?? []) }

  mutating func fail(_ message: String) {
    if failure == nil { failure = "at \(now) ms: " + message }
  }

  // MARK: What happens

  /// One thing that becomes true or is asked for; several of them are a batch.
  mutating func apply(_ event: WorldEvent) {
    guard !hasEnded else { return }
    switch event {
    case .launch(let foreground): reduce(.launch(foreground: foreground))
    case .checkLaunch:
      wasAggregate = false
      if !scenes.contains(where: \.isVisible) { reduce(.nothingShown) }
    case .connect(let index):
      guard !isConnected(index), law.phase == .launched || law.phase == .running else { return }
      give(.interruption(false), to: index)
      give(.concealment(isLocked), to: index)
      give(.connect, to: index)
      scenes[index].isDirty = true
    case .disconnect(let index):
      guard isConnected(index) else { return }
      give(.disconnect, to: index)
      scenes[index].isDirty = true
    case .show(let index):
      scenes[index].isVisible = true
      scenes[index].isWithdrawn = false
      scenes[index].isDirty = true
    case .hide(let index):
      scenes[index].isVisible = false
      scenes[index].isDirty = true
    case .withdraw(let index):
      scenes[index].isVisible = false
      scenes[index].isWithdrawn = true
      scenes[index].isDirty = true
      if focus == index { focus = nil }
    case .focus(let index):
      for changed in [focus, index].compactMap({ $0 }) { scenes[changed].isDirty = true }
      focus = index
      isGrabbed = false
    case .grab(let on):
      isGrabbed = on
      if let focus { scenes[focus].isDirty = true }
    case .interrupt(let index, let on):
      guard isConnected(index) else { return }
      give(.interruption(on), to: index)
      scenes[index].isDirty = true
    case .lock(let on):
      isLocked = on
      for index in scenes.indices where isConnected(index) {
        give(.concealment(on), to: index)
        scenes[index].isDirty = true
      }
    case .windowManager(let changing):
      isChanging = changing
      if changing { lastChange = now }
      for index in scenes.indices { scenes[index].isDirty = true }
    case .terminate: reduce(.terminate)
    case .wait(let time): wait(time)
    }
  }

  /// A batch: what happens, and then where every scene goes for it.
  mutating func batch(_ events: [WorldEvent]) {
    guard !hasEnded else { return }
    for event in events { apply(event) }
    settle()
    checkBatch()
  }

  /// Lets time pass; all that is due at one moment is one batch.
  mutating func wait(_ time: Int) {
    settle()
    checkBatch()
    let end = now + time
    while let due = deadlines.min(), due <= end {
      now = max(now, due)
      if isChanging { lastChange = now }
      for index in scenes.indices {
        for hold in Hold.allCases where scenes[index].deadlines[hold] == due {
          scenes[index].deadlines[hold] = nil
          give(.expired(hold), to: index)
          scenes[index].isDirty = true
        }
      }
      settle()
      if resignDue == due {
        resignDue = nil
        wasAggregate = false
        reduce(.resignExpired)
      }
      checkBatch()
    }
    now = end
    if isChanging { lastChange = now }
  }

  // MARK: The shell

  /// Ends a batch: observes what changed, and walks every scene to where it belongs.
  mutating func settle() {
    let touched = scenes.indices.filter { scenes[$0].isDirty }
    let facts = touched.filter { isConnected($0) }.map { index in
      ApplicationMachine.Facts(
        index, visible: scenes[index].isVisible, focused: isFocused(index), grabbed: isFocused(index) && isGrabbed,
        isWithdrawn: scenes[index].isWithdrawn)
    }
    for index in touched { scenes[index].isDirty = false }
    let gains = focusGained(by: facts)
    for facts in facts { remember(facts, siblingGains: gains) }
    reduce(.observe(facts, changing: isChanging))
    if gains { for index in scenes.indices { rememberSibling(index) } }
    wasAggregate = applicationState == aggregate
    reduce(.settle)
  }

  mutating func give(_ input: SceneMachine.Input, to index: Int) { reduce(.scene(index, input)) }

  mutating func reduce(_ input: ApplicationMachine.Input) {
    let before = law.scenes
    let effects = ApplicationMachine.reduce(&law, input)
    if input != .settle {
      for index in scenes.indices where law.scenes[index].activation != before[index].activation {
        fail("scene \(index) moved by \(input)")
      }
    }
    aggregateBefore = nil
    for effect in effects {
      switch effect {
      case .scene(let index, .hold(let hold, let long)):
        let length = times.length(of: hold, long: long).milliseconds
        scenes[index].deadlines[hold] = length > 0 ? now + length : nil
        if length <= 0 { give(.expired(hold), to: index) }
      case .scene(let index, .release(let hold)):
        // Without any hold it has expired within the same batch.
        if scenes[index].deadlines.removeValue(forKey: hold) == nil {
          fail("scene \(index) releases \(hold), which does not run")
        }
      case .withholdInput(let index):
        if !machine(index).isInterrupted { fail("input of scene \(index) is withheld without an interruption") }
      case .assume(let state):
        applicationState = state
        wasAggregate = state == aggregate
      case .callLaunchPair:
        heard.append("launch \(applicationState)")
        reduce(.launched)
      case .scene(let index, .edge(let edge)): walk(edge, of: index)
      case .application(let edge): checkApplicationEdge(edge)
      case .holdResign:
        if resignDue != nil { fail("the resign is held twice") }
        resignDue = now + times.application.milliseconds
      case .releaseResign:
        if resignDue == nil { fail("a resign is released that is not held") }
        resignDue = nil
      case .conceal:
        for index in scenes.indices where isConnected(index) {
          give(.concealment(true), to: index)
          scenes[index].isDirty = true
        }
        settle()
        reduce(.concealed)
      case .disconnect:
        for index in scenes.indices where isConnected(index) {
          give(.disconnect, to: index)
          scenes[index].isDirty = true
        }
        settle()
        reduce(.disconnected)
      case .terminate:
        heard.append("terminate")
        hasEnded = true
      }
    }
  }

  private mutating func walk(_ edge: SceneEdge, of index: Int) {
    let before = aggregate
    let old = scenes[index].activation
    scenes[index].activation = edge.to
    checkEdge(edge, of: index, from: old, to: edge.to)
    aggregateBefore = before
  }
}

extension Duration {
  var milliseconds: Int { Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000) }
}

/// What can happen to a ``World``.
enum WorldEvent: Hashable {
  case launch(foreground: Bool), checkLaunch
  case connect(Int), disconnect(Int)
  case show(Int), hide(Int), withdraw(Int)
  case focus(Int?), grab(Bool)
  case interrupt(Int, Bool), lock(Bool), windowManager(changing: Bool)
  case wait(Int)
  case terminate
}
