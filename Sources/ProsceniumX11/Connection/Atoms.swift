/// The numbers of the atoms, as far as they are known yet.
struct Atoms {
  private var values: [AtomName: UInt32] = [:]
  private var names: [UInt32: AtomName] = [:]

  /// The atom's number; 0, which no property, type or message has, until the server has answered.
  subscript(_ name: AtomName) -> UInt32 { values[name] ?? 0 }

  func name(of atom: UInt32) -> AtomName? { names[atom] }

  mutating func set(_ name: AtomName, _ atom: UInt32) {
    guard atom != 0 else { return }
    values[name] = atom
    names[atom] = name
  }
}
