import Glibc
import ProsceniumTesting
import TestSupport
import Testing

@testable import ProsceniumCore

@MainActor @Suite("Default data under kills and power cuts", .serialized) struct FirstLaunchPowerCutTests {
  private static let names = ["a", "Themes/dark", "Themes/light", "letter", "mine"]

  /// The files of a version; each is told by its text.
  private static func files(_ version: Int) -> [String: String] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, "\($0) of version \(version)") })
  }

  /// A run with the first version in its support directory, of which the user has changed one file.
  private static func launched(_ versions: Int) -> DataRun {
    let run = DataRun()
    run.data.files.append("mine")
    run.install("1", files(1))
    guard versions > 0 else { return run }
    run.program.launch()
    run.program.kill()
    run.change("mine", "by the user")
    return run
  }

  /// Cuts a launch at a write.
  @Test(
    "At any write: each file is the old or the new one; the next launch, of the same or of a later version, has all")
  func cuts() throws {
    let count = testRounds(1500)
    var random = SeededNumbers(testSeed(0))
    var (hits, old, new, mixed) = (0, 0, 0, 0)
    for number in 0..<count {
      let isUpdate = number % 3 > 0
      let run = Self.launched(isUpdate ? 1 : 0)
      let cut = Int.random(in: 0..<40, using: &random)
      let place = "number \(number), cut \(cut)"
      if isUpdate { run.install("2", Self.files(2)) }
      run.program.disk.cutPower(
        afterWrites: cut, tornAt: .random(in: 0..<60, using: &random), seed: random.next())
      if isUpdate { run.program.relaunch() } else { run.program.launch() }
      if run.program.disk.isCut { hits += 1 }
      // Killed or without power: the disk is as the next process finds it.
      run.program.kill()
      let found = run.support
      for name in Self.names {
        let allowed = isUpdate ? [Self.files(1)[name], Self.files(2)[name]] : [nil, Self.files(1)[name]]
        if isUpdate, name == "mine" {
          try #require(found[name] == "by the user", "\(place)")
        } else {
          try #require(allowed.contains(found[name]), "\(place): \(name) is \(found[name] ?? "gone")")
        }
      }
      let updated = found.values.count { $0.hasSuffix("version 2") }
      if isUpdate { if updated == 0 { old += 1 } else if updated == 3 { new += 1 } else { mixed += 1 } }
      // The next version may come before the launch has been repeated.
      let last = Bool.random(using: &random) ? (isUpdate ? 2 : 1) : 3
      run.install("\(last)", Self.files(last))
      let told = run.launches.count
      run.program.relaunch()
      var expected = Self.files(last)
      // A template is whatever was prepared first, and is never replaced.
      let letter = try #require(run.support["letter"], "\(place)")
      try #require(
        Self.files(1)["letter"] == letter || !isUpdate && expected["letter"] == letter, "\(place): \(letter)")
      expected["letter"] = letter
      if isUpdate { expected["mine"] = "by the user" }
      try #require(run.support == expected, "\(place): \(run.support)")
      try #require(run.launches.count == told + 1 && run.seen.last == expected, "\(place)")
      try #require(
        !run.program.disk.fileNames.contains { $0.hasPrefix("support/") && $0.hasSuffix(".tmp") }, "\(place)")
      run.program.relaunch()
      try #require(run.launches.last == .no && run.support == expected && run.errors == [], "\(place): \(run.errors)")
    }
    // Most cuts must have hit something, and some the renames, or this would prove nothing.
    #expect(
      hits > count / 2 && old > count / 20 && new > count / 40 && mixed > count / 60, "\(hits) \(old) \(new) \(mixed)")
  }
}
