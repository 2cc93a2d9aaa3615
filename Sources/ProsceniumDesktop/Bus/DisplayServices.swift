import ProsceniumLoop

/// Tells which services of the session bus are those of the program's display.
///
/// The bus is the user's, and may serve a desktop on one display and the program on another: over `ssh -X`, or on a
/// second server. That desktop's lock hides nothing here, and its dialogs are shown there.
@MainActor final class DisplayServices {
  private let bus: Bus
  /// The program's display; nil where it has none.
  private let display: DisplayName?
  /// The folder of the processes: `/proc`.
  private let folder: String

  /// Makes an object that asks for nothing yet.
  /// - Parameters:
  ///   - bus: The session bus.
  ///   - display: The program's `DISPLAY`; nil or empty where it has none, when all services are its own.
  ///   - processFolder: The folder of the processes.
  init(bus: Bus, display: String?, processFolder: String) {
    self.bus = bus
    self.display = display.flatMap { $0.isEmpty ? nil : DisplayName($0) }
    folder = processFolder
  }

  /// Finds out whether a service is that of the program's display, which the bus is asked for its process for.
  /// - Parameters:
  ///   - name: Its name; it is not started.
  ///   - answer: Called at once where there is nothing to ask for, else in the order of the questions.
  func find(_ name: String, _ answer: @escaping @MainActor (_ isOurs: Bool) -> Void) {
    guard let display else { return answer(true) }
    let question = BusDaemon.member("GetConnectionUnixProcessID")
    bus.call(BusDaemon.name, question, [.string(name)]) { [bus, folder] result in
      // Another number than it has here, where the bus is outside of the container.
      let process = bus.isOutside ? nil : (try? result.get())?.first?.integer
      let environment = process.flatMap { KernelFile.text(of: "\(folder)/\($0)/environ") }
      answer(Self.isService(with: environment, of: display))
    }
  }

  /// The same for a service that the bus starts where it does not run.
  func start(_ name: String, _ answer: @escaping @MainActor (_ isOurs: Bool) -> Void) {
    guard display != nil else { return answer(true) }
    let flags = BusValue.uint32(0)
    bus.call(BusDaemon.name, BusDaemon.member("StartServiceByName"), [.string(name), flags]) { [weak self] _ in
      self?.find(name, answer)
    }
  }

  /// Whether a service is that of a display, by the environment that it was started with.
  ///
  /// One that does not say counts as a service of a display of this machine: a compositor of Wayland is started before
  /// its X server, and what may become root does not let its environment be read.
  /// - Parameters:
  ///   - environment: The environment, as proc(5) has it; nil where it cannot be read.
  ///   - display: The display.
  /// - Returns: Whether it is.
  static func isService(with environment: String?, of display: DisplayName) -> Bool {
    let variables = environment?.split(separator: "\0") ?? []
    let name = "DISPLAY="
    guard let other = variables.first(where: { $0.hasPrefix(name) })?.dropFirst(name.count), !other.isEmpty else {
      return !display.hasHost
    }
    return DisplayName(String(other)) == display
  }
}
