import FoundationEssentials
import ProsceniumPlatform

/// The notification that a window became visible, or the notifications that it became hidden.
struct VisibilityChangeCall: ProgramCall {
  var window: Window
  var isHidden: Bool
  var call: CallDescription { CallDescription("Window.isHidden", phase: .event) }

  func perform(for application: Application) -> [FeatureAction] {
    window.display.visibilityMayHaveChanged()
    let center = NotificationCenter.default
    if isHidden {
      window.content?.hidden()
      center.post(Window.DidBecomeHiddenMessage(window: window), subject: window)
    } else {
      center.post(Window.DidBecomeVisibleMessage(window: window), subject: window)
    }
    return []
  }

  static func == (left: VisibilityChangeCall, right: VisibilityChangeCall) -> Bool {
    left.window === right.window && left.isHidden == right.isHidden
  }
}

/// The notification that a window was shown by an activation.
struct DidBecomeVisibleCall: ProgramCall {
  var window: Window
  var call: CallDescription { CallDescription("Window.DidBecomeVisibleMessage", phase: .event) }

  func perform(for application: Application) -> [FeatureAction] {
    NotificationCenter.default.post(Window.DidBecomeVisibleMessage(window: window), subject: window)
    return []
  }

  static func == (left: DidBecomeVisibleCall, right: DidBecomeVisibleCall) -> Bool { left.window === right.window }
}

/// `resignKey()` and `becomeKey()`, with their notifications.
struct KeyCall: ProgramCall {
  var old: Window?
  var new: Window?
  var call: CallDescription { CallDescription("becomeKey()", phase: .event) }

  func perform(for application: Application) -> [FeatureAction] {
    let center = NotificationCenter.default
    if let old {
      old.resignKey()
      center.post(Window.DidResignKeyMessage(window: old), subject: old)
    }
    if let new {
      new.becomeKey()
      center.post(Window.DidBecomeKeyMessage(window: new), subject: new)
    }
    return []
  }

  static func == (left: KeyCall, right: KeyCall) -> Bool { left.old === right.old && left.new === right.new }
}

/// The outcome of a window request.
struct WindowRequestCall: ProgramCall {
  var id: RequestID
  var name: String
  var session: SceneSession?
  var outcome: RequestOutcome
  var completion: (@MainActor (RequestOutcome) -> Void)?
  var call: CallDescription { CallDescription("completion of a window request", phase: .event) }

  func perform(for application: Application) -> [FeatureAction] {
    application.conductor?.traceRequest(name, session, outcome.traceName)
    completion?(outcome)
    return []
  }

  static func == (left: WindowRequestCall, right: WindowRequestCall) -> Bool {
    left.id == right.id && left.outcome == right.outcome
  }
}
