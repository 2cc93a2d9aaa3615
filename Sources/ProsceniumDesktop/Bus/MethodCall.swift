/// A call of a method, by its name, with its arguments.
struct MethodCall {
  var name: String
  var values: [BusValue]
  var signature: String { values.map(\.signature).joined() }

  /// An argument that is a whole number; 0 for others.
  func int(_ index: Int) -> Int { values.indices.contains(index) ? values[index].integer ?? 0 : 0 }

  /// The texts of an argument that is an array.
  func texts(_ index: Int) -> [String] {
    values.indices.contains(index) ? values[index].elements?.compactMap(\.text) ?? [] : []
  }

  /// The numbers of an argument that is an array.
  func ints(_ index: Int) -> [Int] {
    values.indices.contains(index) ? values[index].elements?.compactMap(\.integer) ?? [] : []
  }
}
