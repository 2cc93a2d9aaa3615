/// Which X server the name of a display means, whatever its screen: `:0`, `:0.0` and `unix:0` are the same.
package struct DisplayName: Hashable, Sendable, CustomStringConvertible {
  package var description: String

  /// The name as `DISPLAY` has it: `[host]:number[.screen]` (X(7), "Display Names").
  package init(_ name: String) {
    guard let colon = name.lastIndex(of: ":") else {
      description = name
      return
    }
    let host = name[..<colon]
    let number = name[name.index(after: colon)...].prefix { $0 != "." }
    description = (host == "unix" ? "" : host) + ":" + number
  }
}
