/// The MIME types of files by their names (Shared MIME-info Database, `globs2`).
struct FileTypes {
  /// The type of each extension that the database has: the one with the highest weight.
  static func types(of extensions: Set<String>, database: String) -> Set<String> {
    let wanted = Set(extensions.map { $0.lowercased() })
    var found: [String: (weight: Int, type: Substring)] = [:]
    for line in database.split(separator: "\n") where !line.hasPrefix("#") {
      // weight:type:*.extension[:flags]
      let fields = line.split(separator: ":")
      guard fields.count >= 3, let weight = Int(fields[0]), fields[2].hasPrefix("*.") else { continue }
      let name = fields[2].dropFirst(2).lowercased()
      guard wanted.contains(name), (found[name]?.weight ?? -1) < weight else { continue }
      found[name] = (weight, fields[1])
    }
    return Set(found.values.map { String($0.type) })
  }
}
