package import ProsceniumPlatform

/// What the desktop and the bus are to know about a program: the texts of its desktop entry and of its service file.
package struct DesktopEntry: Hashable, Sendable {
  /// Why there can be none.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package var description: String
    package init(description: String) { self.description = description }
  }

  /// The bus name, which both files are named after.
  package let busName: String
  /// The application's id, which its windows have as their class.
  package var identifier: String
  /// What people call it.
  package var title: String
  /// The path of the program.
  package var program: String
  /// Its MIME types, those of its URL schemes among them, in order.
  package var types: [String]
  /// What launchers may ask it to do: no two of them have a name in common.
  package var shortcuts: [ApplicationShortcutItem]

  /// A program's entry.
  /// - Throws: ``Failure`` if its id or its path cannot stand in one.
  package init(
    identifier: String, title: String, program: String, schemes: Set<String>, fileTypes: Set<String>,
    shortcuts: [ApplicationShortcutItem] = []
  ) throws(Failure) {
    guard let name = InstanceName(identifier: identifier) else {
      throw Failure(description: "the application identifier \"\(identifier)\" is too long for a name on the bus")
    }
    guard program.hasPrefix("/"), !program.contains("=") else {
      throw Failure(
        description: "a desktop entry cannot name the program \"\(program)\": a path with \"=\" in it is none there")
    }
    busName = name.base
    self.identifier = identifier
    self.title = title
    self.program = program
    let schemes = schemes.map { $0.lowercased() }.filter { scheme in
      scheme.utf8.allSatisfy { $0.isSchemeByte } && !scheme.isEmpty
    }
    var names: Set<String> = []
    self.shortcuts = shortcuts.filter { !$0.type.isEmpty && names.insert($0.actionName).inserted }
    types = schemes.map { "x-scheme-handler/\($0)" }.sorted() + fileTypes.sorted()
  }

  /// The desktop entry (Desktop Entry Specification; the version is that of `DBusActivatable`).
  package var entry: String {
    var lines = [
      "[Desktop Entry]", "Type=Application", "Version=1.1", "Name=\(Self.escape(title))",
      "Exec=\(Self.escape(Self.quoted(program))) %U", "Terminal=false", "DBusActivatable=true", "StartupNotify=true",
      "StartupWMClass=\(Self.escape(identifier))",
    ]
    if !types.isEmpty { lines.append("MimeType=" + types.map { $0 + ";" }.joined()) }
    if !shortcuts.isEmpty { lines.append("Actions=" + shortcuts.map { $0.actionName + ";" }.joined()) }
    for item in shortcuts {
      // Launchers that do not call over the bus start the program.
      lines += [
        "", "[Desktop Action \(item.actionName)]",
        "Name=\(Self.escape(item.localizedTitle.isEmpty ? item.type : item.localizedTitle))",
        "Exec=\(Self.escape(Self.quoted(program))) --action \(item.actionName)",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The service file (D-Bus Specification, "Message Bus Starting Services").
  ///
  /// The bus starts a program because somebody calls it: nothing is shown before that call has come.
  package var service: String {
    var command = "'"
    for scalar in program.unicodeScalars {
      if scalar == "'" { command += "'\"'\"'" } else { command.unicodeScalars.append(scalar) }
    }
    command += "'"
    return "[D-BUS Service]\nName=\(busName)\nExec=\(Self.escape(command)) --background\n"
  }

  /// An argument of `Exec`: "quoting must be done by enclosing the argument between double quotes and escaping the double
  /// quote character, backtick character, dollar sign and backslash character by preceding it with an additional
  /// backslash", and a percent sign that begins no field code is two of them.
  private static func quoted(_ argument: String) -> String {
    var text = ""
    // By scalars: a mark that joins the one before it makes another character of the two.
    for scalar in argument.unicodeScalars {
      if "\"`$\\".unicodeScalars.contains(scalar) { text += "\\" }
      if scalar == "%" { text += "%" }
      text.unicodeScalars.append(scalar)
    }
    return "\"\(text)\""
  }

  /// A value of the type string: "the escape sequences \s, \n, \t, \r, and \\ are supported".
  private static func escape(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case _: text.unicodeScalars.append(scalar)
      }
    }
    // A space at the beginning would be skipped.
    return text.hasPrefix(" ") ? "\\s" + text.dropFirst() : text
  }
}

extension UInt8 {
  /// What a URL's scheme may have (RFC 3986, 3.1), in small letters.
  fileprivate var isSchemeByte: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(self)
  }
}
