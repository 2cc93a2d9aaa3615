extension TraceChecker {
  /// A value in a line of a trace.
  public enum Value: Hashable, Sendable {
    /// A text.
    case text(String)
    /// A truth value.
    case flag(Bool)
    /// A number.
    case number(Double)
    /// A list of texts.
    case list([String])
  }

  /// One line of a trace: what happened, in fields that depend on the kind.
  public struct Line: Hashable, Sendable {
    /// A key with its value.
    public struct Field: Hashable, Sendable {
      /// The key.
      public var key: String
      /// What it stands for.
      public var value: Value

      /// A field.
      public init(key: String, value: Value) {
        self.key = key
        self.value = value
      }
    }

    /// Its number in the text, from 1.
    public var number: Int
    /// When it was written, in seconds on the monotonic clock.
    public var time: Double
    /// Who wrote it.
    public var process: Int
    /// `launch`, `fact`, `edge`, `app`, `system`, `request`, `error`, or a kind that is not known yet.
    public var kind: String
    /// Everything in it, in order.
    public var fields: [Field]

    /// A line.
    public init(number: Int, time: Double, process: Int, kind: String, fields: [Field]) {
      self.number = number
      self.time = time
      self.process = process
      self.kind = kind
      self.fields = fields
    }

    /// The value of a key; nil where the line has no such key.
    public subscript(key: String) -> Value? {
      for field in fields where field.key == key { return field.value }
      return nil
    }

    /// The text of a key, if it is one.
    public func text(_ key: String) -> String? {
      guard case .text(let text)? = self[key] else { return nil }
      return text
    }

    /// The whole number of a key, if it is one.
    public func count(_ key: String) -> Int? {
      guard case .number(let number)? = self[key] else { return nil }
      return Int(exactly: number)
    }

    /// How many URLs the line tells of: no more than a program may be given, or the line is rubbish.
    var urls: Int { min(max(count("urls") ?? 0, 0), 1 << 32) }

    /// The sessions that the line names.
    var sessions: [String] {
      guard case .list(let sessions)? = self["sessions"] else { return [] }
      return sessions
    }
  }
}
