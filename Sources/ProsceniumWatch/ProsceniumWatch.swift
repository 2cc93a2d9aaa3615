import Glibc
import SceneObserver

/// `proscenium-watch`: prints the life-cycle states of windows as they change.
@main enum ProsceniumWatch {
  private static let usage = """
    usage: proscenium-watch [--all | WINDOW...]

    Prints a line for each step of a window's scene: the time, the window, the state, the rule or
    event that has decided, and the title. WINDOW is a number as xwininfo(1) prints it; --all means
    all windows that the window manager lists (_NET_CLIENT_LIST): none where it keeps no list, as
    twm, or where there is none. Without arguments the next window that is clicked on is watched.
    Ends when all windows that were named are gone, with 1 where one of them was not there, or with
    Control-C.
    """

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.contains("-h") || arguments.contains("--help") { return print(usage) }
    do throws(SceneObserverError) {
      exit(try watch(Array(arguments)))
    } catch {
      fail("proscenium-watch: \(error.description)")
      exit(1)
    }
  }

  private static func watch(_ arguments: [String]) throws(SceneObserverError) -> Int32 {
    var windows: Set<UInt32> = []
    let isAll = arguments == ["--all"]
    for argument in isAll ? [] : arguments {
      let digits = argument.hasPrefix("0x") ? (argument.dropFirst(2), 16) : (argument[...], 10)
      guard let window = UInt32(digits.0, radix: digits.1) else {
        fail(usage)
        return 2
      }
      windows.insert(window)
    }
    let observer = try SceneObserver()
    if isAll {
      observer.observesManagedWindows = true
    } else if windows.isEmpty {
      let ask = {
        print("Click on a window.")
        fflush(nil)
      }
      guard let window = try SceneObserver.pickWindow(isReady: ask) else {
        fail("proscenium-watch: that is the desktop's background, and no window.")
        return 1
      }
      windows = [window]
    }
    for window in windows { observer.observe(window) }
    return follow(observer, windows, isAll: isAll)
  }

  private static func follow(_ observer: SceneObserver, _ windows: Set<UInt32>, isAll: Bool) -> Int32 {
    var windows = windows
    var isAnyMissing = false
    while observer.isConnected, isAll || !windows.isEmpty {
      var descriptor = pollfd(fd: observer.descriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, -1)
      for change in observer.dispatch() {
        print("\(time()) \(change) \(shown(observer.title(of: change.window)))")
        if change.state == .unattached { windows.remove(change.window) }
      }
      for window in windows where observer.isMissing(window) {
        fail("proscenium-watch: there is no window 0x\(String(window, radix: 16)).")
        windows.remove(window)
        isAnyMissing = true
      }
      fflush(nil)
    }
    if let reason = observer.lossReason {
      fail("proscenium-watch: \(reason)")
      return 1
    }
    return isAnyMissing ? 1 : 0
  }

  /// A title on one line of a terminal, which must not obey it.
  private static func shown(_ title: String) -> String {
    let scalars = title.unicodeScalars.prefix(200).map { scalar -> Character in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "\u{FFFD}"
      default: Character(scalar)
      }
    }
    return String(scalars)
  }

  /// The time of day, with milliseconds.
  private static func time() -> String {
    var (now, parts) = (timespec(), tm())
    clock_gettime(CLOCK_REALTIME, &now)
    localtime_r(&now.tv_sec, &parts)
    let numbers = [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)].map { padded($0, 2) }
    return numbers.joined(separator: ":") + "." + padded(now.tv_nsec / 1_000_000, 3)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func fail(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
