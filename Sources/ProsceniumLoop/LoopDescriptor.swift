import CSystem
import Glibc

/// A descriptor that is readable while a turn of an ``EventLoop`` is due: what another library's loop waits for.
///
/// An epoll descriptor over one with the loop's sources, and over a timer for its next deadline.
@MainActor final class LoopDescriptor {
  private let outer: Descriptor
  private let inner: Descriptor
  private let timer: KernelTimer
  private let pipe: Int32?
  /// The descriptors that are waited for.
  private var members: Set<Int32> = []
  /// The revision of the sources, and the main queue's descriptor.
  private var known: (revision: Int, mainQueue: Int32?)?
  /// The moment at which the timer goes off; nil while it is off.
  private var armed: Duration?
  private var isMuted = false

  /// Makes a descriptor that is not readable.
  /// - Parameter pipe: The descriptor of the loop's pipe.
  /// - Throws: The error of the kernel, which has no descriptors left.
  init(pipe: Int32?) throws(Errno) {
    self.pipe = pipe
    outer = try Descriptor(checking: linux_epoll(linux_epoll_close_on_exec))
    inner = try Descriptor(checking: linux_epoll(linux_epoll_close_on_exec))
    timer = try KernelTimer()
    for member in [inner.number, timer.descriptor.number] { try Self.add(member, to: outer.number) }
  }

  var number: Int32 { outer.number }

  /// Replaces the sources and the main queue's descriptor where they have changed.
  func setSources(_ sources: LoopSources, _ mainQueue: Int32?) {
    guard known?.revision != sources.revision || known?.mainQueue != mainQueue else { return }
    known = (sources.revision, mainQueue)
    var events: [Int32: UInt32] = [:]
    for case let descriptor? in [pipe, mainQueue] { events[descriptor] = UInt32(POLLIN) }
    for entry in sources.entries {
      // The events of poll(2) are those of epoll(7).
      events[entry.source.descriptor, default: 0] |= UInt32(UInt16(bitPattern: entry.source.interest.events))
    }
    for gone in members where events[gone] == nil { Self.change(inner.number, linux_epoll_remove, gone, 0) }
    for (member, events) in events where !Self.change(inner.number, linux_epoll_insert, member, events) {
      // It is there, unless it has been closed, which the kernel takes for a removal.
      Self.change(inner.number, linux_epoll_modify, member, events)
    }
    members = Set(events.keys)
  }

  /// Removes a source's descriptor before its owner closes it.
  ///
  /// Closed, it would stay for as long as another process has the open file, and could be named no more.
  func remove(_ member: Int32) {
    if members.remove(member) != nil { Self.change(inner.number, linux_epoll_remove, member, 0) }
  }

  /// Sets when a turn is due, whatever the sources do.
  /// - Parameter moment: A moment of ``MonotonicClock``; zero for now, nil for never.
  func setDeadline(_ moment: Duration?) {
    guard moment != armed else { return }
    armed = moment
    if let moment { timer.start(after: max(.zero, moment - MonotonicClock.now)) } else { timer.stop() }
  }

  /// A turn begins: the timer is off once it has gone off.
  func turnBegins() {
    do throws(Errno) { try timer.wait() } catch { return }
    armed = nil
  }

  /// Makes the descriptor unreadable within a turn, in which an outer loop waits that the turn itself has begun.
  func mute() {
    guard !isMuted else { return }
    isMuted = true
    for member in [inner.number, timer.descriptor.number] { Self.change(outer.number, linux_epoll_remove, member, 0) }
  }

  /// Ends ``mute()``.
  func unmute() {
    guard isMuted else { return }
    isMuted = false
    for member in [inner.number, timer.descriptor.number] {
      Self.change(outer.number, linux_epoll_insert, member, UInt32(POLLIN))
    }
  }

  /// Makes the descriptor readable, though it is muted.
  func askForTurn() {
    unmute()
    setDeadline(.zero)
  }

  private static func add(_ member: Int32, to epoll: Int32) throws(Errno) {
    guard change(epoll, linux_epoll_insert, member, UInt32(POLLIN)) else { throw .last }
  }

  @discardableResult
  private static func change(_ epoll: Int32, _ operation: Int32, _ member: Int32, _ events: UInt32) -> Bool {
    var event = linux_epoll_event(events: events, data: 0)
    return linux_change_epoll(epoll, operation, member, &event) == 0
  }
}
