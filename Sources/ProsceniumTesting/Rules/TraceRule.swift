/// A rule of every program's trace, for any behaviour of the user, the window manager, the machine and the program.
///
/// The numbers are stable: a rule that is given up leaves its number free. See the article *Checking a trace*.
public enum TraceRule: Int, Hashable, Sendable, CaseIterable {
  // The form of a trace, and the launch.
  case wholeLines = 1
  case forwardTime, launchLine, launchPair
  // 5: the scenes and their sessions.
  case step, order, oneActive, disconnectionReason, discard, closedIsDiscarded
  // 11: the application.
  case applicationStep, aggregate, aggregateAtRest, ending, terminated
  // 16: the machine.
  case away, protectedData, protectedScenes, suspension, silence
  // 21: what is handed to the program.
  case activity, receiver, exactlyOnce
  // 24: facts, what follows from them, and time.
  case fact, foregroundIsVisible, activeHasFocus, expiration, question
  // 29: the machine's power.
  case power
  // 30: the machine's files.
  case firstLaunch
  // 31: the user's documents.
  case documents
  // 32: what others ask of the program.
  case remoteControl, notificationResponse
  // 34: work in the background.
  case execution, task
  // 36: the machine's devices, and where it is.
  case accessories, location
  // 38: what other programs continue.
  case handoff
  // 39: the machine's sensors.
  case sensors
  // 40: the interfaces of scenes.
  case interface
  // 41: the user's language and accounts, and the modes of screens.
  case locale, accounts, screenMode
  // 44: the user's protected files.
  case protectedFiles
  // 45: the program's caches.
  case caches
  // 46: lockers that tell nobody.
  case lockers

