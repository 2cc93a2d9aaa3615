/// The rules that the server's keyboard map was made from: the root window's `_XKB_RULES_NAMES` (XKB protocol,
/// appendix).
struct KeyboardRules: Hashable, Sendable {
  var rules = ""
  var model = ""
  var layout = ""
  var variant = ""
  var options = ""

  /// Reads the property: five strings, each ended by a zero; nil where it has another form.
  init?(_ value: PropertyValue) {
    guard value.type == PredefinedAtom.string, !value.bytes.isEmpty else { return nil }
    let parts = value.bytes.split(separator: 0, maxSplits: 5, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count >= 5, !parts[0].isEmpty, !parts[2].isEmpty else { return nil }
    (rules, model, layout, variant, options) = (parts[0], parts[1], parts[2], parts[3], parts[4])
  }
}
