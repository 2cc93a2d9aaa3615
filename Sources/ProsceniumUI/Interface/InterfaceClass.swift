public import ProsceniumCore

/// A class of the program that interface files may name, with its outlets and actions.
///
/// ```swift
/// InterfaceClass("NoteController", NoteController.init) {
///   $0.outlet("title", \.titleLabel)
///   $0.action("save", NoteController.save)
/// }
/// ```
///
/// The class is a ``ViewController``, which a file has as its template, or a ``View``.
@preconcurrency @MainActor public struct InterfaceClass {
  /// The name of the class in files.
  public let name: String
  let make: @MainActor () -> Responder
  let outlets: [Outlet]
  let actions: [String: Action]

  /// Describes a class.
  /// - Parameters:
  ///   - name: The name in files; Cambalache and Glade call it the class of a template.
  ///   - make: Makes an object; called once for each element of the class.
  ///   - connect: Adds the outlets and the actions; called at once.
  public init<Object: Responder>(
    _ name: String, _ make: @escaping @MainActor () -> Object, connect: (inout Connections<Object>) -> Void = { _ in }
  ) {
    var connections = Connections<Object>()
    connect(&connections)
    self.name = name
    self.make = make
    outlets = connections.outlets
    actions = connections.actions
  }

  /// A property that gets an object of the file.
  struct Outlet {
    let name: String
    /// The class that the object has to have.
    let expected: String
    /// Sets the property; false where the object is of another class.
    let set: @MainActor (_ owner: Responder, _ object: Responder) -> Bool
  }

  /// A method that a signal calls.
  struct Action {
    /// The class that the sender has to have.
    let expected: String
    let fits: @MainActor (_ sender: Responder) -> Bool
    let perform: @MainActor (_ owner: Responder, _ sender: Responder) -> Void
  }

  /// The outlets and the actions of a class, by the names that files use.
  @preconcurrency @MainActor public struct Connections<Object: Responder> {
    var outlets: [Outlet] = []
    var actions: [String: Action] = [:]

    /// Adds an outlet: a property that gets the object of a name.
    ///
    /// It is set before `viewDidLoad()` is called, once for each object of the class. A file that has no object of this
    /// name, or one of another class, is not used.
    /// - Parameters:
    ///   - name: The id of the object in files.
    ///   - property: The property, which may be weak.
    public mutating func outlet<Value: Responder>(
      _ name: String, _ property: ReferenceWritableKeyPath<Object, Value?>
    ) {
      let outlet = Outlet(name: name, expected: "\(Value.self)") { owner, object in
        guard let owner = owner as? Object, let object = object as? Value else { return false }
        owner[keyPath: property] = object
        return true
      }
      outlets.append(outlet)
    }

    /// Adds an action: a method that signals call by a name.
    /// - Parameters:
    ///   - name: The handler's name in files.
    ///   - method: The method, such as `NoteController.save`. Its object is not held by the view that sends the signal.
    public mutating func action(
      _ name: String, _ method: @escaping @MainActor (Object) -> @MainActor () -> Void
    ) {
      actions[name] = Action(expected: "View", fits: { _ in true }) { owner, _ in
        if let owner = owner as? Object { method(owner)() }
      }
    }

    /// Adds an action with a sender.
    /// - Parameters:
    ///   - name: The handler's name in files.
    ///   - method: The method, such as `NoteController.choose`, which gets the view that sends the signal. A file that
    ///     connects a view of another class to it is not used.
    public mutating func action<Sender: View>(
      _ name: String, _ method: @escaping @MainActor (Object) -> @MainActor (Sender) -> Void
    ) {
      actions[name] = Action(expected: "\(Sender.self)", fits: { $0 is Sender }) { owner, sender in
        if let owner = owner as? Object, let sender = sender as? Sender { method(owner)(sender) }
      }
    }
  }
}
