public import FoundationEssentials
import Glibc

/// The options that the program was launched with.
///
/// In the scene-based model the first scene's ``Scene/ConnectionOptions`` have the URLs as well, which are best read
/// there.
public struct LaunchOptions: Hashable, Sendable {
  /// The URLs and files on the command line, of schemes and extensions that the delegate declares, and those that the
  /// bus started the program to open.
  public var urls: [URL]
  /// The shortcut item that `--action` names, or that the bus started the program to perform.
  ///
  /// In the scene-based model it is in the first scene's ``Scene/ConnectionOptions`` as well. In the app-based one
  /// ``OpenRequestsApplicationDelegate/application(_:performActionFor:completionHandler:)`` follows, unless one of the
  /// launch callbacks returns false.
  public var shortcutItem: ApplicationShortcutItem?
  /// The id of the application for whose request the bus started the program: the name of its desktop entry.
  ///
  /// It comes from the sender's process, and never from what the sender says: by its Flatpak, its Snap, the control
  /// group that the desktop environment has started it in (systemd, "Desktop Environment Integration"), or its
  /// executable, where it is this program's own. Nil where none of them names an application.
  ///
  /// Nil for a start by a command line, which names no application: the launcher, the shell and the session manager
  /// all start programs so.
  public var sourceApplication: String?
  /// The type of the activity that the bus started the program to continue.
  ///
  /// Nil for a launch by a command line. The activity itself is in the first scene's ``Scene/ConnectionOptions``; in
  /// the app-based model ``OpenRequestsApplicationDelegate/application(_:continue:restorationHandler:)`` follows.
  public var handoffUserActivityType: String?
  /// The user's response to a notice for which the bus has started the program.
  ///
  /// ``UserNotificationCenterDelegate/userNotificationCenter(_:didReceive:targetScene:)`` follows, when the scene is
  /// there that it opens.
  public package(set) var notificationResponse: UserNotificationResponse?
  /// The message of the program's server for which the bus has started the program, in the background.
  ///
  /// ``RemoteNotificationCenterDelegate/remoteNotificationCenter(_:didReceive:)`` follows.
  public package(set) var remoteNotification: Data?
  /// Whether the launch shows no window until a scene is activated: `--background` was given, and the bus has started
  /// the program for no request.
  public var isBackground: Bool
  /// Whether the program is launched for the first time, or for the first time in this version.
  ///
  /// Known where the manifest names data that are copied at such a launch (``ApplicationManifest/defaultData``), and
  /// ``FirstLaunch/no`` elsewhere. The data are there when the launch callbacks are called; where they could not be
  /// copied, which is reported on standard error, the next launch is the first one again.
  public package(set) var firstLaunch = FirstLaunch.no

  /// Which launch of a program it is.
  public enum FirstLaunch: Hashable, Sendable {
    /// The first one: nothing of the program is in its support directory.
    case ofProgram
    /// The first one of this ``ApplicationManifest/version``; the last launch was of another one, which may be later,
    /// or `""` where the program had none.
    case ofVersion(from: String)
    /// None of these.
    case no
  }

  /// The task for which the service manager has started the program; nil for any other start.
  package var scheduledTask: String?
  /// The parts of the command line that no process of the program can perform, as sentences for the user.
  package private(set) var invalidParts: [String] = []
  /// The arguments that are none of these options: the program's own.
  package private(set) var programArguments: [String] = []
  /// The action that `--action` names, where the manifest has no such item: a process that runs may have one.
  package private(set) var unknownAction: UnknownAction?

  /// The name of an action, and the sentence for the user if no process has it.
  package struct UnknownAction: Hashable, Sendable {
    package var name: String
    package var refusal: String
  }

  /// The parts of the command line that this process cannot perform, as sentences for the user.
  package var refusals: [String] { invalidParts + (unknownAction.map { [$0.refusal] } ?? []) }

  /// Removes the action, which another process has performed.
  package mutating func removeAction() { (shortcutItem, unknownAction) = (nil, nil) }

  /// Longer URLs are refused.
  private static let longest = 65_536

  /// Makes options.
  /// - Parameters:
  ///   - urls: The URLs to open.
  ///   - shortcutItem: The shortcut item to perform.
  ///   - isBackground: Whether the launch shows no window.
  public init(urls: [URL] = [], shortcutItem: ApplicationShortcutItem? = nil, isBackground: Bool = false) {
    self.urls = urls
    self.shortcutItem = shortcutItem
    self.isBackground = isBackground
  }

