import CSystem
import Glibc
import Synchronization

/// Devices in a testbed of umockdev, which come and go for the programs that are started with its ``environment``.
package final class DeviceBed: Sendable {
  package static var isInstalled: Bool {
    DeskSupport.isInstalled("umockdev-wrapper") && access("/usr/bin/python3", X_OK) == 0
      && access("/usr/lib/python3/dist-packages/gi/__init__.py", R_OK) == 0
  }

  /// The folder that has the testbed's `/sys` and `/dev`.
  package let root: String
  private let folder: TemporaryFolder
  private let process: ChildProcess
  private let commands: Int32
  private let count = Mutex(0)
  private let listener = Mutex<Int32?>(nil)

  private static let script = """
    import gi, os, sys, time
    gi.require_version('UMockdev', '1.0')
    from gi.repository import UMockdev
    bed = UMockdev.Testbed.new()
    bed.add_from_string('P: /devices/tick\\nE: SUBSYSTEM=tty\\n')
    print(bed.get_root_dir(), flush=True)
    for line in open(sys.argv[1]):
        command, *words = line.rstrip('\\n').split(' ', 2)
        if command == 'add':
            text = open(words[0], 'rb').read().decode('utf-8', 'surrogateescape')
            bed.add_from_string(text)
            for path in [l[3:] for l in text.split('\\n') if l.startswith('P: ')]:
                bed.uevent('/sys' + path, 'add')
        elif command == 'remove':
            bed.uevent('/sys' + words[0], 'remove')
            bed.remove_device('/sys' + words[0])
            # What reads before the folder has gone is told to read again.
            bed.uevent('/sys/devices/tick', 'change')
        elif command == 'replug':
            bed.uevent('/sys' + words[0], 'remove')
            if words[1:]:
                bed.set_property('/sys' + words[0], 'ID_SERIAL_SHORT', words[1])
            bed.uevent('/sys' + words[0], 'add')
        elif command == 'status':
            bed.set_attribute('/sys' + words[0], 'status', words[1])
            bed.uevent('/sys' + words[0], 'change')
        elif command == 'set':
            # A value that is read, of which the kernel says nothing.
            name, value = words[1].split(' ', 1)
            bed.set_attribute('/sys' + words[0], name, value + '\\n')
        elif command == 'shake':
            for number in range(16):
                bed.set_attribute('/sys' + words[0], 'in_accel_x_raw', '2500' if number % 2 else '-2500')
                time.sleep(0.1)
            bed.set_attribute('/sys' + words[0], 'in_accel_x_raw', '0')
        elif command == 'type':
            os.write(bed.get_dev_fd(words[0]), words[1].encode() + b'\\n')
        elif command == 'flood':
            for number in range(int(words[1])):
                bed.uevent('/sys' + words[0], 'change')
        print('done', flush=True)
    """

  /// Makes a testbed without devices.
  /// - Throws: `DeskFailure` if that is not possible.
  package init() async throws {
    folder = try TemporaryFolder()
    let pipe = folder.file("commands")
    guard mkfifo(pipe, 0o600) == 0 else { throw DeskFailure("no pipe for commands") }
    commands = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    let (output, errors) = (folder.file("out"), folder.file("err"))
    process = try ChildProcess(
      ["umockdev-wrapper", "/usr/bin/python3", "-c", Self.script, pipe],
      environment: try privateEnvironment(home: folder, display: nil), output: output, errors: errors)
    root = try await waitFor("umockdev") {
      text(of: output).split(separator: "\n").first.flatMap { $0.hasPrefix("/") ? String($0) : nil }
    }
  }

  deinit { close(commands) }

  /// What lets a program see these devices, and no others.
  package var environment: [String: String] {
    ["LD_PRELOAD": "libumockdev-preload.so.0", "UMOCKDEV_DIR": root]
  }

  /// The descriptors by which a program listens to what becomes of devices.
  private var listeners: [Int32] {
    guard let entries = opendir(root) else { return [] }
    defer { closedir(entries) }
    var numbers: [Int32] = []
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name.hasPrefix("event"), let number = Int32(name.dropFirst(5)) { numbers.append(number) }
    }
    return numbers
  }

  /// Whether a program listens to what becomes of devices.
  package var hasListeners: Bool { !listeners.isEmpty }

  /// Names the program that listens, which is told the next thing when it has heard the last one: umockdev cannot keep
  /// more than ten.
  package func wait(for program: Program) { listener.withLock { $0 = program.pid } }

  /// Whether the program has heard everything.
  package var isHeard: Bool {
    guard let process = listener.withLock({ $0 }) else { return true }
    let descriptor = linux_process_descriptor(process)
    defer { close(descriptor) }
    return listeners.allSatisfy { number in
      let copy = linux_descriptor_of(descriptor, number)
      guard copy >= 0 else { return false }
      defer { close(copy) }
      var count: Int32 = 0
      return ioctl(copy, UInt(FIONREAD), &count) == 0 && count == 0
    }
  }

  /// Ends a program by SIGTERM.
  ///
  /// umockdev's library blocks all signals around its calls, and keeps the mask to go back to in one variable for all
  /// threads (libumockdev-preload.c, `TRAP_PATH_LOCK`). Rarely that leaves the main thread with the mask of another,
  /// which blocks every signal, and nothing but SIGKILL is heard any more.
  /// - Returns: Whether the program ended with 0, or could not hear the signal.
  package func end(_ program: Program) async throws -> Bool {
    program.send(SIGTERM)
    var isDeaf = false
    var looks = 0
    _ = try await waitFor("the end, or a mask that keeps SIGTERM away", evidence: { program.evidence }) {
      let status = text(of: "/proc/\(program.pid)/status")
      func bits(_ name: String) -> UInt64 {
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":\t") }
        return line.flatMap { UInt64($0.dropFirst(name.count + 2), radix: 16) } ?? 0
      }
      if status.isEmpty || status.contains("\nState:\tZ") { return true }
      let term: UInt64 = 1 << (UInt64(SIGTERM) - 1)
      looks = bits("SigBlk") & bits("ShdPnd") & term == 0 ? 0 : looks + 1
      isDeaf = looks > 500
      return isDeaf ? true : nil
    }
    if isDeaf { program.send(SIGKILL) }
    return try await program.end() == (isDeaf ? .signalled(SIGKILL) : .exited(0))
  }

  /// Adds devices, in umockdev's own words, and says so.
  package func add(_ description: String) async throws {
    for (number, device) in description.split(separator: "\n\n").enumerated() {
      try await perform("add \(try folder.write("device\(number)", String(device) + "\n\n"))")
    }
  }

  /// Removes the device at a path below `/sys`, and says so.
  package func remove(_ path: String) async throws { try await perform("remove \(path)") }

  /// Says that a device has gone and has come back, the same one or one with another serial number.
  ///
  /// The file of a device that has been removed cannot be made again.
  package func replug(_ path: String, serialNumber: String? = nil) async throws {
    try await perform("replug \(path)" + (serialNumber.map { " " + $0 } ?? ""))
  }

  /// Changes whether something is connected to a connector, and says so.
  package func setStatus(_ status: String, of path: String) async throws {
    try await perform("status \(path) \(status)")
  }

  /// Changes a value of a device, of which nothing is said: it has to be read.
  package func set(_ name: String, _ value: String, of path: String) async throws {
    try await perform("set \(path) \(name) \(value)")
  }

  /// Sees which files of a device are opened, from now on.
  package func openings(of path: String) throws -> FileOpenings { try FileOpenings(in: "\(root)/sys\(path)") }

  /// Shakes an accelerometer to and fro along its first axis, for a second and a half, and then holds it still.
  package func shake(_ path: String) async throws { try await perform("shake \(path)") }

  /// Lets a serial device send a line.
  package func type(_ line: String, at node: String) async throws { try await perform("type \(node) \(line)") }

  /// Says that a device has changed, eight times at once, and that again and again.
  package func flood(_ path: String, _ times: Int) async throws {
    for _ in 0..<times { try await perform("flood \(path) 8") }
  }

  private func perform(_ command: String) async throws {
    try await waitUntil("the program to hear what was said") { isHeard }
    let line = command + "\n"
    let number = count.withLock { count in
      count += 1
      return count
    }
    _ = line.withCString { write(commands, $0, strlen($0)) }
    try await waitUntil(command, evidence: { text(of: self.process.outputPath) + text(of: self.process.errorPath) }) {
      text(of: process.outputPath).split(separator: "\n").count { $0 == "done" } >= number
    }
  }
}

