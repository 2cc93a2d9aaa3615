import CXCB
import ProsceniumPlatform

/// A monitor of RRGetMonitors' reply, before its name is known.
struct MonitorReply: Hashable {
  var name: UInt32
  var isPrimary: Bool
  var frame: Rect
  var physicalSize: Size

  /// The monitors of a reply: each is followed by its outputs.
  static func decode(_ reply: ReplyBytes) -> [MonitorReply] {
    var monitors: [MonitorReply] = []
    var offset = ReplyBytes.header
    for _ in 0..<min(reply.read(randr_monitors_reply.self)?.monitor_count ?? 0, 256) {
      guard let found = reply.read(randr_monitor.self, at: offset) else { break }
      offset += MemoryLayout<randr_monitor>.size + 4 * Int(found.output_count)
      guard found.width > 0, found.height > 0 else { continue }
      monitors.append(
        MonitorReply(
          name: found.name, isPrimary: found.is_primary != 0,
          frame: Rect(x: Int(found.x), y: Int(found.y), width: Int(found.width), height: Int(found.height)),
          physicalSize: Size(width: Int(found.width_millimeters), height: Int(found.height_millimeters))))
    }
    return monitors
  }
}
