import FoundationEssentials
import ProsceniumPlatform

/// A call of another program, checked for form and size.
struct InstanceCall: Equatable {
  /// The longest startup id or token, and the longest name of a type.
  static let longestName = 1024
  static let mostArguments = 10_000

  var request: IncomingRequest
  /// Whether it comes from a second start of the program, which does not say who asked for that one.
  var isSecondStart = false
  /// The activity of another program that is to be asked for.
  var handoff: Handoff?
  /// The notice that the user has responded to, as the caller says.
  var notice: NoticeTarget?
  /// The error for the caller of a request that is handled all the same: it announces an activity that cannot be read.
  var failure: BusFailure?

  /// An activity that another program offers, as a panel of the desktop names it.
  struct Handoff: Hashable {
    var type: String
    /// The other program's name for it.
    var name: String
    var identifier: String
  }

  /// The limits of calls for this instance.
  struct Rule: Hashable, Sendable {
    var display: DisplayName
    var urls: URLRule
    var shortcuts: [ApplicationShortcutItem] = []
    var activityTypes: Set<String> = []
  }

  /// Reads a call of one of the two interfaces.
  /// - Returns: The call.
  /// - Throws: The error for the caller.
  static func read(_ member: BusMember, _ values: [BusValue], _ rule: Rule) throws(BusFailure) -> InstanceCall {
    let signature = values.map(\.signature).joined()
    switch (member.interface, member.name, signature) {
    case (InstanceInterface.application, "Activate", "a{sv}"): return try platformCall(values[0])
    case (InstanceInterface.application, "Open", "asa{sv}"):
      var call = try platformCall(values[1])
      call.request.urls = try rule.urls.urls(try texts(values[0]))
      guard !call.request.urls.isEmpty else { throw BusFailure.invalid("no URL to open") }
      return call
    case (InstanceInterface.application, "ActivateAction", "sava{sv}"):
      return try action(values, rule)
    case (InstanceInterface.own, "Start", "a{sv}"): return try start(values[0], rule)
    case (InstanceInterface.own, "Continue", "ssa{sv}"): return try activity(values)
    case (InstanceInterface.own, "ContinueFrom", "sssa{sv}"): return try handoff(values, rule)
    case (InstanceInterface.application, "Activate", _), (InstanceInterface.application, "Open", _),
      (InstanceInterface.application, "ActivateAction", _), (InstanceInterface.own, "Start", _),
      (InstanceInterface.own, "Continue", _), (InstanceInterface.own, "ContinueFrom", _):
      throw BusFailure.invalid("\(member.name) has other arguments than \"\(signature.prefix(100))\"")
    case _: throw BusFailure.standard("UnknownMethod", "there is no \(member.interface).\(member.name)")
    }
  }

  /// A shortcut item, with a text to perform it with.
  private static func action(_ values: [BusValue], _ rule: Rule) throws(BusFailure) -> InstanceCall {
    var call = try platformCall(values[2])
    if values[0].text == NotificationPortal.action {
      guard let notice = values[1].elements?.first?.text.flatMap({ NoticeTarget($0) }) else {
        throw BusFailure.invalid("the parameter is no response to a notice")
      }
      (call.notice, call.request.response) = (notice, notice.response)
      return call
    }
    var item = try shortcut(values[0], rule)
    let parameters = values[1].elements ?? []
    guard parameters.count <= 1 else { throw BusFailure.invalid("more than one parameter") }
    if let parameter = parameters.first {
      guard case .string(let text) = parameter.plain, text.utf8.count <= URLRule.longest else {
        throw BusFailure.invalid("the parameter is no text of at most \(URLRule.longest) bytes")
      }
      item.targetContentIdentifier = text
    }
    call.request.shortcut = item
    return call
  }

  private static func shortcut(_ value: BusValue, _ rule: Rule) throws(BusFailure) -> ApplicationShortcutItem {
    guard let name = value.text, name.utf8.count <= longestName else {
      throw BusFailure.invalid("no name of an action")
    }
    guard let item = rule.shortcuts.item(named: name) else {
      throw BusFailure(
        name: InstanceInterface.Failure.noSuchAction, message: "there is no action \"\(name.prefix(100))\"")
    }
    return item
  }

  /// A second start of the program (see ``SecondInstance``); entries that a later version adds are ignored.
  private static func start(_ value: BusValue, _ rule: Rule) throws(BusFailure) -> InstanceCall {
    let entries = value.properties ?? [:]
    guard let display = entries["display"]?.text else { throw BusFailure.invalid("no display") }
    guard DisplayName(display) == rule.display else {
      throw BusFailure(
        name: InstanceInterface.Failure.otherDisplay, message: "the program shows its windows on \(rule.display)")
    }
    var call = try platformCall(value)
    call.isSecondStart = true
    if let value = entries["urls"] { call.request.urls = try rule.urls.urls(try texts(value)) }
    if let value = entries["arguments"] {
      call.request.arguments = try texts(value)
      guard call.request.arguments.count <= mostArguments else { throw BusFailure.invalid("too many arguments") }
    }
    if let value = entries["directory"] {
      guard let path = value.text, path.hasPrefix("/"), path.utf8.count <= 4096 else {
        throw BusFailure.invalid("no directory")
      }
      call.request.directory = path
    }
    if let value = entries["action"] { call.request.shortcut = try shortcut(value, rule) }
    if let value = entries["background"] {
      guard let isBackground = value.bool else { throw BusFailure.invalid("\"background\" is no boolean") }
      call.request.isBackground = isBackground
    }
    return call
  }

