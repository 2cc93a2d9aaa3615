import ProsceniumCore

/// What is looked for in the elements of a file.
extension InterfaceElement {
  /// The ids of the element and of all in it, as far as these are objects; that of a template is its class.
  var ids: Set<String> {
    let own: [String?] =
      switch name {
      case "object", "menu": [self["id"]]
      case "template": [self["id"], self["class"]]
      default: []
      }
    return children.reduce(into: Set(own.compactMap(\.self))) { $0.formUnion($1.ids) }
  }

  /// The name of a property, with hyphens as GTK writes it now; empty for another element.
  var propertyName: String {
    guard name == "property" else { return "" }
    return (self["name"] ?? "").split(separator: "_", omittingEmptySubsequences: false).joined(separator: "-")
  }

  /// Whether an underscore in the label is a mark of the letter that follows.
  @MainActor var hasMnemonic: Bool {
    children.contains { $0.propertyName == "use-underline" && InterfaceProperty.flag($0.text) == true }
  }

  /// The texts of a list of texts.
  var items: [InterfaceElement] { children(named: "items").flatMap { $0.children(named: "item") } }

  /// The ids of the objects that properties of a name have in the element, or in what is in it.
  @MainActor func ids(namedBy property: String) -> Set<String> {
    var ids: Set<String> = propertyName == property ? [InterfaceProperty.trimmed(text)] : []
    for child in children { ids.formUnion(child.ids(namedBy: property)) }
    return ids
  }

  /// The place of the interface among the elements of the file, whose root this is; nil where it has none.
  ///
  /// That is the template, else the first window, else the first view that is not the picture of a button, as those of
  /// GTK 3 have them beside their titles. Glade writes helpers of a window, and such pictures, before it.
  @MainActor var indexOfInterface: Int? {
    func first(_ isInterface: (_ type: String, _ element: InterfaceElement) -> Bool) -> Int? {
      children.firstIndex { $0.name == "object" && isInterface($0["class"] ?? "", $0) }
    }
    let own =
      children.firstIndex { $0.name == "template" } ?? first { type, _ in InterfaceWidget.windows.contains(type) }
    if let own { return own }
    let pictures = ids(namedBy: "image")
    return first { type, element in
      !InterfaceWidget.withoutView.contains(type) && (type != "GtkImage" || !pictures.contains(element["id"] ?? ""))
    }
  }
}
