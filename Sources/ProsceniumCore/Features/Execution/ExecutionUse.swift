/// What shows that a mode is used.
extension ExecutionMode {
  /// The least share of one core that counts as work: a program that only waits stays far below.
  static let leastShare = 0.01

  /// Whether the open files, or the processor time, show the work of the mode.
  /// - Parameters:
  ///   - files: What the program and its children have open.
  ///   - processorShare: The share of one core that they have used since the last look.
  /// - Returns: Whether they do.
  func isUsed(files: [OpenFile], processorShare: Double) -> Bool {
    switch self {
    case .audio: files.contains { $0.isAudio }
    // The framework has one connection to the system bus; the program may reach GeoClue over another one of its own.
    case .location: files.contains { $0.isDevice || $0.isPositioning } || files.count { $0.isSystemBus } > 1
    case .network: files.contains { if case .internet = $0 { true } else { false } }
    case .processing: processorShare >= Self.leastShare
    case .accessory: files.contains { $0.isDevice }
    }
  }

  /// What a program does not do that holds the mode for nothing.
  var missingUse: String {
    switch self {
    case .audio: "has a sound device or a connection to a sound server open"
    case .location: "follows the location by a manager, or has a device or a connection to gpsd or GeoClue open"
    case .network: "has an internet socket open"
    case .processing: "uses processor time"
    case .accessory: "has a device open"
    }
  }
}

extension OpenFile {
  /// A device of ALSA or OSS, or a connection to PipeWire, PulseAudio, JACK or sndio.
  fileprivate var isAudio: Bool {
    switch self {
    case .device(let path): path.hasPrefix("/dev/snd/") || path.hasPrefix("/dev/dsp") || path.hasPrefix("/dev/shm/jack")
    case .local(let peer): ["pipewire", "pulse", "jack", "sndio"].contains { peer.lowercased().contains($0) }
    // $PULSE_SERVER of another machine.
    case .internet(let port): port == 4713
    case .bluetooth: false
    }
  }

  /// A connection to gpsd.
  fileprivate var isPositioning: Bool {
    switch self {
    case .local(let peer): peer.contains("gpsd")
    case .internet(let port): port == 2947
    case .device, .bluetooth: false
    }
  }

  fileprivate var isSystemBus: Bool {
    if case .local(let peer) = self { peer.hasSuffix("system_bus_socket") } else { false }
  }

  /// A device of the outside: not one that every program has open, a terminal, memory or the graphics card.
  fileprivate var isDevice: Bool {
    switch self {
    case .bluetooth: return true
    case .local, .internet: return false
    case .device(let path):
      let name = path.dropFirst("/dev/".count)
      let common = [
        "null", "zero", "full", "random", "urandom", "tty", "ptmx", "console", "fuse", "kvm", "udmabuf", "kfd",
      ]
      let folders = ["pts/", "shm/", "mqueue/", "hugepages/", "dri/", "dma_heap/", "fd/", "nvidia"]
      // A terminal of the machine is /dev/tty1, a serial port /dev/ttyS0.
      let isConsole = name.hasPrefix("tty") && name.dropFirst(3).allSatisfy(\.isNumber)
      return !common.contains(String(name)) && !folders.contains { name.hasPrefix($0) } && !isConsole
    }
  }
}
