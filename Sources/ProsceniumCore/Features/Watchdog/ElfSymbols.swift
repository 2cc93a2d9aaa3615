import Glibc
import ProsceniumLoop

/// The symbols of functions in the file of a program or library, with those that it does not export.
///
/// Read by hand: `dladdr` knows exported functions only, and the toolchain's `Runtime` module, which can name others,
/// does so only for a backtrace of its own (``ThreadBacktraces``).
struct ElfSymbols {
  private struct Function {
    var start: UInt64
    var size: UInt64
    var name: Int
  }

  private var functions: [Function] = []
  private var names: [UInt8] = []
  /// Whether its addresses are absolute, and not relative to its beginning.
  private(set) var isFixed = false

  /// A file that cannot be read, or is not ELF, has no symbols.
  init(path: String) {
    guard let file = try? Descriptor(opening: path, O_RDONLY) else {
      self.init { _, _ in nil }
      return
    }
    self.init { offset, count in
      // No real file has as many symbols.
      guard offset >= 0, count > 0, count < 1 << 28 else { return nil }
      return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = max(0, pread(file.number, buffer.baseAddress, count, off_t(offset)))
      }
    }
  }

  /// The section of symbols (`SHT_SYMTAB`) of a 64-bit file (elf(5)), of which the function reads parts.
  init(_ read: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    guard let header = read(0, 64), header.count == 64, header.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]) else {
      return
    }
    isFixed = header.number(at: 16, 2) == 2
    let entrySize = Int(header.number(at: 58, 2))
    let count = Int(header.number(at: 60, 2))
    guard entrySize >= 64, count > 0, let start = Int(exactly: header.number(at: 40, 8)),
      let sections = read(start, entrySize * count), sections.count == entrySize * count
    else { return }
    func section(_ index: Int) -> [UInt8]? {
      guard index < count else { return nil }
      guard let offset = Int(exactly: sections.number(at: index * entrySize + 24, 8)),
        let size = Int(exactly: sections.number(at: index * entrySize + 32, 8))
      else { return nil }
      return read(offset, size)
    }
    guard let index = (0..<count).first(where: { sections.number(at: $0 * entrySize + 4, 4) == 2 }),
      let symbols = section(index),
      let names = section(Int(sections.number(at: index * entrySize + 40, 4)))
    else { return }
    self.names = names
    for at in stride(from: 0, to: symbols.count - 23, by: 24) where symbols[at + 4] & 0xf == 2 {
      let start = symbols.number(at: at + 8, 8)
      guard start != 0 else { continue }
      functions.append(
        Function(start: start, size: symbols.number(at: at + 16, 8), name: Int(symbols.number(at: at, 4))))
    }
    functions.sort { $0.start < $1.start }
  }

  /// The name of the function at an address, and the offset of the address in it.
  func function(at address: UInt64) -> (name: String, offset: UInt64)? {
    // The last one that starts at or before the address.
    var (low, high) = (0, functions.count)
    while low < high {
      let middle = (low + high) / 2
      if functions[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let function = functions[low - 1]
    let offset = address - function.start
    guard offset < max(function.size, 1), function.name < names.count else { return nil }
    return (String(decoding: names[function.name...].prefix { $0 != 0 }, as: UTF8.self), offset)
  }
}

extension [UInt8] {
  /// A little-endian number of some bytes; the caller checks the bounds.
  fileprivate func number(at offset: Int, _ size: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in 0..<size { number |= UInt64(self[offset + index]) << UInt64(8 * index) }
    return number
  }
}