  /// An activity of another instance.
  ///
  /// One that cannot be read is a request too, so that the program knows of its failure.
  private static func activity(_ values: [BusValue]) throws(BusFailure) -> InstanceCall {
    guard let type = values[0].text, !type.isEmpty, type.utf8.count <= longestName else {
      throw BusFailure.invalid("no type")
    }
    var call = try platformCall(values[2])
    if let activity = values[1].text.flatMap({ ActivityText.read($0) }), activity.activityType == type {
      call.request.activity = .whole(activity)
    } else {
      let reason = "the activity cannot be read"
      call.request.activity = .failed(type: type, reason: reason)
      call.failure = .invalid(reason)
    }
    return call
  }

  /// The offer of another program, of a type that this one continues.
  private static func handoff(_ values: [BusValue], _ rule: Rule) throws(BusFailure) -> InstanceCall {
    let texts = values.prefix(3).compactMap(\.text)
    guard texts.count == 3, rule.activityTypes.contains(texts[0]) else {
      throw BusFailure.invalid("the program continues no activities of that type")
    }
    guard HandoffInterface.isIdentifier(texts[2]) else { throw BusFailure.invalid("no identifier") }
    var call = try platformCall(values[3])
    call.handoff = Handoff(type: texts[0], name: texts[1], identifier: texts[2])
    return call
  }

  /// Platform data, with the caller's name.
  private static func platformCall(_ value: BusValue) throws(BusFailure) -> InstanceCall {
    var call = InstanceCall(request: IncomingRequest())
    let entries = value.properties ?? [:]
    func name(_ key: String) throws(BusFailure) -> String? {
      guard let value = entries[key] else { return nil }
      guard case .string(let text) = value.plain, text.utf8.count <= longestName else {
        throw BusFailure.invalid("\"\(key)\" is no text of at most \(longestName) bytes")
      }
      return text.isEmpty ? nil : text
    }
    // On X11 both are startup ids; where they differ, the one under the older key has the time of the user's action.
    let (startup, token) = (try name(PlatformData.startupID), try name(PlatformData.token))
    call.request.token = startup ?? token
    return call
  }

  private static func texts(_ value: BusValue) throws(BusFailure) -> [String] {
    guard case .array(of: "s", let elements) = value.plain else { throw BusFailure.invalid("no list of texts") }
    return elements.compactMap(\.text)
  }
}

/// The URLs that other programs may ask this one to open: of its schemes, and limited in number and length.
struct URLRule: Hashable, Sendable {
  static let most = 1000
  static let longest = 1 << 16

  /// The schemes that the program opens, besides `file`.
  var schemes: Set<String>

  init(schemes: Set<String>) { self.schemes = Set(schemes.map { $0.lowercased() }) }

  /// Reads URLs, all of them or none.
  /// - Throws: Why one of them is refused.
  func urls(_ texts: [String]) throws(BusFailure) -> [URL] {
    guard texts.count <= Self.most else { throw BusFailure.invalid("more than \(Self.most) URLs") }
    var urls: [URL] = []
    for text in texts { urls.append(try url(text)) }
    return urls
  }

  private func url(_ text: String) throws(BusFailure) -> URL {
    guard text.utf8.count <= Self.longest else { throw BusFailure.invalid("a URL of more than \(Self.longest) bytes") }
    let isClean = !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f || $0 == " " }
    guard isClean, let colon = text.firstIndex(of: ":"), let url = URL(string: text), url.scheme != nil else {
      throw BusFailure.invalid("no URL: \"\(text.prefix(100))\"")
    }
    let scheme = text[..<colon].lowercased()
    if scheme == "file" {
      // The program can open no files of other machines.
      guard text.dropFirst(5).hasPrefix("/"), !text.contains("%00"), url.isFileHere else {
        throw BusFailure.invalid("no file of this machine: \"\(text.prefix(100))\"")
      }
    } else if !schemes.contains(scheme) {
      throw BusFailure.invalid("the program does not open URLs of the scheme \"\(scheme.prefix(100))\"")
    }
    return url
  }
}

/// An activity as a text for another instance: the JSON in which activities are stored.
enum ActivityText {
  static func write(_ activity: StoredActivity) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(activity)).map { String(decoding: $0, as: UTF8.self) }
  }

  static func read(_ text: String) -> StoredActivity? { try? StoredActivity(text: text) }
}

/// The keys of platform data (Desktop Entry Specification, "D-Bus Activation").
enum PlatformData {
  static let startupID = "desktop-startup-id"
  static let token = "activation-token"

  static func entries(token: String?) -> [String: BusValue] {
    [startupID: token, Self.token: token].compactMapValues { $0.map { .string($0) } }
  }
}
