/// A method or signal of an object.
package struct BusMember: Hashable, Sendable {
  /// The object.
  package var path: String
  package var interface: String
  package var name: String

  package init(path: String, interface: String, name: String) {
    self.path = path
    self.interface = interface
    self.name = name
  }
}
