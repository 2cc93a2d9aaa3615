import Testing

@testable import ProsceniumCore

@MainActor @Suite("Undo") struct UndoManagerTests {
  private final class Counter {
    var value = 0
    let undoManager: UndoManager
    init(_ undoManager: UndoManager) { self.undoManager = undoManager }
    @MainActor func set(_ new: Int) {
      let old = value
      undoManager.registerUndo(withTarget: self) { $0.set(old) }
      value = new
    }
  }

  private let manager = UndoManager()
  private var changes: [UndoManager.Change] = []

  /// A manager whose events the test numbers.
  private final class Events { var number = 0 }
  private let events = Events()
  private let counter: Counter
  private final class Log { var changes: [UndoManager.Change] = [] }
  private let log = Log()

  init() {
    counter = Counter(manager)
    manager.eventNumber = { [events] in events.number }
    manager.onChange = { [log] in log.changes.append($0) }
  }

  @Test("The actions of one event are undone and redone at once, in the other order")
  func events_() {
    counter.set(1)
    counter.set(2)
    events.number = 1
    counter.set(3)
    manager.undo()
    #expect(counter.value == 2 && manager.canRedo)
    manager.undo()
    #expect(counter.value == 0 && !manager.canUndo)
    manager.redo()
    #expect(counter.value == 2)
    manager.redo()
    #expect(counter.value == 3 && !manager.canRedo && manager.canUndo)
    #expect(log.changes == [.done, .done, .undone, .undone, .redone, .redone])
  }

  @Test("A new action forgets what could be redone")
  func forgets() {
    counter.set(1)
    manager.undo()
    counter.set(5)
    #expect(!manager.canRedo)
    manager.redo()
    #expect(counter.value == 5)
  }

  @Test("A group and groups in it are one step; without groups by event each action is one")
  func groups() {
    manager.groupsByEvent = false
    manager.beginUndoGrouping()
    counter.set(1)
    manager.beginUndoGrouping()
    counter.set(2)
    manager.endUndoGrouping()
    counter.set(3)
    // Not while the group is open
    manager.undo()
    #expect(counter.value == 3 && manager.groupingLevel == 1)
    manager.endUndoGrouping()
    counter.set(4)
    counter.set(5)
    manager.undo()
    #expect(counter.value == 4)
    manager.undo()
    manager.undo()
    #expect(counter.value == 0)
    // One too many, and an empty one
    manager.endUndoGrouping()
    manager.beginUndoGrouping()
    manager.endUndoGrouping()
    #expect(!manager.canUndo && manager.canRedo)
  }

  @Test("Groups have names, which undoing and redoing keep")
  func names() {
    counter.set(1)
    manager.setActionName("Count")
    #expect(manager.undoActionName == "Count" && manager.redoActionName == "")
    manager.undo()
    #expect(manager.undoActionName == "" && manager.redoActionName == "Count")
    manager.redo()
    #expect(manager.undoActionName == "Count")
  }

  @Test("No more groups are kept than are wanted, the latest ones")
  func levels() {
    manager.levelsOfUndo = 2
    for value in 1...5 {
      events.number = value
      counter.set(value)
    }
    while manager.canUndo { manager.undo() }
    #expect(counter.value == 3)
  }

  @Test("The actions of an object that is gone are gone, and its own can be forgotten")
  func targets() {
    var gone: Counter? = Counter(manager)
    gone?.set(1)
    events.number = 1
    counter.set(1)
    gone = nil
    manager.undo()
    manager.undo()
    #expect(counter.value == 0 && !manager.canUndo)
    counter.set(2)
    manager.removeAllActions(withTarget: counter)
    #expect(!manager.canUndo)
    counter.set(3)
    manager.removeAllActions()
    manager.undo()
    #expect(counter.value == 3)
  }

  @Test("A group whose targets are gone is skipped, and what is undone then is no way back to what was saved")
  func goneTargets() {
    var gone: Counter? = Counter(manager)
    counter.set(1)
    manager.setActionName("Count")
    events.number = 1
    gone?.set(1)
    manager.setActionName("Gone")
    gone = nil
    #expect(manager.canUndo && manager.undoActionName == "Count")
    manager.undo()
    #expect(counter.value == 0 && !manager.canUndo && manager.canRedo)
    // Nothing is left to undo, and nothing is said to be
    gone = Counter(manager)
    gone?.set(2)
    gone = nil
    #expect(!manager.canUndo && manager.undoActionName == "")
    manager.undo()
    #expect(log.changes == [.done, .done, .untracked, .done])
  }

