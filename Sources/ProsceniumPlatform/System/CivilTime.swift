/// A reason for which the time that the user reads has jumped.
public enum SignificantTimeChange: String, Hashable, Sendable, CaseIterable {
  /// Midnight has passed.
  case newDay
  /// The clock was set.
  case clockSet
  /// The machine's time zone was changed.
  case timeZone
  /// Daylight saving has begun or ended.
  case daylightSaving
}

/// A reading of the local time; the difference of two readings shows jumps of the clock.
package struct CivilTime: Hashable, Sendable {
  /// The local date, in days.
  package var day: Int
  /// Seconds east of Greenwich.
  package var offset: Int
  /// The time zone, as a text that is another one for each zone.
  package var zone: String
  /// The clock less the time since the machine was started, in seconds: constant until the clock is set.
  package var skew: Double

  /// Makes a reading.
  package init(day: Int, offset: Int, zone: String, skew: Double) {
    self.day = day
    self.offset = offset
    self.zone = zone
    self.skew = skew
  }

  /// The changes since an earlier reading.
  package func changes(since earlier: CivilTime) -> Set<SignificantTimeChange> {
    var changes: Set<SignificantTimeChange> = []
    if day != earlier.day { changes.insert(.newDay) }
    // Smaller differences are corrections by NTP.
    if abs(skew - earlier.skew) >= 1 { changes.insert(.clockSet) }
    if zone != earlier.zone {
      changes.insert(.timeZone)
    } else if offset != earlier.offset {
      changes.insert(.daylightSaving)
    }
    return changes
  }
}
