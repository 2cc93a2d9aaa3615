import ProsceniumCore

/// Connects the objects: outlets and signals.
extension InterfaceBuilder {
  func connectOutlets(of instance: Instance) throws(InterfaceError) {
    for outlet in instance.type.outlets {
      guard let target = objects[outlet.name] else {
        throw InterfaceError(
          line: instance.line,
          "\(instance.type.name) has the outlet \"\(outlet.name)\", and the file has no object of this id.")
      }
      guard outlet.set(instance.object, target.object) else {
        throw InterfaceError(
          line: target.line,
          "The outlet \"\(outlet.name)\" of \(instance.type.name) is a \(outlet.expected), and this object is a "
            + "\(type(of: target.object)).")
      }
    }
  }

  /// Sets a property that names another object.
  func refer(_ property: InterfaceElement, of view: View) throws(InterfaceError) {
    let id = InterfaceProperty.trimmed(property.text)
    guard let target = objects[id] else {
      throw InterfaceError(
        line: property.line,
        "The property \"\(property.propertyName)\" names \"\(shown(id))\", and the file has no object of this id.")
    }
    switch (view, target.object) {
    case (let label as Label, let target as View): label.mnemonicTarget = target
    case (let button as Switch, let other as Switch):
      let group = other.group ?? SwitchGroup([other])
      button.group = group
      for view in [button, other] { view.style = .radio }
    default:
      throw InterfaceError(
        line: property.line,
        "The property \"\(property.propertyName)\" cannot be a \(type(of: target.object)): \"\(shown(id))\".")
    }
  }

  func connect(
    _ signal: InterfaceElement, _ view: View, _ widget: InterfaceWidget
  ) throws(InterfaceError) {
    let (name, handler) = (try attribute("name", of: signal), try attribute("handler", of: signal))
    guard let control = view as? Control, let events = widget.signals[name] else {
      let known = view is Control ? list(Array(widget.signals.keys)) : "none"
      throw InterfaceError(
        line: signal.line, "A \(widget.name) has no signal \"\(shown(name))\" here. Its signals are: \(known).")
    }
    let (owner, action) = try self.action(handler, for: signal, view)
    control.addAction(for: events) { [weak control, weak object = owner.object] in
      if let control, let object { action.perform(object, control) }
    }
  }

  /// Finds what an item calls, as for the signal of a view; its sender is the menu bar or the button.
  func connect(_ call: InterfaceMenuCall) throws(InterfaceError) {
    guard let sender = call.sender else { return }
    let (owner, action) = try self.action(call.handler, for: call.element, sender)
    call.perform = { [weak sender, weak object = owner.object] in
      if let sender, let object { action.perform(object, sender) }
    }
  }

  /// The action that a signal names, and the object that has it.
  func action(
    _ handler: String, for signal: InterfaceElement, _ sender: View
  ) throws(InterfaceError) -> (owner: Instance, action: InterfaceClass.Action) {
    if let id = signal["object"], objects[id] == nil, !ids.contains(id) {
      throw InterfaceError(
        line: signal.line, "The signal names the object \"\(shown(id))\", and the file has no object of this id.")
    }
    // The object that the signal names, where it is of a class of the program; else the template.
    let named = signal["object"].flatMap { objects[$0] }?.object
    let template = hasTemplate ? instances.first : nil
    guard let owner = instances.first(where: { $0.object === named }) ?? template else {
      throw InterfaceError(
        line: signal.line, "No class has the handler \"\(shown(handler))\": the file has no template.")
    }
    guard let action = owner.type.actions[handler] else {
      throw InterfaceError(
        line: signal.line,
        "\(owner.type.name) has no action \"\(shown(handler))\"; it has: \(list(Array(owner.type.actions.keys))).")
    }
    guard action.fits(sender) else {
      throw InterfaceError(
        line: signal.line,
        "The action \"\(handler)\" is for a \(action.expected), and this object is a \(type(of: sender)).")
    }
    return (owner, action)
  }
}