  /// The rule in a sentence.
  public var sentence: String {
    switch self {
    case .wholeLines:
      "Every line but the last one, which may be cut, is a JSON object with the time t, the process pid and the kind."
    case .forwardTime: "The time of a process never runs backwards."
    case .launchLine:
      "A run begins with one launch line, before which there are errors only: the application, the reason launch, restore or "
        + "recover, and the version 1."
    case .launchPair:
      "willFinishLaunchingWithOptions and didFinishLaunchingWithOptions come once each, in this order, before any scene "
        + "takes a step and before the application is told anything else."
    case .step:
      "A scene's step has one of six names, and leads from the state to the state that the name says."
    case .order:
      "A scene's step begins in the state in which its last one ended; the first one is sceneWillConnect."
    case .oneActive: "No two scenes are active at a time, but for those that are active whenever they are visible."
    case .disconnectionReason: "sceneDidDisconnect has one of the known reasons, and no other step has a reason."
    case .discard:
      "A session is discarded once, while it has no connected scene, and no scene of it takes a step afterwards."
    case .closedIsDiscarded:
      "What the user has closed is discarded before anything is heard of it again, and before the program ends."
    case .applicationStep:
      "The application's state moves by its four steps alone, from neighbour to neighbour, and what every line of the "
        + "application says is where the last step led."
    case .aggregate:
      "A step of the application comes when its scenes have made it true: up when one stands there, down when none "
        + "stands higher."
    case .aggregateAtRest: "A moment after the last step the application's state is that of its most active scene."
    case .ending:
      "When the program ends every scene enters the background before any is disconnected for it, and "
        + "applicationWillTerminate comes when none is connected."
    case .terminated: "After applicationWillTerminate no scene takes a step, and the application is told nothing."
    case .away:
      "While the screen is locked, another session is in front, or the machine sleeps or shuts down, no scene comes to the "
        + "foreground, and a moment later none is left there."
    case .protectedData:
      "applicationProtectedDataWillBecomeUnavailable and applicationProtectedDataDidBecomeAvailable take turns, the first "
        + "one only while the user is away and the second one only when the user is back. One who was away at the launch is "
        + "no reason for the first one."
    case .protectedScenes:
      "Protected data becomes unavailable when every scene is in the background, unless the user was away at the launch, and "
        + "is available again before any leaves it."
    case .suspension:
      "A program is suspended only while every scene is in the background, and only what is suspended is resumed or ended."
    case .silence: "While it is suspended, and after it has been ended so, a program hears of nothing."
    case .activity:
      "willContinueUserActivityWithType is followed at once by one continueUserActivity or one "
        + "didFailToContinueUserActivityWithType for the same session, which never fails without it."
    case .receiver: "URLs and activities are handed to connected scenes."
    case .exactlyOnce:
      "URLs that came are handed over once: never more of them than came, and all of them before the end."
    case .fact: "A fact has a name, a value and a cause, and is written when it changes."
    case .foregroundIsVisible: "A scene in the foreground has a visible window, or had one a moment ago."
    case .activeHasFocus:
      "An active scene has the focus, or had it a moment ago, unless it is active whenever it is visible."
    case .expiration: "The time of background tasks runs out only while every scene is in the background."
    case .power:
      "What is said of the machine's power is another value than the last one, the battery's level is -1 or from 0 to 100, "
        + "and nothing is said of it while the program is suspended."
    case .firstLaunch:
      "The default data of a first launch are copied once, before willFinishLaunchingWithOptions."
    case .documents:
      "What has been changed in a document is saved or kept, or an error says why not, before the program is suspended and "
        + "before applicationWillTerminate; after such an error the document is not closed before it is."
    case .remoteControl:
      "Commands of a remote control are delivered between the begin and the end of receiving them, which take turns, and not "
        + "while the program is suspended or after applicationWillTerminate."
    case .notificationResponse:
      "Responses to notices and pushed messages are delivered, and notices shown at their times, after the launch callbacks, "
        + "while the program is not suspended, and before applicationWillTerminate."
    case .execution:
      "A program is not suspended while it holds an execution mode, which ends once, as the mode that began."
    case .task:
      "A scheduled task begins and ends in turn, its time is nearly over only in between, and the program is not suspended "
        + "then."
    case .accessories:
      "An accessory is connected and disconnected in turns, of which nothing is said while the program is suspended, and a "
        + "session is open only on one that is connected, and never while the program is suspended."
    case .location:
      "What is said of the location is something else than the last time, or a failure that is repeated, a place is told "
        + "only where the user allows it, and nothing is told while the program is suspended."
    case .handoff:
      "An activity is offered to other programs while a scene is in the foreground, and one at a time, is given while it is "
        + "offered and continued once it has been given, and nothing is offered while the program is suspended."
    case .sensors:
      "What sensors tell is something else than the last time, and is told while the application is in the foreground; a "
        + "shake begins while its scene is active, one at a time, and is over before that scene resigns."
    case .interface:
      "The interface of a file is in a scene's window before the scene connects, once for each connection, and in the "
        + "app-based model before the launch callbacks."
    case .locale:
      "What is said of the user's language and formats is a change, that of the region to another one, and nothing is said "
        + "of it while the program is suspended."
    case .accounts:
      "The number of accounts is the last one with those that were added and without those that were removed, each line "
        + "after the first says a change, and nothing is said of them while the program is suspended."
    case .screenMode:
      "A mode of a screen is chosen in the foreground, and put back, once, before the program is suspended or comes to the "
        + "foreground again."
    case .protectedFiles:
      "A protected file is read and written while the key of its class is there, which is fetched and wiped in turns; one that "
        + "is wiped because the screen is locked is not fetched before protected data is available again."
    case .caches:
      "Caches should shrink because memory or the disk is short, each at most once in ten seconds, after the launch "
        + "callbacks, while the program is not suspended, and before applicationWillTerminate."
    case .lockers:
      "A screen saver comes and goes in turns, while there is one no scene becomes active, and a moment later none is; a "
        + "locker that says nothing on a bus locks or blanks the screen, nothing else, and has no name or a printable one."
    case .question: "A scene is asked whether it may be closed only while it is connected."
    }
  }
}
