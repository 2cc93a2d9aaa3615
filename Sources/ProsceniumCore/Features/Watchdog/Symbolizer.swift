import CSystem
import Glibc

/// Names for addresses: the loader's, else those of the file; Swift's names demangled.
struct Symbolizer {
  private var files: [String: ElfSymbols] = [:]

  /// A line for one frame: the module, the function, and the offset in it; without a function the offset in the module,
  /// for a reader with its debugging information.
  mutating func describe(_ address: UInt) -> String {
    var symbol = linux_symbol()
    guard linux_symbol_at(UnsafeRawPointer(bitPattern: address), &symbol) != 0, let file = symbol.file else {
      // A statically linked program has only itself.
      let symbols = symbols(of: Self.program)
      guard symbols.isFixed, let (name, offset) = symbols.function(at: UInt64(address)) else {
        return "0x" + String(address, radix: 16)
      }
      return "\(readable(name)) + \(offset)"
    }
    let path = String(cString: file)
    let module = path.split(separator: "/").last.map(String.init) ?? path
    let base = UInt(bitPattern: symbol.base)
    if let name = symbol.name {
      return "\(module)  \(readable(String(cString: name))) + \(address - UInt(bitPattern: symbol.address))"
    }
    // The program's own name is its argv[0], which may be relative to another directory.
    let isProgram = path == CommandLine.arguments.first || !path.hasPrefix("/")
    let symbols = symbols(of: isProgram ? Self.program : path)
    if let (name, offset) = symbols.function(at: UInt64(symbols.isFixed ? address : address - base)) {
      return "\(module)  \(readable(name)) + \(offset)"
    }
    return "\(module)  + 0x" + String(address - base, radix: 16)
  }

  private static let program = "/proc/self/exe"

  private mutating func symbols(of path: String) -> ElfSymbols {
    let symbols = files[path] ?? ElfSymbols(path: path)
    files[path] = symbols
    return symbols
  }

  private func readable(_ name: String) -> String {
    guard let text = linux_readable_name(name, UInt(name.utf8.count), nil, nil, 0) else { return name }
    defer { free(text) }
    return String(cString: text)
  }
}
