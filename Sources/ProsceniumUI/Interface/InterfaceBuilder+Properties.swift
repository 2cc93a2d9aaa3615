import ProsceniumCore

/// Sets the properties of views, and says what has no effect.
extension InterfaceBuilder {
  func setProperty(
    _ property: InterfaceElement, of view: View, _ widget: InterfaceWidget, _ element: InterfaceElement
  ) throws(InterfaceError) {
    let name = property.propertyName
    if InterfaceWidget.ignored.contains(name) { return }
    switch (name, view) {
    case ("file", let view as ImageView), ("pixbuf", let view as ImageView):
      view.image = try picture(property)
      return
    case ("active-id", let view as PopUpButton):
      let id = InterfaceProperty.trimmed(property.text)
      view.selectedIndex = element.items.firstIndex { $0["id"] == id }
      return
    case ("year", let view as DatePicker), ("month", let view as DatePicker), ("day", let view as DatePicker):
      view.date = try InterfaceCalendar(builder: self).date(of: element, view.date)
      return
    case ("buffer", let view as TextView):
      view.text = bufferText(property)
      return
    case ("adjustment", let view as Slider):
      guard let adjustment = try adjustment(property) else { return }
      (view.minimumValue, view.maximumValue) = (adjustment.lower, adjustment.upper)
      (view.value, view.step) = (adjustment.value, adjustment.step)
      return
    case ("adjustment", let view as NumberField):
      guard let adjustment = try adjustment(property) else { return }
      (view.minimumValue, view.maximumValue) = (adjustment.lower, adjustment.upper)
      (view.value, view.stepValue) = (adjustment.value, adjustment.step ?? 1)
      return
    // Read before.
    case ("model", is PopUpButton), ("menu-model", is MenuBar): return
    case ("menu-model", is Button) where widget.name == InterfaceWidget.menuButton: return
    case ("popup", is Button) where widget.name == InterfaceWidget.menuButton: return
    case ("group", is Switch), ("mnemonic-widget", is Label):
      references.append((property, view))
      return
    default: break
    }
    guard let known = widget.properties[name] ?? InterfaceWidget.common[name], property["bind-source"] == nil else {
      return warnAboutProperty(property, of: element)
    }
    var value = text(of: property)
    if name == "label", !(view is Label) { (view as? any Captioned)?.caption.showLineEndings() }
    if name == "label", element.hasMnemonic {
      let marked = MarkedText(value)
      if let view = view as? any Captioned {
        view.caption.content = marked
        return
      }
      value = marked.text
    }
    guard known.set(view, value) else { throw invalid(property, expected: known.expected) }
  }

  /// Tells assistive programs of a view what an object of ATK's (GTK 3) or an `<accessibility>` (GTK 4) says of it.
  func setAccessibility(of view: View, _ element: InterfaceElement) {
    for property in element.children where !property.text.isEmpty {
      // Glade writes the class before the name.
      switch property.propertyName.split(separator: ":").last {
      case "accessible-name", "label": view.accessibilityLabel = text(of: property)
      case "accessible-description", "description": view.accessibilityHint = text(of: property)
      default: break
      }
    }
  }

  func setAttributes(
    _ list: InterfaceElement, of view: View, _ widget: InterfaceWidget
  ) throws(InterfaceError) {
    for attribute in list.children(named: "attribute") {
      let name = attribute["name"] ?? ""
      guard let known = widget.attributes[name], let value = attribute["value"] else {
        warn(attribute, "The attribute \"\(shown(name))\" has no effect.")
        continue
      }
      guard known.set(view, value) else { throw invalid(attribute, expected: known.expected) }
    }
  }

  func picture(_ property: InterfaceElement) throws(InterfaceError) -> Image {
    do {
      return try Image(png: try document.contents(of: InterfaceProperty.trimmed(property.text), most: 64 << 20))
    } catch {
      let reason = (error as? InterfaceError)?.reason ?? "\(error)"
      throw InterfaceError(line: property.line, "The picture \"\(shown(property.text))\" cannot be shown: \(reason)")
    }
  }

  func bufferText(_ property: InterfaceElement) -> String {
    let buffer = helper(of: property, "GtkTextBuffer")
    return buffer?.children.first { $0.propertyName == "text" }.map(text) ?? ""
  }

  /// What a number may be, as a GtkAdjustment has it.
  struct Adjustment {
    // The limits of one that does not say them.
    var (lower, upper, value) = (0.0, 0.0, 0.0)
    var step: Double?
  }

