import ProsceniumJSON
import ProsceniumTesting
import ProsceniumTrace

@testable import ProsceniumCore

/// A program with default data, whose installed version a test replaces between two processes.
@MainActor final class DataRun {
  /// What the launch callbacks were told.
  private(set) var launches: [LaunchOptions.FirstLaunch] = []
  /// What the support directory had when they were called.
  private(set) var seen: [[String: String]] = []
  var version: String? = "1"
  var data = DefaultData(folder: "Defaults", files: ["a", "Themes"], templates: ["letter"])
  private(set) var program: HeadlessProgram!
  private var installed: Set<String> = []

  init(disk: HeadlessDisk = HeadlessDisk()) {
    program = HeadlessProgram(
      delegate: { [unowned self] in
        let delegate = DataDelegate()
        (delegate.manifest.version, delegate.manifest.defaultData) = (version, data)
        delegate.whenLaunched = { [unowned self] options in
          launches.append(options.firstLaunch)
          seen.append(support)
        }
        return delegate
      }, disk: disk)
  }

  /// Puts a version in the program's folder, in place of the last one.
  func install(_ version: String?, _ files: [String: String]) {
    self.version = version
    for name in installed.subtracting(files.keys) { program.disk.replace("program/Defaults/" + name, with: nil) }
    for (name, text) in files { program.disk.replace("program/Defaults/" + name, with: Array(text.utf8)) }
    installed = Set(files.keys)
  }

  /// What is in the support directory, without the record.
  var support: [String: String] {
    var files: [String: String] = [:]
    for name in program.disk.fileNames where name.hasPrefix("support/") && !name.contains("default-data") {
      files[String(name.dropFirst(8))] = String(decoding: program.disk.contents(of: name) ?? [], as: UTF8.self)
    }
    return files
  }

  /// Changes a file as the user does.
  func change(_ name: String, _ text: String?) {
    program.disk.replace("support/" + name, with: text.map { Array($0.utf8) })
  }

  /// The lines of the trace about first launches.
  var lines: [String] {
    program.entries.compactMap { record in
      guard case .system(let system) = record, system.name == "firstLaunch" else { return nil }
      var words: [String] = []
      for field in system.details.fields {
        switch field.value {
        case .int(let number): words.append("\(field.key) \(number)")
        case .string(let text): words.append("\(field.key) \(text)")
        default: words.append("\(field.key) ?")
        }
      }
      return words.joined(separator: ", ")
    }
  }

  /// The errors in the trace.
  var errors: [String] {
    program.entries.compactMap { if case .error(let message) = $0 { message } else { nil } }
  }
}

private final class DataDelegate: RecordingDelegate {
  var whenLaunched: (LaunchOptions) -> Void = { _ in }

  override func application(
    _ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?
  ) -> Bool {
    if let launchOptions { whenLaunched(launchOptions) }
    return super.application(application, willFinishLaunchingWithOptions: launchOptions)
  }
}
