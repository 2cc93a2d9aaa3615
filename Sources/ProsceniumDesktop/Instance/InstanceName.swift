package import ProsceniumPlatform

/// The names of an application's instances on the session bus.
///
/// The first instance has the application's name, so that launchers find it; with `InstancePolicy.separateStores` the
/// next ones have `<name>.Instance2` and so on, in the order in which they request a name.
package struct InstanceName: Hashable, Sendable {
  /// Instances beyond that have no name.
  static let most = 100
  /// A bus name has at most 255 bytes; the number needs room too.
  private static let longest = 240

  /// The application's own name.
  package let base: String

  /// Makes the name from an application's id: the id itself where it is a valid bus name (D-Bus Specification, "Bus
  /// names").
  ///
  /// Else it is `org.proscenium.Application.` and the id, in which every other byte than ASCII letters and digits is
  /// written as `_` and two hexadecimal digits: "my-editor" is `org.proscenium.Application.my_2deditor`. Nil where that
  /// is too long.
  package init?(identifier: String) {
    if Self.isValid(identifier), identifier.utf8.count <= Self.longest {
      base = identifier
      return
    }
    // An element begins with no digit; the number of a digit's byte ends with the digit.
    let start = identifier.utf8.first?.isDigit == true ? "_3" : ""
    let text = start + identifier.escaped("_") { $0.isLetter || $0.isDigit }
    guard !text.isEmpty, text.utf8.count <= Self.longest - 27 else { return nil }
    base = "org.proscenium.Application." + text
  }

  /// Whether a text is a well-known name: two elements or more of letters, digits, `_` and `-`, none beginning with a
  /// digit.
  package static func isValid(_ name: String) -> Bool {
    guard name.utf8.count <= 255 else { return false }
    let elements = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return elements.count >= 2
      && elements.allSatisfy { element in
        guard let first = element.first, !first.isDigit else { return false }
        return element.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
      }
  }

  /// The path of the object of every instance: the name with its dots as slashes and its hyphens as underscores
  /// (Desktop Entry Specification, "D-Bus Activation").
  package var path: String { "/" + String(base.map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 }) }

  /// The name of an instance, by its number from 1 on.
  package func numbered(_ number: Int) -> String { number == 1 ? base : "\(base).Instance\(number)" }

  /// Whether a name is one of an instance.
  package func includes(_ name: String) -> Bool {
    guard name != base else { return true }
    let prefix = base + ".Instance"
    guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)) else { return false }
    return (2...Self.most).contains(number) && name == numbered(number)
  }
}

/// This instance of the program, as other programs see it over the bus.
package struct InstanceDescription: Sendable {
  /// The application's id.
  package var identifier: String
  /// The display of its windows, as `DISPLAY` has it.
  package var display: String
  /// The URL schemes that the program opens.
  package var schemes: Set<String>
  /// The shortcut items of launchers, which change while the program runs.
  package var shortcuts: @MainActor () -> [ApplicationShortcutItem]
  /// The types of activities of other programs that the program continues.
  package var activityTypes: Set<String> = []
  /// Whether several instances may run, each with a bus name of its own.
  package var isOneOfMany: Bool
  /// Whether the bus may have started the program for a request, which its launch waits for (`--background`).
  package var awaitsRequest = false

  package init(
    identifier: String, display: String, schemes: Set<String>,
    shortcuts: @autoclosure @escaping @MainActor () -> [ApplicationShortcutItem] = [], isOneOfMany: Bool
  ) {
    self.identifier = identifier
    self.display = display
    self.schemes = schemes
    self.shortcuts = shortcuts
    self.isOneOfMany = isOneOfMany
  }
}

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
    description = "\(host == "unix" ? "" : host):\(number)"
  }

  /// Whether it names a machine, as behind `ssh -X`; else, also by the path of its socket, it is a display of this one.
  package var hasHost: Bool { !description.hasPrefix(":") && !description.hasPrefix("/") }
}

extension SystemHost {
  /// The name of the program's desktop entry, without `.desktop`: the one that it has on the bus.
  var desktopIdentifier: String { InstanceName(identifier: applicationIdentifier)?.base ?? applicationIdentifier }
}