  @Test("A group that has lost a target in part is undone in part, which cannot be counted")
  func goneInPart() {
    var gone: Counter? = Counter(manager)
    counter.set(1)
    gone?.set(1)
    gone = nil
    manager.undo()
    #expect(counter.value == 0 && log.changes == [.done, .untracked])
    manager.redo()
    #expect(counter.value == 1 && log.changes == [.done, .untracked, .redone])
    // One that is to be redone goes, too
    gone = Counter(manager)
    events.number = 1
    gone?.set(5)
    manager.undo()
    gone = nil
    #expect(!manager.canRedo && manager.redoActionName == "")
    manager.redo()
    #expect(log.changes == [.done, .untracked, .redone, .done, .undone])
  }

  @Test("What is registered while registration is off is not undone")
  func disabled() {
    manager.disableUndoRegistration()
    counter.set(1)
    manager.enableUndoRegistration()
    manager.enableUndoRegistration()
    #expect(!manager.canUndo && manager.isUndoRegistrationEnabled)
  }

  @Test("A new step within an event is undone alone; a group that it parts is a change that cannot be counted")
  func steps() {
    counter.set(1)
    manager.beginNewStep()
    counter.set(2)
    manager.undo()
    #expect(counter.value == 1)
    manager.beginUndoGrouping()
    counter.set(7)
    manager.beginNewStep()
    counter.set(8)
    manager.endUndoGrouping()
    manager.undo()
    #expect(counter.value == 1)
    #expect(log.changes == [.done, .done, .undone, .done, .done, .untracked])
  }

  @Test("The number of steps grows with each action, undo and redo, and with nothing that does nothing")
  func stepNumbers() {
    func grows(_ body: () -> Void) -> Bool {
      let before = manager.stepNumber
      body()
      return manager.stepNumber > before
    }
    #expect(grows { counter.set(1) } && grows { manager.undo() } && grows { manager.redo() })
    // And where something is forgotten, or a group of the program's begins or ends
    #expect(grows { manager.removeAllActions(withTarget: counter) } && grows { manager.removeAllActions() })
    #expect(!grows { manager.removeAllActions(withTarget: counter) })
    #expect(grows { manager.beginUndoGrouping() } && !grows { manager.beginUndoGrouping() })
    #expect(!grows { manager.endUndoGrouping() } && grows { manager.endUndoGrouping() })
    #expect(!grows { manager.endUndoGrouping() })
    manager.disableUndoRegistration()
    #expect(!grows { manager.redo() } && !grows { counter.set(2) })
  }

  @Test("What was forgotten stays changed: an undo of what came before is no way back to what was saved")
  func forgotten() {
    let other = Counter(manager)
    for (event, changed) in [counter, other, counter].enumerated() {
      events.number = event
      changed.set(1 + event)
    }
    // One in between, and the one that is still open
    manager.removeAllActions(withTarget: other)
    events.number = 3
    other.set(7)
    manager.removeAllActions(withTarget: other)
    log.changes = []
    manager.undo()
    #expect(counter.value == 1 && log.changes == [.untracked])
    manager.undo()
    #expect(counter.value == 0 && log.changes == [.untracked, .untracked] && !manager.canUndo)
    // And a part of a group
    manager.removeAllActions()
    events.number = 4
    counter.set(4)
    other.set(4)
    manager.removeAllActions(withTarget: other)
    log.changes = []
    manager.undo()
    #expect(counter.value == 0 && other.value == 4 && log.changes == [.untracked])
  }

  @Test("An undo within an undo does nothing")
  func nested() {
    let manager = manager
    manager.registerUndo(withTarget: counter) { _ in manager.undo() }
    manager.undo()
    #expect(!manager.canUndo && !manager.isUndoing)
  }

  @Test("A responder finds the manager of its chain")
  func chain() {
    final class Owner: Responder {
      let own = UndoManager()
      override var undoManager: UndoManager? { own }
    }
    final class Child: Responder {
      var parent: Responder?
      override var next: Responder? { parent }
    }
    let (owner, child) = (Owner(), Child())
    #expect(child.undoManager == nil)
    child.parent = owner
    #expect(child.undoManager === owner.own)
  }
}
