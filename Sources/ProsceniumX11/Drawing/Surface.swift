import CXCB
import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// The pixels of a window: one buffer, or two or three where the server still reads the one that was drawn last.
@MainActor final class Surface {
  /// One is read to repair the window, one is on its way, one is drawn into.
  static let mostBuffers = 3

  let size: Size
  private(set) var method: SurfaceMethod
  /// Whether the window had a surface of another size before.
  var isResized = false
  /// Memory of the surface that had another size before, for the first buffer.
  var spare: SurfaceStore?
  private(set) var buffers: [SurfaceBuffer] = []
  /// The buffer that was drawn last: the window shows it, or is going to.
  private(set) var front: SurfaceBuffer?
  /// XFixes' region for the parts that have changed, and these parts; 0 while none was needed.
  var region: UInt32 = 0
  var regionParts = Damage()
  /// The parts that the server has lost, and gets again from the front buffer.
  var toRepair = Damage()

  init(size: Size, method: SurfaceMethod) {
    self.size = size
    self.method = method
  }

  var whole: Rect { Rect(x: 0, y: 0, width: size.width, height: size.height) }

  /// A buffer that may be drawn into now; preferably the one that lacks nothing.
  var idleBuffer: SurfaceBuffer? {
    if let front, front.uses == 0 { return front }
    return buffers.first { $0.uses == 0 }
  }

  var mayGrow: Bool { buffers.count < (method == .present ? Self.mostBuffers : 1) }

  var canDraw: Bool { mayGrow || idleBuffer != nil }

  func add(_ buffer: SurfaceBuffer) { buffers.append(buffer) }

  /// The buffer of a pixmap or a segment that the server names.
  func buffer(pixmap: UInt32 = 0, segment: UInt32 = 0) -> SurfaceBuffer? {
    buffers.first { pixmap != 0 ? $0.pixmap == pixmap : $0.segment == segment }
  }

  /// Removes the buffers that are not shown nor going to be; they are made anew when something is drawn.
  func removeSpareBuffers() -> [SurfaceBuffer] {
    func isSpare(_ buffer: SurfaceBuffer) -> Bool { buffer !== front && buffer.uses == 0 }
    defer { buffers.removeAll(where: isSpare) }
    return buffers.filter(isSpare)
  }

  /// Gives up all buffers, which share memory with the server: from now on the pixels themselves are sent.
  /// - Returns: The buffers.
  func stopSharing() -> [SurfaceBuffer] {
    method = .request
    front = nil
    return exchange(&buffers, with: [])
  }

  /// Removes a buffer that the server is done with, and whose memory a surface of another size can have.
  /// - Parameter count: The size of a buffer of that surface, in bytes.
  /// - Returns: The buffer, or nil where there is none.
  func removeReusableBuffer(for count: Int) -> SurfaceBuffer? {
    let index = buffers.firstIndex { $0.uses == 0 && $0.store.suits(count) }
    return index.map { buffers.remove(at: $0) }
  }

  /// A buffer has been drawn into, and is shown from now on.
  func drew(_ parts: Damage, into buffer: SurfaceBuffer) {
    buffer.lacks = Damage()
    for other in buffers where other !== buffer { other.lacks.add(parts) }
    front = buffer
    // The parts that are shown anew need no repair; the others still do.
    if !toRepair.isEmpty { toRepair = Damage(toRepair.rects.filter { !parts.covers($0) }) }
  }
}

/// Memory for the pixels of a buffer, and the server's name for it.
@MainActor final class SurfaceStore {
  let memory: MemoryMapping
  /// 0 where the memory is not shared.
  let segment: UInt32

  init(_ memory: consuming MemoryMapping, segment: UInt32 = 0) {
    self.memory = memory
    self.segment = segment
  }

  /// Whether it holds a buffer of so many bytes, and is not twice as large.
  func suits(_ count: Int) -> Bool { memory.count >= count && memory.count / 2 <= count }
}

