/// The control group of a process (cgroups(7)).
enum ControlGroup {
  /// The folder of the group in the hierarchy of version 2; nil where there is none.
  /// - Parameters:
  ///   - membership: `/proc/self/cgroup`; the line of version 2 begins with `0::`.
  ///   - mounts: `/proc/self/mountinfo` (proc(5)): the hierarchy may be mounted anywhere, and in part.
  /// - Returns: The folder's path.
  static func folder(membership: String, mounts: String) -> String? {
    guard let line = membership.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
    let group = String(line.dropFirst(3))
    // A group outside this process's namespace.
    guard !group.hasPrefix("/../") else { return nil }
    for mount in mounts.split(separator: "\n") {
      let words = mount.split(separator: " ")
      guard let dash = words.firstIndex(of: "-"), dash + 1 < words.count, words[dash + 1] == "cgroup2", dash >= 6 else {
        continue
      }
      let (root, point) = (unescaped(words[3]), unescaped(words[4]))
      if root == "/" { return point + (group == "/" ? "" : group) }
      if group == root { return point }
      if group.hasPrefix(root + "/") { return point + group.dropFirst(root.count) }
    }
    return nil
  }

  /// Blanks in names are written as `\040` (proc(5)).
  private static func unescaped(_ word: Substring) -> String {
    guard word.contains("\\") else { return String(word) }
    var bytes: [UInt8] = []
    var rest = Array(word.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(3), as: UTF8.self)
      if byte == UInt8(ascii: "\\"), digits.utf8.count == 3, let code = UInt8(digits, radix: 8) {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