  func adjustment(_ property: InterfaceElement) throws(InterfaceError) -> Adjustment? {
    guard let object = helper(of: property, "GtkAdjustment") else { return nil }
    var (adjustment, page) = (Adjustment(), 0.0)
    for part in object.children {
      switch part.propertyName {
      case "lower": adjustment.lower = try number(part)
      case "upper": adjustment.upper = try number(part)
      case "value": adjustment.value = try number(part)
      case "page-size": page = try number(part)
      case "step-increment": adjustment.step = try number(part)
      default: break
      }
    }
    // GTK keeps the value a page below the upper limit.
    adjustment.upper = max(adjustment.lower, adjustment.upper - page)
    return adjustment
  }

  /// Gives a pop-up button its choices: those in it, or those of its list of texts.
  ///
  /// As in GTK, a `GtkDropDown` shows the first one unless the file says which, and a `GtkComboBoxText` none.
  func setChoices(of button: PopUpButton, _ element: InterfaceElement) {
    let model = element.children.first { $0.propertyName == "model" }
    let list = model.flatMap { helper(of: $0, "GtkStringList") }
    let items = (list ?? element).items
    if model != nil, list == nil {
      warn(
        model ?? element,
        "The model of \(shown(element["class"] ?? "")) has no effect: it is no GtkStringList of the file.")
    }
    button.items = items.map { text(of: $0) }
    if list == nil { button.selectedIndex = nil }
  }

  /// The object without a view that a property names: of GTK 4 within the property, of GTK 3 beside the view.
  func helper(of property: InterfaceElement, _ type: String) -> InterfaceElement? {
    let id = InterfaceProperty.trimmed(property.text)
    return property.children.first { $0.name == "object" }
      ?? document.root.children.first { $0["class"] == type && $0["id"] == id }
  }

  private func number(_ property: InterfaceElement) throws(InterfaceError) -> Double {
    guard let value = Double(InterfaceProperty.trimmed(property.text)), value.isFinite else {
      throw invalid(property, expected: "a finite number")
    }
    return value
  }

  func text(of property: InterfaceElement) -> String {
    let isTranslatable = property["translatable"].flatMap { InterfaceProperty.flag($0) } ?? false
    return isTranslatable ? file.translate(property.text, property["context"]) : property.text
  }

  func length(_ property: InterfaceElement) throws(InterfaceError) -> Int {
    let range = -1...InterfaceProperty.lengths
    guard let value = Int(InterfaceProperty.trimmed(property.text)), range.contains(value) else {
      throw invalid(property, expected: "a whole number from -1 to \(InterfaceProperty.lengths)")
    }
    return value
  }

  func flag(_ property: InterfaceElement) throws(InterfaceError) -> Bool {
    guard let value = InterfaceProperty.flag(property.text) else {
      throw invalid(property, expected: "True or False")
    }
    return value
  }

  // MARK: Errors and warnings

  func attribute(_ name: String, of element: InterfaceElement) throws(InterfaceError) -> String {
    guard let value = element[name], !value.isEmpty else {
      throw InterfaceError(line: element.line, "<\(element.name)> has no attribute \"\(name)\".")
    }
    return value
  }

  func invalid(_ element: InterfaceElement, expected: String) -> InterfaceError {
    InterfaceError(
      line: element.line,
      "The value \"\(shown(element["value"] ?? element.text))\" of \"\(shown(element["name"] ?? ""))\" cannot be used. "
        + "It has to be \(expected).")
  }

  func warnAboutProperty(_ property: InterfaceElement, of element: InterfaceElement) {
    let name = element["parent"] ?? element["class"] ?? ""
    warn(property, "The property \"\(shown(property.propertyName))\" of \(shown(name)) has no effect.")
  }

  func warnAboutPart(_ part: InterfaceElement) {
    // What keyboards do, which these views do not do.
    if ["accelerator", "accessibility", "placeholder"].contains(part.name) { return }
    warn(part, "<\(shown(part.name))> has no effect here.")
  }

  func warn(_ element: InterfaceElement, _ reason: String) {
    guard warned.count < 100, warned.insert(reason).inserted else { return }
    warnings.append(InterfaceError(line: element.line, reason))
  }

  func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.sorted().joined(separator: ", ") }

  /// The beginning of a text of the file, for a sentence.
  func shown(_ text: String) -> String {
    text.unicodeScalars.count <= 60 ? text : String(text.unicodeScalars.prefix(60)) + "..."
  }
}
