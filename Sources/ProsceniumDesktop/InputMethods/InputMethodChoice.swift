import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// The frameworks of input methods that this program speaks to.
enum InputMethodFramework: Hashable, CaseIterable {
  case ibus, fcitx

  /// The variables of the environment by which the user chooses.
  static let variables = ["GTK_IM_MODULE", "QT_IM_MODULE", "XMODIFIERS"]

  /// The frameworks that count, in order: the one that the user has chosen, as GTK and Qt understand it, else the one
  /// that runs; none where the user wants none.
  ///
  /// A module for XIM is chosen by `XMODIFIERS`. Names that are not known choose nothing.
  static func candidates(_ environment: [String: String]) -> [InputMethodFramework] {
    for variable in ["GTK_IM_MODULE", "QT_IM_MODULE"] {
      // Lists of Qt and GTK 4 have the first choice first.
      let names = (environment[variable] ?? "").lowercased().split { $0 == ";" || $0 == ":" }
      for name in names {
        if let choice = named(String(name)) { return [choice] }
        if ["none", "simple", "gtk-im-context-simple", "compose", "composetable"].contains(name) { return [] }
      }
    }
    for modifier in (environment["XMODIFIERS"] ?? "").lowercased().split(separator: "@") where modifier.hasPrefix("im=")
    {
      if modifier == "im=none" { return [] }
      if let choice = named(String(modifier.dropFirst(3))) { return [choice] }
    }
    return allCases
  }

  private static func named(_ name: String) -> InputMethodFramework? {
    switch name {
    case "ibus": .ibus
    case "fcitx", "fcitx5": .fcitx
    default: nil
    }
  }
}

extension InputMethodServer {
  static let variables = ["XMODIFIERS", "DISPLAY", "LC_ALL", "LC_CTYPE", "LANG"]
  /// The longest name; the server makes a name of its selection of it.
  private static let longest = 200

  /// The server that `XMODIFIERS` names (`@im=NAME`); nil where the user has named none, or wants no input method.
  init?(_ environment: [String: String]) {
    guard !InputMethodFramework.candidates(environment).isEmpty else { return nil }
    let modifiers = (environment["XMODIFIERS"] ?? "").split(separator: "@")
    guard let name = modifiers.first(where: { $0.hasPrefix("im=") })?.dropFirst(3), !name.isEmpty,
      name.utf8.count <= Self.longest, name.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }),
      name.lowercased() != "none", name != "local"
    else { return nil }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    self.init(name: String(name), display: environment["DISPLAY"] ?? "", locale: locale ?? "C")
  }
}

/// Where IBus says which bus it has: a file that its daemon writes (ibus-daemon(1)), unless the environment says it.
struct IBusAddressFile {
  static let variables = ["IBUS_ADDRESS", "IBUS_ADDRESS_FILE", "XDG_CONFIG_HOME", "HOME", "DISPLAY"]
  /// The most bytes that are read; an address is less than one hundred.
  private static let limit = 16384

  private let address: String?
  /// The file; nil where the environment has the address, or too little to find the file.
  let path: String?

  init(_ environment: [String: String], machine: String? = Self.machine) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    address = value("IBUS_ADDRESS")
    let folder =
      value("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? value("HOME").map { $0 + "/.config" }
    if address != nil {
      path = nil
    } else if let file = value("IBUS_ADDRESS_FILE") {
      path = file.hasPrefix("/") ? file : nil
    } else if let folder, folder.hasPrefix("/"), let machine, let display = Self.name(of: value("DISPLAY") ?? "") {
      path = "\(folder)/ibus/bus/\(machine)-\(display)"
    } else {
      path = nil
    }
  }

  /// The folder of the file, and the file's name in it.
  var place: (folder: String, name: String)? {
    guard let path, let slash = path.lastIndex(of: "/") else { return nil }
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// The bus's address; nil where no daemon has one.
  func read() -> String? {
    if let address { return address }
    guard let path, let text = Self.text(of: path, limit: Self.limit) else { return nil }
    return Self.address(in: text) { kill($0, 0) == 0 || errno == EPERM }
  }

  /// The address in the file's text, if its daemon is alive.
  static func address(in text: String, isAlive: (pid_t) -> Bool) -> String? {
    var values: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      guard let mark = line.firstIndex(of: "=") else { continue }
      values[line[..<mark]] = line[line.index(after: mark)...]
    }
    guard let address = values["IBUS_ADDRESS"], !address.isEmpty,
      let daemon = values["IBUS_DAEMON_PID"].flatMap({ pid_t($0) }), daemon > 0, isAlive(daemon)
    else { return nil }
    return String(address)
  }

  /// The part of the file's name that a display has: host and number, without the screen.
  static func name(of display: String) -> String? {
    guard let colon = display.lastIndex(of: ":") else { return nil }
    let number = display[display.index(after: colon)...].prefix { $0 != "." }
    guard !number.isEmpty, number.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    let host = display[..<colon]
    return "\(host.isEmpty || host.hasPrefix("/") ? "unix" : host)-\(number)"
  }

  /// The identity of the machine (machine-id(5)).
  private static var machine: String? {
    for path in ["/var/lib/dbus/machine-id", "/etc/machine-id"] {
      let name = (text(of: path, limit: 64) ?? "").prefix { $0.isHexDigit }
      if name.utf8.count == 32 { return String(name) }
    }
    return nil
  }

  private static func text(of path: String, limit: Int) -> String? {
    guard let file = try? Descriptor(opening: path, O_RDONLY), let bytes = try? file.contents(limit: limit) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
