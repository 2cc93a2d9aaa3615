/// The X server in the name of a display, without the screen: `:0`, `:0.0` and `unix:0` are equal.
package struct DisplayName: Hashable, Sendable, CustomStringConvertible {
  package var description: String

  /// Reads a name as `DISPLAY` has it: `[host]:number[.screen]` (X(7), "Display Names").
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
