import Dispatch
import Glibc
import Proscenium
import ProsceniumGLib
import ScenarioKit

/// The loops of other libraries, in which the scenarios are to go as in the application's own: `--loop=NAME`.
///
/// The libraries are loaded as the program runs: their headers are not needed to build the tests.
@MainActor enum OuterLoops {
  /// Runs the program in the loop that the command line names, to its end; returns where it names none.
  static func run(isAppBased: Bool) {
    let prefix = "--loop="
    guard let name = CommandLine.arguments.first(where: { $0.hasPrefix(prefix) })?.dropFirst(prefix.count) else {
      return
    }
    do {
      switch name {
      case "glib":
        let loop = try GLibLoop()
        try attach(loop, isAppBased)
        exit(loop.run())
      case "hand": exit(poll(try attach(nil, isAppBased)))
      case "sdl": exit(try runSDL { try attach(nil, isAppBased) })
      case "qt": exit(try runQt { try attach($0, isAppBased) })
      case "served-glib": serveWhenRunning()
      default:
        print("unknown loop \(name)")
        exit(2)
      }
    } catch let error as LaunchEnded {
      exit(error.status)
    } catch {
      print("loop \(name): \(error)")
      exit(2)
    }
  }

  /// In the middle of its life the application's loop begins to serve GLib's.
  private static func serveWhenRunning() {
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        do { try GLibLoop().serve(Application.shared) } catch { print("loop: \(error)") }
      }
    }
  }

  @discardableResult
  private static func attach(_ loop: (any OuterLoop)?, _ isAppBased: Bool) throws -> LoopAttachment {
    try Application.attach(to: loop) { () -> any ApplicationDelegate in
      if isAppBased { AppBasedDelegate() } else { SceneBasedDelegate() }
    }
  }

  /// A loop that is written by hand.
  private static func poll(_ attachment: LoopAttachment) -> Int32 {
    while true {
      if let status = attachment.exitStatus { return status }
      var waited = pollfd(fd: attachment.descriptor, events: Int16(POLLIN), revents: 0)
      Glibc.poll(&waited, 1, -1)
      attachment.turn()
    }
  }

  private static func function<Function>(_ library: UnsafeMutableRawPointer, _ name: String, _: Function.Type) throws
    -> Function
  {
    guard let pointer = dlsym(library, name) else { throw Missing(name: name) }
    return unsafeBitCast(pointer, to: Function.self)
  }

  private static func load(_ names: String...) throws -> UnsafeMutableRawPointer {
    for name in names { if let library = dlopen(name, RTLD_NOW | RTLD_GLOBAL) { return library } }
    throw Missing(name: names[0])
  }

  private struct Missing: Error { var name: String }

  /// A game's loop: events and one turn, 60 times a second.
  private static func runSDL(_ attach: () throws -> LoopAttachment) throws -> Int32 {
    let library = try load("libSDL2-2.0.so.0")
    let start = try function(library, "SDL_Init", (@convention(c) (UInt32) -> Int32).self)
    let wait = try function(
      library, "SDL_WaitEventTimeout", (@convention(c) (UnsafeMutableRawPointer, Int32) -> Int32).self)
    setenv("SDL_VIDEODRIVER", "x11", 1)
    let (video, noSignals) = (UInt32(0x20), "SDL_NO_SIGNAL_HANDLERS")
    setenv(noSignals, "1", 1)
    guard start(video) == 0 else { throw Missing(name: "SDL_Init") }
    let attachment = try attach()
    let event = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 8)
    while true {
      if let status = attachment.exitStatus { return status }
      _ = wait(event, 16)
      attachment.turn()
    }
  }

  /// Qt's loop, which runs GLib's.
  private static func runQt(_ attach: (any OuterLoop) throws -> Void) throws -> Int32 {
    let library = try load("libQt5Core.so.5")
    let make = try function(
      library, "_ZN16QCoreApplicationC1ERiPPci",
      (@convention(c) (UnsafeMutableRawPointer, UnsafeMutablePointer<Int32>, UnsafeMutableRawPointer, Int32) -> Void)
        .self)
    let exec = try function(library, "_ZN16QCoreApplication4execEv", (@convention(c) () -> Int32).self)
    let quit = try function(library, "_ZN16QCoreApplication4quitEv", (@convention(c) () -> Void).self)
    let count = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    count.pointee = 1
    let application = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 16)
    make(application, count, CommandLine.unsafeArgv, 0x050000)
    var status: Int32 = 0
    try attach(
      GLibLoop { ended in
        status = ended
        quit()
      })
    _ = exec()
    return status
  }
}
