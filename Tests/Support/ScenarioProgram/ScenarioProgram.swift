import Dispatch
import Glibc
import Proscenium
import ScenarioKit

/// The program of the scenarios on a real server.
///
/// Commands come through a pipe named by `--commands=`, one a line, on the main queue; each is answered on standard
/// output with `ok` or `unknown`. A callback within a callback ends the program with status 70.
@main @MainActor enum ScenarioProgram {
  static func main() {
    if DocumentChurn.begin(CommandLine.arguments) { return }
    let options = ScenarioOptions(CommandLine.arguments)
    Probe.current = Probe(options: options)
    let prefix = "--commands="
    if let argument = CommandLine.arguments.first(where: { $0.hasPrefix(prefix) }) {
      readCommands(String(argument.dropFirst(prefix.count)))
    }
    if CommandLine.arguments.contains("--crash-handler") { handleCrashes() }
    // When the loop runs: then there is an application.
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        Holding.begin(CommandLine.arguments)
        ScreenModeWords.begin(CommandLine.arguments)
        if CommandLine.arguments.contains("--patient") {
          hold([\.inactive, \.background, \.focus, \.application], for: patience)
        }
        // Longer than a busy machine takes for what is to be short, and shorter than what is to be long.
        if CommandLine.arguments.contains("--unhurried") { hold([\.focus, \.application, \.grab], for: 2) }
      }
    }
    let delegate: AnyClass =
      if Churn.begin(CommandLine.arguments) {
        ChurnDelegate.self
      } else if MemoryScenes.begin(CommandLine.arguments) {
        MemoryDelegate.self
      } else if CommandLine.arguments.contains("--rounds") {
        RoundsDelegate.self
      } else if RemindersDelegate.isMeant {
        remindersDelegate
      } else if TasksDelegate.isMeant {
        tasksDelegate
      } else {
        options.isAppBased ? AppBasedDelegate.self : SceneBasedDelegate.self
      }
    OuterLoops.run(isAppBased: options.isAppBased)
    ApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, delegate)
  }

  private static var remindersDelegate: AnyClass {
    #if WITHOUT_UserNotifications
      SceneBasedDelegate.self
    #else
      RemindersDelegate.self
    #endif
  }

  private static var tasksDelegate: AnyClass {
    #if WITHOUT_BackgroundScheduler
      SceneBasedDelegate.self
    #else
      TasksDelegate.self
    #endif
  }

  /// A crash reporter of the program's own, before the framework is there.
  private static func handleCrashes() {
    for number in [SIGSEGV, SIGABRT] {
      signal(number) { number in
        let text: StaticString = "the program's own handler\n"
        _ = write(1, text.utf8Start, text.utf8CodeUnitCount)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// The length of `--patient` holds, which a busy machine does not outlast.
  private static let patience = 5

  private static func hold(_ holds: [WritableKeyPath<HoldTimes, Duration>], for seconds: Int) {
    for hold in holds { Application.shared.holdTimes[keyPath: hold] = .seconds(seconds) }
  }

  /// A child with whatever it inherits, which outlives this process.
  private static func startChild() -> Bool {
    var child: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("60"), nil]
    defer { arguments.forEach { free($0) } }
    guard posix_spawnp(&child, "sleep", nil, nil, &arguments, nil) == 0 else { return false }
    print("child \(child)")
    return true
  }

  /// A source ends with its last reference.
  private static var source: (any DispatchSourceRead)?

  private static func readCommands(_ path: String) {
    // Read and write, so that the pipe never ends.
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler {
      var bytes = [UInt8](repeating: 0, count: 65536)
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return }
      let text = String(decoding: bytes[..<count], as: UTF8.self)
      MainActor.assumeIsolated { perform(text) }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
    self.source = source
  }

  /// Sets a preference.
  private static func prefer(_ words: [Substring]) -> Bool {
    #if WITHOUT_Preferences
      return false
    #else
      guard words.count == 3, let value = Int(words[2]) else { return false }
      Application.shared.preferences[PreferenceKey(String(words[1]), default: 0)] = value
      return true
    #endif
  }

  private static func tellDirectories() -> Bool {
    #if WITHOUT_Directories
      return false
    #else
      return DirectoryWords.perform()
    #endif
  }

  private static func useProtectedFile(_ words: [Substring]) -> Bool {
    #if WITHOUT_ProtectedFiles
      return false
    #else
      return ProtectedWords.perform(words)
    #endif
  }

  private static func tellAccessories(_ words: [Substring]) -> Bool {
    #if WITHOUT_Accessories
      return false
    #else
      return AccessoryWords.perform(words)
    #endif
  }

  /// Gives the shortcut item another title.
  private static func nameShortcut(_ words: [Substring]) -> Bool {
    #if WITHOUT_OpenRequests
      return false
    #else
      guard words.count == 2 else { return false }
      Application.shared.shortcutItems = [
        ApplicationShortcutItem(type: "org.example.compose", localizedTitle: String(words[1]))
      ]
      return true
    #endif
  }

  private static func perform(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 3, words[0] == "rounds", let kind = Rounds.Kind(rawValue: String(words[1])),
        let count = Int(words[2])
      {
        Rounds.start(kind, count) {
          print("ok \(line)")
          fflush(nil)
        }
        continue
      }
      if line == "outlast holds" {
        // The loop passes its own deadlines before it runs the main queue.
        DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(patience)) {
          print("ok \(line)")
          fflush(nil)
        }
        continue
      }
      if line == "busy" { Busy.start() }
      if line == "ticks" { print("ticks \(Busy.ticks)") }
      let isDone =
        if ["busy", "ticks"].contains(line) {
          true
        } else if line == "child" {
          startChild()
        } else if line == "hang at the end" {
          atexit { while true { pause() } } == 0
        } else if words.first == "prefer" {
          prefer(words)
        } else if words.first == "shortcut" {
          nameShortcut(words)
        } else if line == "directories" {
          tellDirectories()
        } else if words.first == "task" {
          TasksDelegate.perform(words)
        } else if words.first == "mode" {
          Modes.perform(words)
        } else if words.first == "connect" {
          Modes.connect(words)
        } else if ["accessories", "session"].contains(words.first) {
          tellAccessories(words)
        } else if words.first == "offer" {
          Offers.perform(words)
        } else if words.first == "protected" {
          useProtectedFile(words)
        } else if words.first == "memory" {
          MemoryScenes.perform(words)
        } else if ["heat", "shakes", "player"].contains(words.first) {
          ListenerWords.perform(words)
        } else {
          Probe.current.perform(String(line))
        }
      print(isDone ? "ok \(line)" : "unknown \(line)")
    }
    if let violation = Probe.current.violations.first {
      print("nested: \(violation)")
      fflush(nil)
      exit(70)
    }
    fflush(nil)
  }
}
