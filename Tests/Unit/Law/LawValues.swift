import SceneLifecycle

// States and facts in one expression, for sheets and grids.

extension ApplicationMachine.State {
  init(
    phase: ApplicationMachine.Phase = .notLaunched, application: ApplicationState = .background,
    isResignHeld: Bool = false, model: LifecycleModel = .sceneBased
  ) {
    self.init()
    self.phase = phase
    self.application = application
    self.isResignHeld = isResignHeld
    self.model = model
  }
}

extension ApplicationMachine.Facts {
  init(_ scene: SceneNumber, visible: Bool, focused: Bool, grabbed: Bool = false, isWithdrawn: Bool = false) {
    self.init(scene)
    self.visible = visible
    self.focused = focused
    self.grabbed = grabbed
    self.isWithdrawn = isWithdrawn
  }
}

extension SceneMachine.State {
  init(
    activation: ActivationState = .unattached, visibility: SceneMachine.Visibility = .hidden,
    focus: SceneMachine.Focus = .none, grab: SceneMachine.Grab = .free, interrupted: Bool = false,
    concealed: Bool = false, attachment: SceneMachine.Attachment = .detached, policy: ActivationPolicy = .whenFocused
  ) {
    self.init()
    self.activation = activation
    self.visibility = visibility
    self.focus = focus
    self.grab = grab
    self.interrupted = interrupted
    self.concealed = concealed
    self.attachment = attachment
    self.policy = policy
  }
}

extension SceneObservation {
  init(visible: Bool, focused: Bool, grabbed: Bool = false, visibleFall: Fall = .held, focusFall: Fall = .held) {
    self.init()
    self.visible = visible
    self.focused = focused
    self.grabbed = grabbed
    self.visibleFall = visibleFall
    self.focusFall = focusFall
  }
}

extension SuspensionMachine.Facts {
  init(
    isAllowed: Bool = false, isLaunched: Bool = false, isInBackground: Bool = false, holdsTask: Bool = false,
    holdsMode: Bool = false, isEnding: Bool = false, isIdle: Bool = false
  ) {
    self.init()
    self.isAllowed = isAllowed
    self.isLaunched = isLaunched
    self.isInBackground = isInBackground
    self.holdsTask = holdsTask
    self.holdsMode = holdsMode
    self.isEnding = isEnding
    self.isIdle = isIdle
  }
}
