import Dispatch
import Glibc
import Proscenium

/// A program that shows the first screen in another mode: `--screen-mode=800x600`; with
/// `--screen-mode=800x600,1024x768` in the second one after SIGUSR1.
@MainActor enum ScreenModeWords {
  #if WITHOUT_ScreenModes
    static func begin(_ arguments: [String]) {}
  #else
    private static let prefix = "--screen-mode="
    private static var source: (any DispatchSourceSignal)?

    static func begin(_ arguments: [String]) {
      guard let option = arguments.first(where: { $0.hasPrefix(prefix) })?.dropFirst(prefix.count) else { return }
      let sizes = option.split(separator: ",").compactMap { words -> Size? in
        let numbers = words.split(separator: "x").compactMap { Int($0) }
        return numbers.count == 2 ? Size(width: numbers[0], height: numbers[1]) : nil
      }
      if let first = sizes.first { choose(first) }
      if let second = sizes.dropFirst().first { chooseAfterSignal(second) }
    }

    private static func chooseAfterSignal(_ size: Size) {
      signal(SIGUSR1, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .main)
      source.setEventHandler { MainActor.assumeIsolated { choose(size) } }
      source.activate()
      Self.source = source
    }

    /// Asks again and again: the screens, their modes and the foreground come one after the other.
    private static func choose(_ size: Size) {
      let screen = Application.shared.screens.first
      guard let screen, let mode = screen.availableModes.first(where: { $0.size == size }) else { return again(size) }
      screen.requestMode(mode) { result in
        guard case .success = result else { return again(size) }
        print("mode \(size.width)x\(size.height)")
        fflush(nil)
      }
    }

    private static func again(_ size: Size) {
      DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(20)) {
        MainActor.assumeIsolated { choose(size) }
      }
    }
  #endif
}
