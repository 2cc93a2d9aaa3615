import Glibc

/// The one owner of a descriptor that came over the bus; closed when it goes.
package final class BusDescriptor: Hashable, Sendable {
  package let rawValue: Int32

  /// Takes a descriptor over.
  package init(_ rawValue: Int32) { self.rawValue = rawValue }

  deinit { close(rawValue) }

  package static func == (lhs: BusDescriptor, rhs: BusDescriptor) -> Bool { lhs === rhs }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