  /// Compares the properties; parts of the command line that are none of them do not count.
  public static func == (left: LaunchOptions, right: LaunchOptions) -> Bool {
    left.urls == right.urls && left.shortcutItem == right.shortcutItem
      && left.sourceApplication == right.sourceApplication
      && left.handoffUserActivityType == right.handoffUserActivityType && left.isBackground == right.isBackground
      && left.notificationResponse == right.notificationResponse
      && left.remoteNotification == right.remoteNotification && left.firstLaunch == right.firstLaunch
  }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(urls)
    hasher.combine(shortcutItem)
    hasher.combine(sourceApplication)
    hasher.combine(handoffUserActivityType)
    hasher.combine(notificationResponse)
    hasher.combine(remoteNotification)
    hasher.combine(isBackground)
    hasher.combine(firstLaunch)
  }

  /// Reads `--background`, `--action` and declared URLs and files from the arguments; all others are the program's own.
  ///
  /// Arguments after a lone `--` are not read.
  /// - Parameters:
  ///   - arguments: The command line without the program's name.
  ///   - openable: The URLs, files and actions that the program declares; without actions, `--action` is the program's.
  ///   - directory: The folder of relative file names; nil where it has been removed.
  ///   - fileExists: Whether there is a file at a path.
  package init(
    arguments: [String], openable: OpenableContent, directory: String?, fileExists: (String) -> Bool
  ) {
    self.init()
    let schemes = Set(openable.schemes.map { $0.lowercased() })
    let extensions = Set(openable.fileExtensions.map { $0.lowercased() })
    let shortcuts = openable.shortcutItems
    var actions: [String?] = []
    var isRestart = false
    // A program that the session manager starts again has performed the item in an earlier run.
    defer { if !isRestart { parseActions(actions, shortcuts) } }
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      if argument == "--" {
        programArguments += Array(IteratorSequence(rest))
        return
      }
      // The session manager's option: the next argument is no file.
      if argument == "--session-id" {
        _ = rest.next()
        isRestart = true
        continue
      }
      if argument == "--action", !shortcuts.isEmpty {
        actions.append(rest.next())
        continue
      }
      if argument == "--background" {
        isBackground = true
        continue
      }
      if argument == WorkStart.option {
        scheduledTask = rest.next()
        continue
      }
      if argument.isEmpty || argument.hasPrefix("-") {
        programArguments.append(argument)
        continue
      }
      if let colon = argument.firstIndex(of: ":"), schemes.contains(argument[..<colon].lowercased()) {
        parseURL(argument)
        continue
      }
      let name = argument.split(separator: "/").last ?? ""
      guard let dot = name.lastIndex(of: "."), extensions.contains(name[name.index(after: dot)...].lowercased()),
        parseFile(argument, directory, fileExists)
      else {
        programArguments.append(argument)
        continue
      }
    }
  }

  private mutating func parseActions(_ given: [String?], _ shortcuts: [ApplicationShortcutItem]) {
    guard let name = given.last else { return }
    if given.count > 1 { invalidParts.append("--action is given \(given.count) times; give one action.") }
    let names = shortcuts.map(\.actionName).joined(separator: ", ")
    guard let name else {
      return invalidParts.append("--action needs the name of an action; the program has \(names).")
    }
    shortcutItem = shortcuts.item(named: name)
    guard shortcutItem == nil else { return }
    unknownAction = UnknownAction(
      name: name, refusal: "there is no action \"\(name.prefix(100))\"; the program has \(names).")
  }

  private mutating func parseURL(_ text: String) {
    let start = "\"\(text.prefix(100))\(text.count > 100 ? "..." : "")\""
    guard text.utf8.count <= Self.longest else {
      return invalidParts.append("the URL \(start) has \(text.utf8.count) bytes, and may have \(Self.longest).")
    }
    guard let url = URL(string: text) else { return invalidParts.append("\(start) is not a URL.") }
    urls.append(url)
  }

  /// - Returns: Whether the text is a file to open, or one that cannot be.
  private mutating func parseFile(_ text: String, _ directory: String?, _ fileExists: (String) -> Bool) -> Bool {
    if text.lowercased().hasPrefix("file:") {
      // Launchers pass URLs or paths for `%U`.
      guard let url = URL(string: text), url.isFileHere, url.path.hasPrefix("/"), fileExists(url.path) else {
        return false
      }
      urls.append(url)
      return true
    }
    guard text.hasPrefix("/") || directory != nil else {
      invalidParts.append(
        "the folder in which \"\(text.prefix(100))\" would be has been removed, or has no name in UTF-8. Give the whole path."
      )
      return true
    }
    let path = text.hasPrefix("/") ? text : Self.path(of: text, in: directory ?? "")
    if fileExists(path) {
      urls.append(URL(filePath: path))
    } else if text.contains("\u{FFFD}") {
      // The replacement character of a name that is not UTF-8, by which no file is found.
      invalidParts.append("the name of the file \"\(text.prefix(100))\" is not UTF-8. Rename the file.")
    } else {
      return false
    }
    return true
  }

  /// The path of a relative name, without the steps `.` and `..` that it begins with.
  ///
  /// getcwd(3) names no link, so that the way out of the folder is the one that its path has; a step further on may
  /// be out of one.
  private static func path(of name: String, in directory: String) -> String {
    var (folder, rest) = (directory == "/" ? "" : directory[...], name[...])
    while rest.hasPrefix("./") || rest.hasPrefix("../") {
      if rest.hasPrefix("../") { folder = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)] }
      rest = rest.drop { $0 == "." }.drop { $0 == "/" }
    }
    return "\(folder)/\(rest)"
  }
}

extension URL {
  /// Whether it is the URL of a file on this machine: with no host, `localhost`, or the machine's own name.
  package var isFileHere: Bool {
    guard isFileURL else { return false }
    let host = (host() ?? "").lowercased()
    if host.isEmpty || host == "localhost" { return true }
    var own = [CChar](repeating: 0, count: 256)
    guard gethostname(&own, own.count - 1) == 0 else { return false }
    return host == String(decoding: own.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).lowercased()
  }
}
