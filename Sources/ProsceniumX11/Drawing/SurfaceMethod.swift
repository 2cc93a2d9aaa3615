/// The way of pixels from the program's memory onto a window.
enum SurfaceMethod: Hashable, Sendable {
  /// Shared pixmaps, shown by the Present extension.
  case present
  /// One shared segment, copied by ShmPutImage.
  case sharedMemory
  /// The pixels themselves, in PutImage requests: a remote display.
  case request
}
