package import ProsceniumPlatform

/// The desktop entry and the service file of a program, by which the desktop environment and the bus find it.
package struct DesktopEntry: Hashable, Sendable {
  /// Why a program cannot have an entry.
  package typealias Failure = DesktopFailure

  /// The bus name, which is also the name of both files.
  package let busName: String
  /// The application's id, which is also the class of its windows.
  package var identifier: String
  /// The name that users see.
  package var title: String
  /// The path of the program.
  package var program: String
  /// The path of the script that the program runs; nil where it is no interpreter.
  package var script: String?
  /// Its MIME types, those of its URL schemes among them, in order.
  package var types: [String]
  /// The shortcut items, each with an action name of its own.
  package var shortcuts: [ApplicationShortcutItem]

  /// Makes a program's entry.
  /// - Parameters:
  ///   - identifier: The application's id.
  ///   - title: The name that users see.
  ///   - program: The absolute path of the program.
  ///   - script: The absolute path of the script that the program runs; nil where it is no interpreter.
  ///   - schemes: The URL schemes that it opens.
  ///   - fileTypes: The MIME types that it opens.
  ///   - shortcuts: Its shortcut items; those without a type, or with an action name that is taken, are left out.
  /// - Throws: ``Failure`` if the id is too long for a bus name, or the path cannot stand in an entry.
  package init(
    identifier: String, title: String, program: String, script: String? = nil, schemes: Set<String>,
    fileTypes: Set<String>, shortcuts: [ApplicationShortcutItem] = []
  ) throws(Failure) {
    guard let name = InstanceName(identifier: identifier) else {
      throw Failure("the application identifier \"\(identifier)\" is too long for a name on the bus")
    }
    guard program.hasPrefix("/"), !program.contains("=") else {
      throw Failure("a desktop entry cannot name the program \"\(program)\": a path with \"=\" in it is none there")
    }
    busName = name.base
    self.identifier = identifier
    self.title = title
    self.program = program
    self.script = script
    // What may stand in a scheme (RFC 3986, 3.1).
    let characters = Set("abcdefghijklmnopqrstuvwxyz0123456789+-.")
    let schemes = schemes.map { $0.lowercased() }.filter { !$0.isEmpty && characters.isSuperset(of: $0) }
    var names: Set<String> = []
    self.shortcuts = shortcuts.filter { !$0.type.isEmpty && names.insert($0.actionName).inserted }
    types = schemes.map { "x-scheme-handler/\($0)" }.sorted() + fileTypes.sorted()
  }

  /// The desktop entry (Desktop Entry Specification; the version is that of `DBusActivatable`).
  package var entry: String {
    var lines = [
      "[Desktop Entry]", "Type=Application", "Version=1.1", "Name=\(Self.escape(title))",
      "Exec=\(execution) %U", "Terminal=false", "DBusActivatable=true", "StartupNotify=true",
      "StartupWMClass=\(Self.escape(identifier))",
    ]
    if !types.isEmpty { lines.append("MimeType=" + types.map { $0 + ";" }.joined()) }
    if !shortcuts.isEmpty { lines.append("Actions=" + shortcuts.map { $0.actionName + ";" }.joined()) }
    for item in shortcuts {
      // For launchers that start the program instead of calling it over the bus.
      lines += [
        "", "[Desktop Action \(item.actionName)]",
        "Name=\(Self.escape(item.localizedTitle.isEmpty ? item.type : item.localizedTitle))",
        "Exec=\(execution) --action \(item.actionName)",
      ]
      if let icon = item.icon { lines.append("Icon=\(Self.escape(icon))") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The service file (D-Bus Specification, "Message Bus Starting Services").
  ///
  /// The bus starts the program for a call, which decides what is shown: until then it shows nothing.
  package var service: String {
    let words = [program, script].compactMap { $0.map { "'" + Self.replace($0, ["'": "'\"'\"'"]) + "'" } }
    return "[D-BUS Service]\nName=\(busName)\nExec=\(Self.escape(words.joined(separator: " "))) --background\n"
  }

  /// How the program is started, in `Exec`.
  private var execution: String {
    Self.escape([program, script].compactMap { $0.map(Self.quoted) }.joined(separator: " "))
  }

  /// An argument of `Exec`: "quoting must be done by enclosing the argument between double quotes and escaping the
  /// double quote character, backtick character, dollar sign and backslash character by preceding it with an additional
  /// backslash", and a percent sign that begins no field code is two of them.
  private static func quoted(_ argument: String) -> String {
    "\"" + replace(argument, ["\"": "\\\"", "`": "\\`", "$": "\\$", "\\": "\\\\", "%": "%%"]) + "\""
  }

  /// A value of the type string: "the escape sequences \s, \n, \t, \r, and \\ are supported".
  private static func escape(_ value: String) -> String {
    let text = replace(value, ["\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"])
    // A space at the beginning would be skipped.
    return text.hasPrefix(" ") ? "\\s" + text.dropFirst() : text
  }

  /// By scalars, because a combining mark after a character that is escaped would hide it.
  private static func replace(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
  }
}
