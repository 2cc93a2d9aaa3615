import CSystem
import ProsceniumLoop

/// libxkbcommon and a context of it, in which keymaps and compose tables are made.
struct XKBContext: ~Copyable, @unchecked Sendable {
  let pointer: OpaquePointer
  private let library: Library<xkbcommon_library>

  /// Loads the library; nil where it is not installed.
  init?() {
    guard let library = Library(xkbcommon_open), let pointer = library.functions.xkb_context_new(0) else { return nil }
    // The program can do nothing about errors in the rules that the server names.
    library.functions.xkb_context_set_log_level(pointer, XKB_LOG_LEVEL_CRITICAL)
    self.pointer = pointer
    self.library = library
  }

  deinit { functions.xkb_context_unref(pointer) }

  var functions: xkbcommon_library { library.functions }

  /// Reads a text that a function writes into a buffer.
  /// - Parameters:
  ///   - size: The buffer's size in bytes.
  ///   - write: Writes the text and a zero into the buffer and returns how many bytes the text has.
  /// - Returns: The text.
  static func text(size: Int, _ write: (UnsafeMutablePointer<CChar>?, Int) -> Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
      let count = min(Int(max(0, write(buffer.baseAddress, size))), size - 1)
      return String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self)
    }
  }
}
