package import ProsceniumLoop

/// A file descriptor in a message; equal to itself alone.
package final class BusDescriptor: Hashable, Sendable {
  package let descriptor: Descriptor

  package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  package static func == (lhs: BusDescriptor, rhs: BusDescriptor) -> Bool { lhs === rhs }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
