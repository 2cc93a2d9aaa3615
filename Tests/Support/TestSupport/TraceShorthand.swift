/// Traces in short, for the tests of the rules and of the command; `~` stands for a space in a value.
package enum TraceShorthand {
  /// Lines in short: `edge a sceneWillConnect`, `app name state`, `fact name value`, `1.5 ...` for a time.
  package static func text(_ lines: [String]) -> String {
    var time = 1.0
    return lines.map { line in
      var words = line.split(separator: " ").map(String.init)
      if let moment = words.first.flatMap(Double.init) {
        time = moment
        words.removeFirst()
      } else {
        time += 0.001
      }
      return #"{"t":\#(time),"pid":7,"kind":"\#(words.first ?? "")""# + fields(words) + "}\n"
    }.joined()
  }

  private static func fields(_ words: [String]) -> String {
    func field(_ key: String, _ value: String) -> String { #","\#(key)":"\#(value)""# }
    var fields = ""
    let plain = words.filter { !$0.contains("=") }
    switch plain.first {
    case "launch":
      fields = field("application", "a.b")
      if !words.contains(where: { $0.hasPrefix("reason=") }) { fields += field("reason", "launch") }
      if !words.contains(where: { $0.hasPrefix("version=") }) { fields += #","version":1"# }
    case "edge":
      let steps = [
        "sceneWillConnect": ("unattached", "background"),
        "sceneWillEnterForeground": ("background", "foregroundInactive"),
        "sceneDidBecomeActive": ("foregroundInactive", "foregroundActive"),
        "sceneWillResignActive": ("foregroundActive", "foregroundInactive"),
        "sceneDidEnterBackground": ("foregroundInactive", "background"),
        "sceneDidDisconnect": ("background", "unattached"),
      ]
      fields = field("scene", plain[1]) + field("name", plain[2])
      if let (from, to) = steps[plain[2]], !words.contains(where: { $0.hasPrefix("from=") }) {
        fields += field("from", from) + field("to", to)
      }
    case "app": fields = field("name", plain[1]) + field("state", plain[2])
    case "fact":
      fields = field("name", plain[1]) + #","to":\#(plain[2])"#
      if !words.contains(where: { $0.hasPrefix("cause=") }) { fields += field("cause", "test") }
      if plain.count > 3 { fields += field("scene", plain[3]) + field("window", "0x" + plain[3]) }
    case "system": fields = field("name", plain[1])
    case "request": fields = field("name", plain[1]) + (plain.count > 2 ? field("scene", plain[2]) : "")
    default: break
    }
    for word in words where word.contains("=") {
      let parts = word.split(separator: "=").map(String.init)
      if ["sessions", "connected", "disconnected", "changes"].contains(parts[0]) {
        let names = parts[1].split(separator: ",").map { #""\#($0)""# }.joined(separator: ",")
        fields += #","\#(parts[0])":[\#(names)]"#
      } else if ["true", "false"].contains(parts[1]) {
        fields += #","\#(parts[0])":\#(parts[1])"#
      } else if Int(parts[1]) != nil {
        fields += #","\#(parts[0])":\#(parts[1])"#
      } else {
        fields += field(parts[0], parts[1].replacing("~", with: " "))
      }
    }
    return fields
  }

  /// A launch.
  package static let start = [
    "launch model=sceneBased", "app willFinishLaunchingWithOptions inactive",
    "app didFinishLaunchingWithOptions inactive",
  ]
  /// A launch and a scene that becomes active.
  package static let active =
    start + [
      "edge a sceneWillConnect", "fact visible true a", "fact focused true a", "edge a sceneWillEnterForeground",
      "app applicationWillEnterForeground inactive", "edge a sceneDidBecomeActive",
      "app applicationDidBecomeActive active",
    ]
  /// The same, and then the background.
  package static let background =
    active + [
      "edge a sceneWillResignActive", "app applicationWillResignActive inactive", "edge a sceneDidEnterBackground",
      "app applicationDidEnterBackground background", "fact visible false a", "fact focused false a",
    ]
  /// The same, and then the end of the program.
  package static let end =
    background + ["edge a sceneDidDisconnect reason=applicationExit", "app applicationWillTerminate background"]
}
