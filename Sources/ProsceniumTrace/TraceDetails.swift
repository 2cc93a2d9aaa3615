package import ProsceniumJSON

/// Keys and values of a line of the trace, in the order in which they are written.
package struct TraceDetails: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// A key with its value.
  package struct Field: Hashable, Sendable {
    package var key: String
    package var value: JSONValue
  }

  package private(set) var fields: [Field] = []

  /// Details in the order of the literal, without those that are nil.
  package init(dictionaryLiteral elements: (String, JSONValue?)...) {
    fields.reserveCapacity(elements.count)
    for (key, value) in elements { append(key, value) }
  }

  /// Details in a given order.
  package init(_ pairs: some Sequence<(key: String, value: JSONValue)>) {
    fields = pairs.map { Field(key: $0.key, value: $0.value) }
  }

  /// The value of a key; nil where there is no such key.
  package subscript(key: String) -> JSONValue? { fields.first { $0.key == key }?.value }

  /// Adds a key behind the others; does nothing for nil.
  package mutating func append(_ key: String, _ value: JSONValue?) {
    if let value { fields.append(Field(key: key, value: value)) }
  }

  /// Details, and others behind them.
  static func + (first: TraceDetails, second: TraceDetails) -> TraceDetails {
    var details = first
    details.fields += second.fields
    return details
  }
}
