public import FoundationEssentials

// Which way up the machine is, what is near it, the light around it, and that it is shaken. Sensors work while the
// program asks for them and one of its scenes is in the foreground, and not else.
extension Device {
  /// Which way up the machine is held (UIKit's `UIDeviceOrientation`).
  public enum Orientation: String, Hashable, Sendable, CaseIterable {
    /// Unknown, or the machine has no sensor for it.
    case unknown
    /// Upright, higher than wide.
    case portrait
    /// Higher than wide, the other way up.
    case portraitUpsideDown
    /// Turned counterclockwise from portrait: how a machine stands whose panel is wider than high.
    case landscapeLeft
    /// Turned clockwise from portrait.
    case landscapeRight
    /// It lies on its back.
    case faceUp
    /// It lies on its screen.
    case faceDown

    /// Whether it stands, higher than wide.
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    /// Whether it stands, wider than high.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    /// Whether it lies.
    public var isFlat: Bool { self == .faceUp || self == .faceDown }

    /// Each has been turned clockwise by a quarter from the one before.
    fileprivate static let clockwise: [Orientation] = [.portrait, .landscapeRight, .portraitUpsideDown, .landscapeLeft]
  }

  /// Which way up the machine is held; unknown unless ``isGeneratingDeviceOrientationNotifications``.
  ///
  /// The interface need not be so: ``WindowScene/interfaceOrientation`` is about the screen, which the desktop
  /// environment turns, or the user has locked. Changes are reported by ``OrientationDidChangeMessage``. On Linux it is
  /// iio-sensor-proxy's `AccelerometerOrientation`, together with the shape of the machine's own panel, the screen of
  /// the output `eDP`, `LVDS` or `DSI`, else the main screen; `AccelerometerTilt`, where the service has it, tells that
  /// the machine lies.
  public var orientation: Orientation {
    if let facesUp = sensors.facesUp { return facesUp ? .faceUp : .faceDown }
    guard let turn = sensors.turn else { return .unknown }
    let screens = application?.screens ?? []
    let builtIn = screens.first { screen in ["eDP", "LVDS", "DSI"].contains { screen.name.hasPrefix($0) } }
    let first = (builtIn ?? screens.first)?.isPanelTall == true ? 0 : 3
    return Orientation.clockwise[(first + turn.rawValue) % 4]
  }

  /// Whether ``orientation`` is observed: between a begin and its end.
  public var isGeneratingDeviceOrientationNotifications: Bool { requests.orientations > 0 }

  /// Begins to observe ``orientation``; may be nested, and be called before the launch.
  public func beginGeneratingDeviceOrientationNotifications() { change { $0.orientations += 1 } }

  /// Ends what ``beginGeneratingDeviceOrientationNotifications()`` has begun; does nothing without it.
  public func endGeneratingDeviceOrientationNotifications() { change { $0.orientations = max(0, $0.orientations - 1) } }

  /// Whether ``proximityState`` is observed; false at first.
  ///
  /// It may be set before the launch.
  public var isProximityMonitoringEnabled: Bool {
    get { requests.others.contains(.proximity) }
    set { set(.proximity, newValue) }
  }

  /// Whether something is close to the machine, the user's face say; false where that is unknown.
  ///
  /// Changes are reported by ``ProximityStateDidChangeMessage``. The screen stays on. On Linux it is iio-sensor-proxy's
  /// `ProximityNear`.
  public var proximityState: Bool { sensors.isNear }

  /// Whether ``ambientLight`` is observed; false at first.
  ///
  /// It may be set before the launch.
  public var isAmbientLightMonitoringEnabled: Bool {
    get { requests.others.contains(.light) }
    set { set(.light, newValue) }
  }

  /// How bright the light around the machine is; nil where that is unknown.
  ///
  /// Changes are reported by ``AmbientLightDidChangeMessage``. On Linux it is iio-sensor-proxy's `LightLevel`.
  public var ambientLight: AmbientLight? { sensors.light }

  /// Whether the machine is watched for shakes, for ``Responder/motionBegan(_:with:)``; false at first.
  ///
  /// The accelerometer is read 25 times a second by a thread of its own while this is true and a scene is active, and
  /// at no other time; the main thread wakes up for the beginning and the end of a shake alone. The machine is shaken
  /// when it is pushed to and fro at least four times, each within 0.4 s, harder than by 7 m/s²; held still for 0.4 s
  /// it has been shaken. It may be set before the launch. On Linux the accelerometer is the kernel's (`in_accel_x_raw`,
  /// Linux, Documentation/ABI/testing/sysfs-bus-iio), the screen's where there are several. A driver that cannot be
  /// read while another program reads it in its own way tells nothing meanwhile.
  public var isShakeMonitoringEnabled: Bool {
    get { requests.others.contains(.shake) }
    set { set(.shake, newValue) }
  }

  private var sensors: SensorReading { application?.conductor?.feature(Sensors.self)?.reading ?? SensorReading() }

  private var requests: SensorRequests { application?.value(SensorRequestsKey.self) ?? SensorRequestsKey.initial }

  private func set(_ topic: SensorTopic, _ isOn: Bool) {
    change { if isOn { $0.others.insert(topic) } else { $0.others.remove(topic) } }
  }

  private func change(_ change: (inout SensorRequests) -> Void) {
    assertMainThread()
    var requests = requests
    change(&requests)
    application?.setValue(requests, SensorRequestsKey.self)
    application?.conductor?.feature(Sensors.self)?.follow()
  }
}

extension Device {
  /// Posted when ``Device/orientation`` has changed, while ``Device/isGeneratingDeviceOrientationNotifications`` is
  /// true.
  public struct OrientationDidChangeMessage: DeviceMessage {
    /// The machine.
    public let device: Device
  }
  /// Posted when ``Device/proximityState`` has changed, while ``Device/isProximityMonitoringEnabled`` is true.
  public struct ProximityStateDidChangeMessage: DeviceMessage {
    /// The machine.
    public let device: Device
  }
  /// Posted when ``Device/ambientLight`` has changed, while ``Device/isAmbientLightMonitoringEnabled`` is true.
  public struct AmbientLightDidChangeMessage: DeviceMessage {
    /// The machine.
    public let device: Device
  }
}

extension NotificationCenter.MessageIdentifier where Self == Device.OrientationDidChangeMessage.Identifier {
  /// Names ``Device/OrientationDidChangeMessage``.
  public static var orientationDidChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Device.ProximityStateDidChangeMessage.Identifier {
  /// Names ``Device/ProximityStateDidChangeMessage``.
  public static var proximityStateDidChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier where Self == Device.AmbientLightDidChangeMessage.Identifier {
  /// Names ``Device/AmbientLightDidChangeMessage``.
  public static var ambientLightDidChange: Self { .init() }
}

/// What the program asks of sensors.
struct SensorRequests: Equatable, Sendable {
  /// How many times the orientation has been asked for.
  var orientations = 0
  /// The other topics that are asked for.
  var others: Set<SensorTopic> = []

  var topics: Set<SensorTopic> { orientations > 0 ? others.union([.orientation]) : others }
}

/// What the program asks of sensors, also before the launch.
enum SensorRequestsKey: ValueKey { static var initial: SensorRequests { SensorRequests() } }
