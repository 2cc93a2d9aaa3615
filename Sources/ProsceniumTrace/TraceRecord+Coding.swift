package import ProsceniumJSON

// The one encoder and the one decoder of the trace: what a kind's keys are, and in which order they are written.
extension TraceRecord {
  /// The value of `kind`.
  package var kind: String {
    switch self {
    case .launch: "launch"
    case .fact: "fact"
    case .edge: "edge"
    case .app: "app"
    case .system: "system"
    case .request: "request"
    case .error: "error"
    }
  }

  /// The value of `name`; nil for kinds without one.
  package var name: String? {
    switch self {
    case .fact(let fact): fact.name
    case .edge(let edge): edge.name
    case .app(let app): app.name
    case .system(let system): system.name
    case .request(let request): request.name
    case .launch, .error: nil
    }
  }

  /// The keys and values behind `kind`.
  package var fields: TraceDetails {
    func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
    func number(_ number: Int?) -> JSONValue? { number.map { .int($0) } }
    switch self {
    case .launch(let launch):
      return [
        "application": text(launch.application), "reason": text(launch.reason), "version": number(launch.version),
        "model": text(launch.model), "urls": number(launch.urls),
      ]
    case .fact(let fact):
      let to: JSONValue =
        switch fact.to {
        case .flag(let isOn): .bool(isOn)
        case .text(let text): .string(text)
        }
      return [
        "scene": text(fact.scene), "window": text(fact.window), "name": text(fact.name), "to": to,
        "cause": text(fact.cause),
      ]
    case .edge(let edge):
      return [
        "scene": text(edge.scene), "window": text(edge.window), "name": text(edge.name), "from": text(edge.from),
        "to": text(edge.to), "policy": text(edge.policy), "urls": number(edge.urls), "reason": text(edge.reason),
      ]
    case .app(let app):
      return [
        "name": text(app.name), "state": text(app.state),
        "sessions": app.sessions.map { .array($0.map(JSONValue.string)) }, "urls": number(app.urls),
      ]
    case .system(let system): return ["name": text(system.name)] + system.details
    case .request(let request):
      return ["name": text(request.name), "scene": text(request.scene), "outcome": text(request.outcome)]
        + request.details
    case .error(let message): return ["message": text(message)]
    }
  }

  /// Decodes the keys and values behind `kind`; nil for a kind that is not known, and where a key is missing that every
  /// line of the kind has.
  /// - Parameters:
  ///   - kind: The kind.
  ///   - fields: The keys and values; those that the kind does not have are left out.
  package init?(kind: String, fields: TraceDetails) {
    func text(_ key: String) -> String? { fields[key]?.text }
    func count(_ key: String) -> Int? { fields[key]?.count }
    func details(besides keys: Set<String>) -> TraceDetails {
      TraceDetails(fields.fields.lazy.filter { !keys.contains($0.key) }.map { (key: $0.key, value: $0.value) })
    }
    switch kind {
    case "launch":
      guard let application = text("application"), let reason = text("reason"), let version = count("version")
      else { return nil }
      self = .launch(
        Launch(
          application: application, reason: reason, version: version, model: text("model"), urls: count("urls")))
    case "fact":
      guard let name = text("name"), let to = fields["to"].flatMap(Fact.Value.init), let cause = text("cause")
      else { return nil }
      self = .fact(Fact(scene: text("scene"), window: text("window"), name: name, to: to, cause: cause))
    case "edge":
      guard let scene = text("scene"), let name = text("name"), let from = text("from"), let to = text("to")
      else { return nil }
      self = .edge(
        Edge(
          scene: scene, window: text("window"), name: name, from: from, to: to, policy: text("policy"),
          urls: count("urls"), reason: text("reason")))
    case "app":
      guard let name = text("name"), let state = text("state") else { return nil }
      self = .app(App(name: name, state: state, sessions: fields["sessions"]?.texts, urls: count("urls")))
    case "system":
      guard let name = text("name") else { return nil }
      self = .system(System(name: name, details: details(besides: ["name"])))
    case "request":
      guard let name = text("name") else { return nil }
      self = .request(
        Request(
          name: name, scene: text("scene"), outcome: text("outcome"),
          details: details(besides: ["name", "scene", "outcome"])))
    case "error": self = .error(message: text("message") ?? "")
    default: return nil
    }
  }

  /// The value of a key behind `kind`; nil where the line has no such key.
  package subscript(key: String) -> JSONValue? { fields[key] }

  /// The text of a key behind `kind`; nil where there is none.
  package func text(_ key: String) -> String? { self[key]?.text }

  // MARK: Text

  // Written by hand, because keys have an order and a line is written in the middle of an event.

  /// The line as JSON, without its end.
  /// - Parameters:
  ///   - time: Seconds on the monotonic clock; microseconds are kept.
  ///   - process: The number of the process.
  /// - Returns: The text.
  package func json(time: Double, process: Int32) -> String {
    var line = "{\"t\":" + Self.microseconds(time) + ",\"pid\":\(process),\"kind\":" + Self.quoted(kind)
    for field in fields.fields { line += "," + Self.quoted(field.key) + ":" + Self.text(field.value) }
    return line + "}"
  }

  /// Seconds with six digits, without a locale.
  private static func microseconds(_ time: Double) -> String {
    guard time.isFinite, time >= 0, time < 1e12 else { return "0.000000" }
    let total = Int((time * 1e6).rounded())
    let fraction = String(total % 1_000_000)
    return String(total / 1_000_000) + "." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .int(let number): String(number)
    case .unsigned(let number): String(number)
    case .double(let number): number.isFinite ? "\(number)" : "null"
    case .string(let text): quoted(text)
    case .array(let values): "[" + values.map(text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.sorted { $0.key < $1.key }.map { quoted($0.key) + ":" + text($0.value) }.joined(separator: ",")
        + "}"
    }
  }

  /// A JSON string (RFC 8259, section 7).
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case "\u{0}"..<"\u{20}":
        let hex = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - hex.utf8.count) + hex
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension TraceRecord.Fact.Value {
  fileprivate init?(_ value: JSONValue) {
    switch value {
    case .bool(let isOn): self = .flag(isOn)
    case .string(let text): self = .text(text)
    case .null, .int, .unsigned, .double, .array, .object: return nil
    }
  }
}

extension JSONValue {
  /// A whole number.
  package var count: Int? { if case .int(let number) = self { number } else { nil } }

  /// A list of texts.
  fileprivate var texts: [String]? {
    guard case .array(let values) = self else { return nil }
    let texts = values.compactMap(\.text)
    return texts.count == values.count ? texts : nil
  }
}
