internal import Glibc
import ProsceniumLoop

/// The text of a store's lock: who has it, and where, in tokens with a space between them.
///
/// The machine and its start are later than the rest: a lock of an earlier version of the library lacks them.
struct LockText: Hashable {
  var process: pid_t
  var display: String?
  var machine: Machine?

  /// The text of this process.
  init(own display: String) { (process, self.display, machine) = (getpid(), display, Machine.own) }

  /// Reads a file, which may have any content; nil where it names no process.
  init?(_ bytes: some Collection<UInt8>) {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let tokens = line.split(separator: UInt8(ascii: " ")).map { Array($0)[...] }
    guard let first = tokens.first, let process = pid_t(String(decoding: first, as: UTF8.self)), process > 0 else {
      return nil
    }
    func token(_ place: Int) -> String? { tokens.count > place ? Token.decode(tokens[place]) ?? nil : nil }
    self.process = process
    display = token(1)
    // One that is cut off would be another machine's.
    let isWhole = line.count < bytes.count
    if isWhole, let name = token(2), let start = token(3) { machine = Machine(name: name, start: start) }
  }

  /// The text with its line feed.
  var line: String {
    let place = machine.map { " \(Token.encode($0.name)) \(Token.encode($0.start))" } ?? ""
    return "\(process) \(Token.encode(display))\(place)\n"
  }

  /// The name of the machine that the process is on; nil where it is this one, or either is not known.
  func otherMachine(than own: Machine?) -> String? {
    guard let machine, let own, machine.start != own.start else { return nil }
    return machine.name
  }
}

/// A machine that locks files: machines share a home folder on a disk of the network.
struct Machine: Hashable, Sendable {
  /// The name, which several machines may have.
  var name: String
  /// The kernel's name for its start, which no other has (random(4), `boot_id`); containers have their machine's.
  var start: String

  /// This machine; nil where the kernel does not say.
  static var own: Machine? {
    guard let start = KernelFile.text(of: "/proc/sys/kernel/random/boot_id")?.split(separator: "\n").first else {
      return nil
    }
    var name = utsname()
    guard uname(&name) == 0 else { return nil }
    let host = withUnsafeBytes(of: &name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return Machine(name: host, start: String(start))
  }
}
