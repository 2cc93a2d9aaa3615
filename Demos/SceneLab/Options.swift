/// The options of SceneLab's command line.
struct Options {
  /// The least number of scenes; restored ones count.
  var scenes = 1
  var isAppBased = false
  var isPlain = false
  var quitAfter: Double?

  static let usage = """
    usage: SceneLab [--scenes N] [--app-based] [--plain] [--quit-after SECONDS] [--background]
      --scenes N            open new windows until there are N (at most 10000); without it, what was open comes back,
                            or one new window if nothing was
      --app-based           run the application delegate's life cycle, with one implicit scene
      --plain               show the state by the window's colour alone, and draw nothing
      --quit-after SECONDS  end by itself
      --background          show nothing until something activates a scene
      Beside a SceneLab that runs, that one takes --scenes and --quit-after.
    keys in a focused window: n new scene, w close this one, d disconnect the least recently active background scene,
      q quit
    """

  /// Parses the arguments; a failure is a sentence.
  static func parse(_ arguments: [String]) -> Result<Options, Problem> {
    var options = Options()
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--scenes":
        guard let count = rest.next().flatMap({ Int($0) }), (1...10_000).contains(count) else {
          return .failure(Problem("--scenes needs a number from 1 to 10000."))
        }
        options.scenes = count
      case "--app-based": options.isAppBased = true
      case "--plain": options.isPlain = true
      case "--quit-after":
        guard let seconds = rest.next().flatMap({ Double($0) }), (0...1e6).contains(seconds) else {
          return .failure(Problem("--quit-after needs a number of seconds."))
        }
        options.quitAfter = seconds
      // Taken by the framework.
      case "--background", "--install-desktop-entry", "--uninstall-desktop-entry": break
      case "--session-id", "--action", "--proscenium-task": _ = rest.next()
      default: return .failure(Problem("There is no option \(argument)."))
      }
    }
    return .success(options)
  }

  struct Problem: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }
}
