import Dispatch
import Glibc
import Proscenium

/// A program that shows the first screen in another mode: `--screen-mode=800x600`.
@MainActor enum ScreenModeWords {
  #if WITHOUT_ScreenModes
    static func begin(_ arguments: [String]) {}
  #else
    private static let prefix = "--screen-mode="

    static func begin(_ arguments: [String]) {
      guard let option = arguments.first(where: { $0.hasPrefix(prefix) })?.dropFirst(prefix.count) else { return }
      let numbers = option.split(separator: "x").compactMap { Int($0) }
      if numbers.count == 2 { choose(Size(width: numbers[0], height: numbers[1])) }
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
