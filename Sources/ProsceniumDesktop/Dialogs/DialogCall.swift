import FoundationEssentials
import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// The call of the portal that shows a dialog, and the meaning of its results.
struct DialogCall {
  let member: BusMember
  private let values: [BusValue]
  private var options: [String: BusValue] = [:]

  /// Makes the call.
  /// - Parameters:
  ///   - dialog: The dialog.
  ///   - parent: The window that it is shown above, as the portal names it.
  /// - Throws: The error of open(2), where a file that is to be printed cannot be opened.
  init(_ dialog: DesktopDialog, parent: String) throws(Errno) {
    var middle: [BusValue] = []
    switch dialog {
    case .files(let kind, let wishes):
      member = Portal.member("FileChooser", kind == .save ? "SaveFile" : "OpenFile")
      options.merge(wishes.entries(for: kind)) { $1 }
      middle = [.string(wishes.title(for: kind).withoutZeros)]
    case .color: member = Portal.member("Screenshot", "PickColor")
    case .screenshot(let isInteractive):
      member = Portal.member("Screenshot", "Screenshot")
      options["interactive"] = .bool(isInteractive)
    case .print(let url, let title):
      member = Portal.member("Print", "Print")
      let file = try Descriptor(opening: url.path, O_RDONLY)
      middle = [.string(title.withoutZeros), .descriptor(BusDescriptor(file))]
    }
    values = [.string(parent)] + middle
  }

  /// Makes the call that lets the user choose how to print: KDE's portal prints nothing where nobody has been asked.
  private init(choosingPrinterFor title: String, parent: String) {
    member = Portal.member("Print", "PreparePrint")
    values = [.string(parent), .string(title.withoutZeros), .options([:]), .options([:])]
  }

  /// The call that comes before; nil where there is none.
  static func preparation(of dialog: DesktopDialog, parent: String) -> DialogCall? {
    guard case .print(_, let title) = dialog else { return nil }
    return DialogCall(choosingPrinterFor: title, parent: parent)
  }

  /// Takes over what the user has chosen in the call that came before.
  mutating func use(_ results: [String: BusValue]) {
    options["token"] = results["token"]?.integer.flatMap(UInt32.init(exactly:)).map { .uint32($0) }
  }

  /// The values of the call.
  /// - Parameter token: The last part of the name of the request's object.
  /// - Returns: The values.
  func arguments(_ token: String) -> [BusValue] {
    values + [.options(options.merging(["handle_token": .string(token)]) { $1 })]
  }

  /// What the results of a dialog that the user has accepted mean.
  static func outcome(of dialog: DesktopDialog, _ results: [String: BusValue]) -> DesktopDialogOutcome {
    switch dialog {
    case .files: return files(results["uris"]?.elements ?? [])
    case .screenshot: return files([results["uri"]].compactMap { $0 })
    case .color:
      return results["color"].flatMap { Color($0) }.map { .answered(.color($0)) }
        ?? .failed("the desktop's portal has answered without a color")
    case .print: return .answered(.printed)
    }
  }

  /// Files of this machine alone: anything else is no file that could be opened.
  private static func files(_ values: [BusValue]) -> DesktopDialogOutcome {
    let urls = values.compactMap(\.text).compactMap { URL(string: $0) }
      .filter { $0.isFileHere && $0.path.hasPrefix("/") }
    return urls.isEmpty ? .failed("the desktop's portal has answered without a file") : .answered(.urls(urls))
  }
}

extension FileDialogOptions {
  fileprivate func title(for kind: FileDialogKind) -> String {
    guard title.isEmpty else { return title }
    return switch kind {
    case .open: "Open"
    case .save: "Save As"
    case .folder: "Choose Folder"
    }
  }

  /// The options of the portal's file chooser.
  fileprivate func entries(for kind: FileDialogKind) -> [String: BusValue] {
    var entries: [String: BusValue] = [:]
    if !acceptLabel.isEmpty { entries["accept_label"] = .string(acceptLabel.withoutZeros) }
    if let directory, directory.isFileHere { entries["current_folder"] = .path(directory.path) }
    switch kind {
    case .open: entries["multiple"] = .bool(allowsMultipleSelection)
    case .save: if !suggestedName.isEmpty { entries["current_name"] = .string(suggestedName.withoutZeros) }
    case .folder: entries["directory"] = .bool(true)
    }
    let filters = kind == .folder ? [] : filters.compactMap(\.value)
    if let first = filters.first {
      entries["filters"] = .array(of: first.signature, filters)
      entries["current_filter"] = first
    }
    return entries
  }
}

extension FileFilter {
  /// The filter as the portal has it; nil for one that no file belongs to.
  fileprivate var value: BusValue? {
    let globs = extensions.map { BusValue.structure([.uint32(0), .string("*." + $0.withoutZeros.anyCase)]) }
    let types = contentTypes.map { BusValue.structure([.uint32(1), .string($0.withoutZeros)]) }
    let rules = globs + types
    return rules.isEmpty ? nil : .structure([.string(name.withoutZeros), .array(of: "(us)", rules)])
  }
}

extension String {
  /// A pattern for the text in upper and lower case: glob(7).
  fileprivate var anyCase: String {
    map { letter in
      let (lower, upper) = (letter.lowercased(), letter.uppercased())
      if lower != upper, lower.count == 1, upper.count == 1 { return "[\(lower)\(upper)]" }
      return "*?[\\".contains(letter) ? "[\(letter)]" : String(letter)
    }.joined()
  }
}

extension BusValue {
  /// A path, as the bytes that it has and a zero.
  fileprivate static func path(_ path: String) -> BusValue {
    .array(of: "y", (Array(path.withoutZeros.utf8) + [0]).map { .whole(Int128($0), code: "y") })
  }
}
