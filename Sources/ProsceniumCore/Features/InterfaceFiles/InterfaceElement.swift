/// An element of an interface file: its name, attributes, text and children.
public struct InterfaceElement: Hashable, Sendable {
  /// The name of the element.
  public let name: String
  /// The values of the attributes by name.
  public let attributes: [String: String]
  /// The line of the file on which the element begins, from 1.
  public let line: Int
  /// The text within the element, without that of its children.
  public internal(set) var text = ""
  /// The elements within the element, in their order.
  public internal(set) var children: [InterfaceElement] = []

  init(name: String, attributes: [String: String], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  /// The value of an attribute.
  /// - Parameter attribute: The attribute's name.
  /// - Returns: The value; nil where the element has no such attribute.
  public subscript(attribute: String) -> String? { attributes[attribute] }

  /// The children of a name.
  /// - Parameter name: The name of the elements.
  /// - Returns: The elements, in their order.
  public func children(named name: String) -> [InterfaceElement] { children.filter { $0.name == name } }
}
