import CSystem
import ProsceniumLoop

/// The functions of sd-bus (sd-bus(3)).
enum BusLibrary {
  /// The library of systemd, elogind or basu; nil where none of them is installed.
  ///
  /// Loaded by the thread that asks first.
  ///
  /// Never unloaded, because it registers functions that run at the end of each thread.
  static let shared = Library.permanent(sd_bus_open)

  /// Loads the library on another thread.
  static func prepare() { _ = DetachedThread.run { _ = shared } }
}
