public import FoundationEssentials
private import Glibc
public import ProsceniumCore
import ProsceniumLoop

/// Writes the refusal to standard error, which the second process shares.
private func refuse(_ why: String) { StandardError.write("Proscenium: Nothing was opened: \(why)") }

extension OpenableContent {
  fileprivate func refusal(of urls: [URL]) -> String? {
    let schemes = Set(schemes.map { $0.lowercased() }).union(["file"])
    return urls.first { !schemes.contains($0.scheme?.lowercased() ?? "") }.map {
      "the program does not open \($0). Declare its scheme in openedURLSchemes."
    }
  }

  fileprivate func refusal(of item: ApplicationShortcutItem) -> String? {
    if shortcutItems.contains(where: { $0.type == item.type }) { return nil }
    return "there is no action \"\(item.type)\". Declare it in shortcutItems."
  }
}

/// Requests of other programs.
extension HeadlessMachine {
  /// The URLs, files and actions that the running process opens.
  private var openable: OpenableContent? { running.flatMap { _ in program?.application.resolvedManifest.openable } }

  /// Another program opens URLs with this one.
  ///
  /// Files, and URLs of the schemes that the manifest declares. Any other URL makes the second process refuse the whole
  /// request: the program receives nothing, and standard error has the reason.
  /// - Parameters:
  ///   - urls: The URLs, in one request.
  ///   - sourceApplication: The id of the other program.
  public func open(_ urls: URL..., from sourceApplication: String? = nil) {
    guard let openable else { return }
    if let refusal = openable.refusal(of: urls) { return refuse(refusal) }
    var request = IncomingRequest()
    request.urls = urls
    if let sourceApplication { request.sender = IncomingRequest.Sender(application: sourceApplication) }
    receive(request)
  }

  /// A launcher requests one of the program's shortcut items.
  ///
  /// One that the program does not declare is refused, as on the bus, and standard error has the reason.
  /// - Parameter item: The item.
  public func performAction(for item: ApplicationShortcutItem) {
    guard let openable else { return }
    if let refusal = openable.refusal(of: item) { return refuse(refusal) }
    var request = IncomingRequest()
    request.shortcut = item
    receive(request)
  }

  /// Starts the program a second time; the second process hands over to this one.
  ///
  /// URLs, files, `--action` and `--background` are read from the command line as at a launch. An invalid command line
  /// is refused, and standard error has the reason.
  /// - Parameters:
  ///   - arguments: The command line without the program's name.
  ///   - directory: The folder of relative file names; nil for one that has been removed.
  public func startAgain(_ arguments: [String] = [], directory: String? = nil) {
    guard let openable else { return }
    let launch = LaunchOptions(
      arguments: arguments, openable: openable, directory: directory, fileExists: { access($0, F_OK) == 0 })
    if let refusal = launch.refusals.first { return refuse(refusal) }
    var request = IncomingRequest()
    request.arguments = arguments
    request.urls = launch.urls
    request.shortcut = launch.shortcutItem
    request.isBackground = launch.isBackground
    request.directory = directory
    receive(request)
  }

  /// Another instance hands over an activity.
  /// - Parameter activity: The activity; the program gets one that is equal.
  public func handOver(_ activity: UserActivity) {
    var request = IncomingRequest()
    request.activity = .whole(activity.stored)
    receive(request)
  }
}
