import Dispatch
import Glibc
import Proscenium
import ScenarioKit

/// The program of the scenarios on a real server: commands come by standard input, one a line, through the main queue;
/// each is answered with `ok` or `unknown`. A callback within a callback ends it with status 70.
@main @MainActor enum ScenarioProgram {
  static func main() {
    let options = ScenarioOptions(CommandLine.arguments)
    Probe.current = Probe(options: options)
    readCommands()
    let delegate: AnyClass = options.isAppBased ? AppBasedDelegate.self : SceneBasedDelegate.self
    ApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, delegate)
  }

  private static func readCommands() {
    let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
    source.setEventHandler {
      var bytes = [UInt8](repeating: 0, count: 65536)
      let count = read(0, &bytes, bytes.count)
      guard count > 0 else {
        source.cancel()
        return
      }
      let text = String(decoding: bytes[..<count], as: UTF8.self)
      MainActor.assumeIsolated {
        for line in text.split(separator: "\n") {
          print(Probe.current.perform(String(line)) ? "ok \(line)" : "unknown \(line)")
        }
        checkNesting()
        fflush(nil)
      }
    }
    source.resume()
  }

  private static func checkNesting() {
    guard let violation = Probe.current.violations.first else { return }
    print("nested: \(violation)")
    fflush(nil)
    exit(70)
  }
}
