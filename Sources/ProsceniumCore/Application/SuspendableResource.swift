/// A resource that must not stay open while the program is suspended: a listening socket, a name on a bus, a file lock,
/// a device.
///
/// A suspended program does not answer on its sockets, and its locks block other programs. Register it with
/// ``Application/register(_:)``.
@preconcurrency @MainActor public protocol SuspendableResource: AnyObject {
  /// Called last before the program is suspended, when nothing else of it runs any more: close the resource, quickly,
  /// and without requests.
  func closeBeforeSuspension()

  /// Called first on resumption, before missed events are handled; never if the program ends while it is
  /// suspended.
  func reopenAfterSuspension()
}

extension Application {
  /// Registers a resource, which is closed before the program is suspended, and opened again on resumption.
  ///
  /// Those registered last are closed first, and opened last. Held strongly until ``unregister(_:)``; registering it
  /// again changes nothing. In a program that is never suspended (the default) no call follows. May be called before
  /// the launch too.
  /// - Parameter resource: The resource.
  public func register(_ resource: any SuspendableResource) { value(ResourcesKey.self).add(resource) }

  /// Removes a registered resource; does nothing if it is not registered.
  /// - Parameter resource: The resource.
  public func unregister(_ resource: any SuspendableResource) { value(ResourcesKey.self).remove(resource) }
}

/// The resources of the program that are closed and opened around a suspension.
@MainActor final class SuspendableResources {
  private var all: [any SuspendableResource] = [] { didSet { assertMainThread() } }
  private var areClosed = false

  func add(_ resource: any SuspendableResource) {
    if !all.contains(where: { $0 === resource }) { all.append(resource) }
  }

  func remove(_ resource: any SuspendableResource) { all.removeAll { $0 === resource } }

  /// The resources to close now, in order; none where they are closed already.
  func beginClosing() -> [any SuspendableResource] { exchange(&areClosed, with: true) ? [] : all.reversed() }

  /// The resources to open now, in order.
  func beginOpening() -> [any SuspendableResource] { exchange(&areClosed, with: false) ? all : [] }
}

@MainActor enum ResourcesKey: ValueKey { static var initial: SuspendableResources { SuspendableResources() } }
