import Glibc
import ProsceniumPlatform

/// The interface by which programs of one developer continue each other's activities.
enum HandoffInterface {
  /// Our own; a change that older programs would misunderstand gets another number.
  static let name = "org.proscenium.Handoff1"
  static let path = "/org/proscenium/Handoff"
  @MainActor static var getAll: BusMember {
    BusMember(path: path, interface: BusObjects.properties, name: "GetAll")
  }

  /// The error of a program that does not offer the activity, or no more.
  static let notOffered = "org.proscenium.Error.NotOffered"

  static let longestType = 1024
  static let longestTitle = 4096
  static let longestIdentifier = 128
  /// The longest text of an activity, in bytes.
  static let longestActivity = 512 * 1024
  /// How long a program may take to say what it offers, and to bring the activity up to date.
  static let (listingLimit, takingLimit) = (Duration.seconds(2), Duration.seconds(5))

  static func member(_ name: String) -> BusMember { BusMember(path: path, interface: Self.name, name: name) }

  /// The properties of an offer.
  static func properties(of offer: HandoffOffer) -> [String: BusValue] {
    [
      "Identifier": .string(offer.identifier), "ActivityType": .string(offer.activityType.withoutZeros),
      "Title": .string((offer.title ?? "").withoutZeros),
    ]
  }

  /// The offer of another program; nil for what cannot be one.
  static func offer(_ values: [BusValue]) -> HandoffOffer? {
    guard let properties = values.first?.properties, let identifier = properties["Identifier"]?.text,
      isIdentifier(identifier), let type = properties["ActivityType"]?.text, isType(type)
    else { return nil }
    let title = properties["Title"]?.text.flatMap { $0.isEmpty || $0.utf8.count > longestTitle ? nil : $0 }
    return HandoffOffer(identifier: identifier, activityType: type, title: title)
  }

  static func isType(_ text: String) -> Bool { (1...longestType).contains(text.utf8.count) }
  static func isIdentifier(_ text: String) -> Bool { (1...longestIdentifier).contains(text.utf8.count) }

  /// The introspection data.
  static let description = """
    <interface name="org.proscenium.Handoff1">
     <method name="Take">
      <arg name="identifier" type="s" direction="in"/><arg name="activity" type="s" direction="out"/>
     </method>
     <method name="Continued"><arg name="identifier" type="s" direction="in"/></method>
     <property name="Identifier" type="s" access="read"/>
     <property name="ActivityType" type="s" access="read"/>
     <property name="Title" type="s" access="read"/>
    </interface>

    """
}

/// The developer of a program, by its id: all but the last element.
struct HandoffDeveloper: Hashable {
  private static let suffix = ".Handoff"
  /// A bus name has at most 255 bytes; the number of a process needs room too.
  private static let longest = 220

  /// The elements before the last one, with the dot after them.
  private let prefix: String
  /// The program's id.
  let application: String

  /// Nil for an id of less than three elements, or one that is no name on the bus: such a program has no developer that
  /// it could share with others.
  init?(application: String) {
    guard InstanceName.isValid(application), application.utf8.count <= Self.longest,
      application.utf8.count(where: { $0 == UInt8(ascii: ".") }) >= 2,
      let dot = application.lastIndex(of: "."), !application.hasPrefix("org.proscenium.Application.")
    else { return nil }
    prefix = String(application[...dot])
    self.application = application
  }

  /// Whether the developer has a program of this id.
  func includes(_ application: String) -> Bool {
    application.hasPrefix(prefix) && HandoffDeveloper(application: application)?.prefix == prefix
  }

  /// Whether a name on the bus is one that programs of the developer have: that of an instance, or that of an offer.
  func isName(_ name: String) -> Bool {
    var base = name[...]
    if let dot = name.lastIndex(of: "."), name[dot...].hasPrefix(".Instance"), Int(name[dot...].dropFirst(9)) != nil {
      base = name[..<dot]
    }
    return includes(name) || includes(String(base)) || application(withName: name) != nil
  }

  /// The names for what the program offers, in the order in which they are tried.
  var names: [String] { [application + Self.suffix, "\(application)\(Self.suffix).instance\(getpid())"] }

  /// The id of the program that has a name for what it offers; nil for another name, or another developer.
  func application(withName name: String) -> String? {
    guard name.hasPrefix(prefix), InstanceName.isValid(name) else { return nil }
    var words = name.split(separator: ".", omittingEmptySubsequences: false)
    if let last = words.last, last.hasPrefix("instance"), Int(last.dropFirst(8)) != nil { words.removeLast() }
    guard words.removeLast() == Self.suffix.dropFirst() else { return nil }
    let application = words.joined(separator: ".")
    return includes(application) ? application : nil
  }
}