/// Memory that a frame is drawn into, and the server's objects for it.
@MainActor final class SurfaceBuffer {
  let store: SurfaceStore
  let size: Size
  /// 0 where the segment is copied from.
  let pixmap: UInt32
  /// The parts that have been drawn into other buffers since this one was shown.
  var lacks: Damage
  /// How many requests the server has yet to finish before the memory may be changed.
  var uses = 0

  init(_ store: SurfaceStore, size: Size, pixmap: UInt32 = 0) {
    self.store = store
    self.size = size
    self.pixmap = pixmap
    lacks = Damage([Rect(x: 0, y: 0, width: size.width, height: size.height)])
  }

  var segment: UInt32 { store.segment }
  var base: UnsafeMutableRawPointer { store.memory.base }
  var bytesPerRow: Int { size.width * 4 }
  var pixels: PixelBuffer { PixelBuffer(unsafeStart: base, bytesPerRow: bytesPerRow, size: size) }

  /// Copies the parts that it lacks from the buffer that is shown, except those that are drawn next.
  func catchUp(with front: SurfaceBuffer, except damage: Damage) {
    for rect in lacks.rects where !damage.covers(rect) {
      let length = rect.size.width * 4
      for y in rect.origin.y..<rect.origin.y + rect.size.height {
        let offset = y * bytesPerRow + rect.origin.x * 4
        (base + offset).copyMemory(from: front.base + offset, byteCount: length)
      }
    }
  }
}

/// The way of pixels from the program's memory onto a window.
enum SurfaceMethod: Hashable, Sendable {
  /// Shared pixmaps, shown by the Present extension.
  case present
  /// One shared segment, copied by ShmPutImage.
  case sharedMemory
  /// The pixels themselves, in PutImage requests: a remote display, or no memory that can be shared.
  case request
}

/// Memory of buffers that can be shared with the server.
enum SurfaceMemory {
  /// The greatest size in bytes: more than any screen needs.
  static let most = 1 << 30

  /// Makes a file without a name, whose memory can be shared with the server.
  ///
  /// It cannot shrink any more (memfd_create(2), F_SEAL_SHRINK), so that no process that maps it faults, and its pages
  /// exist already: a lack of memory is a nil here, and not a signal while something is drawn. It is also nil where the
  /// process has no descriptors left, or a sandbox allows no such file.
  /// - Parameter count: The size in bytes.
  /// - Returns: The file.
  static func makeFile(_ count: Int) -> Descriptor? {
    guard count > 0, count <= most, fits(count) else { return nil }
    let number = memfd_create("proscenium", UInt32(linux_memfd_close_on_exec | linux_memfd_allow_sealing))
    guard number >= 0 else { return nil }
    let file = Descriptor(owning: number)
    // Older kernels give up at any signal.
    let failure = DetachedThread.withoutSignals { () -> Int32 in
      while true {
        let failure = posix_fallocate(file.number, 0, count)
        if failure != EINTR { return failure }
      }
    }
    guard failure == 0 else { return nil }
    // Older kernels may refuse, which changes nothing.
    _ = fcntl(file.number, Int32(linux_add_seals), Int32(linux_seal_seal | linux_seal_shrink | linux_seal_grow))
    return file
  }

  /// Whether the process may have a file of that size: one that is too large would end it (setrlimit(2), SIGXFSZ).
  static func fits(_ count: Int) -> Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return true }
    return limit.rlim_cur == rlim_t.max || limit.rlim_cur >= rlim_t(count)
  }
}

/// The server's support for surfaces.
struct SurfaceSupport: Hashable, Sendable {
  /// Whether the extensions have answered: until then nothing is drawn.
  var isKnown = false
  /// Whether the server has MIT-SHM 1.2, whose AttachFd passes segments to it, and the socket passes descriptors.
  var sharesMemory = false
  /// Whether segments can be used as pixmaps.
  var sharesPixmaps = false
  /// Whether the server has Present.
  var presents = false

  var method: SurfaceMethod {
    if sharesMemory, sharesPixmaps, presents { return .present }
    return sharesMemory ? .sharedMemory : .request
  }

  /// Uses another method than one that has failed.
  mutating func fallBack(from method: SurfaceMethod) {
    presents = false
    if method != .present { sharesMemory = false }
  }
}
