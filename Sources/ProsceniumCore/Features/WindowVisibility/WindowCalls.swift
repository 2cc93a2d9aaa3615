/// The notification that a window became visible, or the notifications that it became hidden.
struct VisibilityChangeCall: Notice {
  var window: Window
  var isHidden: Bool
  var call: CallDescription { CallDescription("Window.isHidden", phase: .event) }

  func send(to application: Application) {
    window.display.visibilityMayHaveChanged()
    if isHidden {
      window.content?.hidden()
      Window.DidBecomeHiddenMessage(window: window).post()
    } else {
      Window.DidBecomeVisibleMessage(window: window).post()
    }
  }
}

/// The notification that a window was shown by an activation.
struct DidBecomeVisibleCall: Notice {
  var window: Window
  var call: CallDescription { CallDescription("Window.DidBecomeVisibleMessage", phase: .event) }

  func send(to application: Application) { Window.DidBecomeVisibleMessage(window: window).post() }
}

/// `resignKey()` and `becomeKey()`, with their notifications.
struct KeyCall: Notice {
  var old: Window?
  var new: Window?
  var call: CallDescription { CallDescription("becomeKey()", phase: .event) }

  func send(to application: Application) {
    if let old {
      old.resignKey()
      Window.DidResignKeyMessage(window: old).post()
    }
    if let new {
      new.becomeKey()
      Window.DidBecomeKeyMessage(window: new).post()
    }
  }
}

/// The outcome of a window request.
struct WindowRequestCall: Notice {
  var id: RequestID
  var name: String
  var session: SceneSession?
  var outcome: RequestOutcome
  var completion: (@MainActor (RequestOutcome) -> Void)?
  var call: CallDescription { CallDescription("completion of a window request", phase: .event) }

  func send(to application: Application) {
    application.conductor?.traceRequest(name, session, outcome.traceName)
    completion?(outcome)
  }
}
