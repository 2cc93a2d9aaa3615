import Glibc

/// A private Xorg with devices that tests move: a pointer with smooth wheels, and a touch screen.
///
/// It draws into memory (dummy(4)), asks for no terminal, and takes its input from sockets (inputtest(4), part of the
/// server). What comes of that goes all the way of a real device's events through the server.
package final class XorgServer: Sendable {
  /// What clients put in `DISPLAY`.
  package let display: String
  package let pointer: TestDevice
  package let touchScreen: TestDevice
  private let process: ChildProcess
  private let folder: TemporaryFolder

  package static var isInstalled: Bool { ProsceniumDesk.isInstalled("Xorg") }

  /// Starts the server on a free display, and waits until it takes connections.
  package init() async throws {
    let folder = try TemporaryFolder()
    let configuration = try folder.write("xorg.conf", Self.configuration(folder))
    let process = try ChildProcess(
      [
        "Xorg", "-displayfd", "1", "-config", configuration, "-logfile", folder.file("log"), "-noreset", "-ac",
        // Only the first seat has terminals.
        "-nolisten", "tcp", "-seat", "tests",
      ], environment: try privateEnvironment(home: folder, display: nil), output: folder.file("display"),
      errors: folder.file("errors"))
    display = try await displayName(of: process, "Xorg") { text(of: folder.file("log")) }
    pointer = try TestDevice(folder.file("pointer"))
    touchScreen = try TestDevice(folder.file("touch"))
    self.process = process
    self.folder = folder
  }

  deinit {
    process.send(SIGTERM)
    for _ in 0..<4000 where process.poll() == nil { usleep(10_000) }
  }

  private static func configuration(_ folder: TemporaryFolder) -> String {
    func device(_ name: String, _ type: String) -> String {
      """
      Section "InputDevice"
        Identifier "\(name)"
        Driver "inputtest"
        Option "DeviceType" "\(type)"
        Option "SocketPath" "\(folder.file(name))"
        Option "TouchCount" "10"
      EndSection

      """
    }
    return device("pointer", "Pointer") + device("touch", "Touch") + device("keyboard", "Keyboard") + """
      Section "ServerFlags"
        Option "AutoAddDevices" "false"
        Option "DontVTSwitch" "true"
      EndSection
      Section "Monitor"
        Identifier "monitor"
        HorizSync 5-1000
        VertRefresh 5-200
        Modeline "1152x900" 94.5 1152 1216 1344 1536 900 901 904 937
      EndSection
      Section "Device"
        Identifier "memory"
        Driver "dummy"
        VideoRam 32768
      EndSection
      Section "Screen"
        Identifier "screen"
        Device "memory"
        Monitor "monitor"
        DefaultDepth 24
        SubSection "Display"
          Depth 24
          Modes "1152x900"
        EndSubSection
      EndSection
      Section "ServerLayout"
        Identifier "layout"
        Screen "screen"
        InputDevice "pointer" "CorePointer"
        InputDevice "keyboard" "CoreKeyboard"
        InputDevice "touch" "SendCoreEvents"
      EndSection
      """
  }
}

/// Waits until a server that was started with `-displayfd 1` takes connections; returns what clients put in `DISPLAY`.
func displayName(of server: ChildProcess, _ name: String, evidence: () -> String) async throws -> String {
  try await waitFor("\(name)'s display", evidence: evidence) {
    if let ending = server.poll() { throw DeskFailure("\(name): \(ending)\n\(text(of: server.errorPath))") }
    let written = text(of: server.outputPath)
    return written.hasSuffix("\n") ? ":" + written.dropLast() : nil
  }
}