/// Speaks as udev does: to every program that listens.
package enum DeviceMessages {
  package static var isInstalled: Bool { access("/usr/bin/python3", X_OK) == 0 }

  private static let script = #"""
    import socket, struct, sys
    def murmur(key):
        m, n, h, i = 0x5bd1e995, len(key), len(key), 0
        while n >= 4:
            k = struct.unpack_from('<I', key, i)[0] * m & 0xffffffff
            k = (k ^ k >> 24) * m & 0xffffffff
            h, i, n = (h * m & 0xffffffff) ^ k, i + 4, n - 4
        for j in range(n - 1, -1, -1):
            h ^= key[i + j] << 8 * j
        if n:
            h = h * m & 0xffffffff
        h = (h ^ h >> 13) * m & 0xffffffff
        return h ^ h >> 15
    def message(fields, magic=0xfeedcafe):
        body = b''.join(f.encode('utf-8', 'surrogateescape') + b'\0' for f in fields)
        return b'libudev\0' + struct.pack('>I', magic) + struct.pack('=III', 40, 40, len(body)) \
            + struct.pack('>IIII', murmur(b'tty'), 0, 0, 0) + body
    def device(action, name):
        return message(['ACTION=' + action, 'DEVPATH=/devices/virtual/tty/' + name, 'SUBSYSTEM=tty', 'SEQNUM=1'])
    out = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15)
    out.bind((0, 0))
    if sys.argv[1] == 'rubbish':
        good = device('remove', 'rubbish')
        for bytes in [b'\0', b'libudev\0', good[:20], good[:41], message([]), message(['A'] * 500), message(['=']),
                      message(['ACTION=remove']), message(['DEVPATH=../..', 'SUBSYSTEM=tty', 'ACTION=remove']),
                      message(['ACTION=remove', 'DEVPATH=/devices/virtual/tty/rubbish', 'SUBSYSTEM=tty'], 1),
                      b'add@/devices/virtual/tty/rubbish\0ACTION=remove\0', b'\xff' * 4000]:
            out.sendto(bytes, (0, 2))
    else:
        for number in range(int(sys.argv[3])):
            out.sendto(device(sys.argv[1], sys.argv[2]), (0, 2))
    """#

  /// Says something of a terminal, so many times.
  /// - Returns: Whether the kernel lets this user.
  package static func send(_ action: String, _ name: String, times: Int = 1) async throws -> Bool {
    try await run([action, name, "\(times)"])
  }

  /// Sends messages that udev does not send.
  /// - Returns: Whether the kernel lets this user.
  package static func sendRubbish() async throws -> Bool { try await run(["rubbish"]) }

  private static func run(_ arguments: [String]) async throws -> Bool {
    let folder = try TemporaryFolder()
    let process = try ChildProcess(
      ["/usr/bin/python3", "-c", script] + arguments, environment: try privateEnvironment(home: folder, display: nil),
      output: folder.file("out"), errors: folder.file("err"))
    return try await process.wait() == .exited(0)
  }
}
