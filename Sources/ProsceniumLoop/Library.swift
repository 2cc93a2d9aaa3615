import CSystem

/// A library that is loaded while the program runs, with the functions that its header in CSystem declares.
///
/// It is unloaded when the value ends: everything that it has made must be released before. Sendable, because its
/// fields never change, and dlclose(3) may be called on any thread.
package struct Library<Functions: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  /// Loads a library and finds its functions: the library's function of CSystem, `xkbcommon_open` for instance.
  package typealias Open = (UnsafeMutablePointer<Functions>) -> UnsafeMutableRawPointer?

  package let functions: Functions
  private let handle: UnsafeMutableRawPointer

  /// Loads a library, on any thread; nil where it is not installed or lacks a function.
  package init?(_ open: Open) {
    guard let (functions, handle) = Self.load(open) else { return nil }
    self.functions = functions
    self.handle = handle
  }

  deinit { _ = library_unload(handle) }

  /// Loads a library that cannot be unloaded, on any thread; nil where it is not installed or lacks a function.
  package static func permanent(_ open: Open) -> Functions? { load(open)?.functions }

  private static func load(_ open: Open) -> (functions: Functions, handle: UnsafeMutableRawPointer)? {
    withUnsafeTemporaryAllocation(of: Functions.self, capacity: 1) { place in
      guard let base = place.baseAddress, let handle = open(base) else { return nil }
      return (base.move(), handle)
    }
  }
}
