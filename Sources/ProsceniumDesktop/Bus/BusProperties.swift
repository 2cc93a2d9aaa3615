import ProsceniumLoop

/// Follows properties of a service's objects: reads all of them whenever the service appears, and hears of changes.
///
/// The service is asked by its unique name, and only what the owner of the well-known name says is believed. Values
/// that cannot be true are left out: in a change they leave the earlier value as it is.
@MainActor final class BusProperties {
  /// An object, and the properties that are followed.
  struct Object {
    var path: String
    var interface: String
    /// What is accepted as the value of each property.
    var properties: [String: (BusValue) -> Bool]
  }

  private static let interface = "org.freedesktop.DBus.Properties"

  private let bus: Bus
  private let name: String
  private let objects: [Object]
  private let startsService: Bool
  private let onChange: @MainActor () -> Void
  /// The service's unique name; nil where there is none, or it is not known yet.
  private(set) var owner: String?
  /// Whether it is known who the service is, or that there is none.
  private(set) var isOwnerKnown = false
  /// Whether the bus has been asked to start the service.
  private var hasAskedForStart = false
  /// The values of each object's properties, as far as they are known.
  private var values: [[String: BusValue]]
  /// The objects that are being read; true where one has to be read again.
  private var isReading: [Int: Bool] = [:]
  /// How often in a row the service has not answered, by the object.
  private var silences: [Int: Int] = [:]

  /// Begins to follow a service.
  /// - Parameters:
  ///   - bus: The bus.
  ///   - name: The service's well-known name.
  ///   - objects: The objects.
  ///   - startsService: Whether the bus starts it where it can.
  ///   - onChange: Called when values may have changed.
  init(
    _ bus: Bus, _ name: String, _ objects: [Object], startsService: Bool = true,
    onChange: @escaping @MainActor () -> Void
  ) {
    self.bus = bus
    self.name = name
    self.objects = objects
    self.startsService = startsService
    self.onChange = onChange
    values = objects.map { _ in [:] }
    bus.onOwner(of: name) { [weak self] in self?.ownerChanged(to: $0) }
    for (index, object) in objects.enumerated() {
      let rule = BusRule(
        sender: name, path: object.path, interface: Self.interface, name: "PropertiesChanged",
        firstText: object.interface)
      bus.subscribe(rule) { [weak self] in self?.propertiesChanged(of: index, $0.values) }
    }
  }

  /// Stops following: nothing is heard of the service any more.
  func stop() {
    owner = nil
    bus.unsubscribe(from: name)
  }

  /// Whether an object is being read, and nobody knows yet that the service does not answer.
  var isBeingRead: Bool { isReading.keys.contains { silences[$0] == nil } }

  /// Reads all objects again.
  func refresh() { for index in objects.indices { read(index) } }

  /// The value of a property; nil where it is unknown.
  func value(_ property: String, of object: Int) -> BusValue? { values[object][property] }

  private func ownerChanged(to owner: String?) {
    (self.owner, isOwnerKnown) = (owner, true)
    (isReading, silences) = ([:], [:])
    values = objects.map { _ in [:] }
    if owner == nil { askForStart() } else { refresh() }
    onChange()
  }

  /// Once: a service that dies is not started again and again.
  private func askForStart() {
    guard startsService, bus.isConnected, !hasAskedForStart else { return }
    hasAskedForStart = true
    // A machine without the service refuses, which is no error; one that starts it reports the owner.
    bus.call(BusDaemon.name, BusDaemon.member("StartServiceByName"), [.string(name), .uint32(0)]) { _ in }
  }

  private func read(_ index: Int) {
    guard let owner, isReading.updateValue(false, forKey: index) == nil else { return isReading[index] = true }
    let member = BusMember(path: objects[index].path, interface: Self.interface, name: "GetAll")
    bus.call(owner, member, [.string(objects[index].interface)]) { [weak self] result in
      guard let self, self.owner == owner else { return }
      let isOutdated = isReading.removeValue(forKey: index) == true
      if case .failure(let failure) = result, failure.isSilence {
        readAgain(index, from: owner)
      } else {
        silences[index] = nil
      }
      // A service without the object says nothing.
      if let all = (try? result.get())?.first?.properties { values[index] = accepted(all, index) }
      if isOutdated { read(index) }
      onChange()
    }
  }

  /// Reads an object again of which a service has said nothing, that may be busy.
  private func readAgain(_ index: Int, from owner: String) {
    let count = silences[index] ?? 0
    silences[index] = count + 1
    bus.again(after: count) { [weak self] in
      if let self, self.owner == owner, silences[index] == count + 1, isReading[index] == nil { read(index) }
    }
  }

  /// The signal has the interface, the changed properties with their values, and those that have to be read.
  private func propertiesChanged(of index: Int, _ signal: [BusValue]) {
    guard signal.count == 3 else { return }
    values[index].merge(accepted(signal[1].properties ?? [:], index)) { $1 }
    let invalidated = signal[2].elements?.compactMap(\.text) ?? []
    if invalidated.contains(where: { objects[index].properties[$0] != nil }) { read(index) }
    onChange()
  }

  private func accepted(_ changed: [String: BusValue], _ index: Int) -> [String: BusValue] {
    changed.filter { objects[index].properties[$0.key]?($0.value) == true }
  }
}
