/// Why the time that the user reads has jumped.
public enum SignificantTimeChange: String, Hashable, Sendable, CaseIterable {
  /// Midnight has passed.
  case newDay
  /// Somebody has set the clock.
  case clockSet
  /// The machine's time zone is another one.
  case timeZone
  /// Daylight saving has begun or ended.
  case daylightSaving
}

/// What the clock on the wall shows, as far as its jumps can be told by it: two readings say what has happened between
/// them, whatever happened in between.
package struct CivilTime: Hashable, Sendable {
  /// The local date, in days.
  package var day: Int
  /// Seconds east of Greenwich.
  package var offset: Int
  /// The zone; any text that is another one for another zone.
  package var zone: String
  /// The clock less the time since the machine started, in seconds: constant until somebody sets the clock.
  package var skew: Double

  /// A reading.
  package init(day: Int, offset: Int, zone: String, skew: Double) {
    self.day = day
    self.offset = offset
    self.zone = zone
    self.skew = skew
  }

  /// What has happened since an earlier reading.
  package func changes(since earlier: CivilTime) -> Set<SignificantTimeChange> {
    var changes: Set<SignificantTimeChange> = []
    if day != earlier.day { changes.insert(.newDay) }
    // Less is what keeps clocks right all the time (NTP).
    if abs(skew - earlier.skew) >= 1 { changes.insert(.clockSet) }
    if zone != earlier.zone {
      changes.insert(.timeZone)
    } else if offset != earlier.offset {
      changes.insert(.daylightSaving)
    }
    return changes
  }
}
