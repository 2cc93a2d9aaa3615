import FoundationEssentials
import Glibc
import Testing

@testable import ProsceniumCore
@testable import ProsceniumPlatform
@testable import ProsceniumTesting

/// The user's language and formats, and their changes.
@MainActor @Suite("Language and formats", .serialized) struct LocaleTests {
  @MainActor private final class Run {
    let program: HeadlessProgram
    private var changes: [Set<LocaleSettings.Part>] = []
    private var token: NotificationCenter.ObservationToken?
    var machine: HeadlessMachine { program.machine }

    init(suspends: Bool = false) {
      let delegate = RecordingDelegate()
      #if !WITHOUT_Suspension
        if suspends { delegate.manifest.suspensionPolicy = .whenAllInBackground }
      #endif
      program = HeadlessProgram(delegate: { delegate })
      program.launch()
      program.advance(by: .seconds(3))
      token = NotificationCenter.default.addObserver(of: program.application, for: .localeDidChange) { [weak self] in
        self?.changes.append($0.changes)
      }
      _ = LocaleSettings.current
    }

    func take() -> [Set<LocaleSettings.Part>] {
      program.advance(by: .zero)
      defer { changes = [] }
      return changes
    }
  }

  @Test("One message for all parts that have changed, and none where nothing has")
  func parts() {
    let run = Run()
    let launched = LocaleSettings.current
    #expect(run.take() == [])
    // Whatever the environment of the test says.
    run.machine.chooseFormats(region: "xx_YY", usesTwelveHourClock: true, firstWeekday: 4)
    #expect(run.take() == [[.region, .calendar, .timeFormat]])
    #expect(LocaleSettings.current.region == "xx_YY" && run.program.application.localeIdentifier == "xx_YY")
    #expect(LocaleSettings.current.usesTwelveHourClock && LocaleSettings.current.firstWeekday == 4)
    run.machine.chooseFormats(region: "xx_YY", usesTwelveHourClock: true, firstWeekday: 4)
    #expect(run.take() == [])
    run.machine.chooseFormats(region: "xx_YY", usesTwelveHourClock: false, firstWeekday: 4)
    #expect(run.take() == [[.timeFormat]])
    run.machine.chooseFormats(region: "xx_YY", usesTwelveHourClock: false, firstWeekday: 5)
    #expect(run.take() == [[.calendar]])
    // No choice: a day that is none, a name that is a path.
    run.machine.chooseFormats(region: "../xx_YY", firstWeekday: 8)
    #expect(run.take().count == 1 && LocaleSettings.current == launched)
  }

  @Test("The machine's locale counts where the environment has the one that it was at first")
  func machine() {
    let run = Run()
    let own = LocaleVariables.names.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
    func set(_ texts: [String]) { run.machine.post(.machineLocale(LocaleVariables(assignments: texts))) }
    set(own)
    #expect(run.take() == [])
    set(["LANG=xx_YY.UTF-8"])
    #expect(run.take() == [[.language, .region]])
    #expect(LocaleSettings.current.languages == ["xx_YY"] && LocaleSettings.current.region == "xx_YY.UTF-8")
    run.machine.setMachineLocale("LANG=xx_YY.UTF-8", "LC_TIME=zz_ZZ", "LC_PAPER=qq_QQ")
    #expect(run.take() == [[.region]])
    run.machine.setMachineLocale("LANG=xx_YY.UTF-8", "LC_TIME=zz_ZZ", "LANGUAGE=aa_AA:bb")
    #expect(run.take() == [[.language]] && LocaleSettings.current.languages == ["aa_AA", "bb"])
    // The desktop's choice of a region counts before it.
    run.machine.chooseFormats(region: "ab_CD")
    #expect(run.take() == [[.region]])
    run.machine.setMachineLocale("LANG=cc_CC", "LC_TIME=dd_DD", "LANGUAGE=aa_AA:bb")
    #expect(run.take() == [])
  }

  @Test("Variables that the session has set otherwise stay; what cannot be a locale is none")
  func variables() {
    let first = LocaleVariables(["LANG": "de_DE.UTF-8", "LC_TIME": "en_GB.UTF-8"])
    let now = LocaleVariables(["LANG": "fr_FR.UTF-8", "LC_TIME": "fr_FR.UTF-8"])
    let session = LocaleVariables(["LANG": "de_DE.UTF-8", "LC_TIME": "nl_NL"])
    let result = session.following(first, to: now)
    #expect(result.languages == ["fr_FR"] && result.region == "nl_NL")
    #expect(LocaleVariables([:]).following(first, to: now) == now)
    #expect(session.following(first, to: first) == session)
    for name in ["C", "C.UTF-8", "POSIX", "", "a b", "../../etc", String(repeating: "x", count: 101)] {
      #expect(LocaleVariables(["LANG": name]).languages == [])
    }
    // The C library reads LANGUAGE in another locale than C alone.
    #expect(LocaleVariables(["LANG": "C", "LANGUAGE": "de"]).languages == [])
    #expect(LocaleVariables(["LC_ALL": "pt_BR@euro", "LANG": "de_DE"]).languages == ["pt_BR"])
    #expect(LocaleVariables(["LANG": "de_DE", "LANGUAGE": "::C:"]).languages == ["de_DE"])
    #expect(LocaleVariables(assignments: ["LANG", "=x", "LANG=de=DE", "PATH=/bin"]).region == "de=DE")
  }

  #if !WITHOUT_Suspension
    @Test("While the program is suspended nothing is told; on return once, what differs then")
    func suspended() {
      let run = Run(suspends: true)
      run.program.desk.minimize(run.program.windows[0])
      run.program.advance(by: .seconds(10))
      #expect(run.program.platform.isSuspended)
      run.machine.chooseFormats(region: "xx_YY", firstWeekday: 3)
      run.machine.setMachineLocale("LANG=xx_YY")
      run.machine.chooseFormats(region: "zz_ZZ")
      #expect(run.take() == [] && run.program.platform.isSuspended)
      run.program.desk.restore(run.program.windows[0])
      run.program.advance(by: .seconds(1))
      let told = run.take()
      #expect(told.first == [.region] && told.dropFirst().allSatisfy { $0 == [.language] })
      #expect(LocaleSettings.current.region == "zz_ZZ")
    }
  #endif

  @Test(
    "A region has its calendar, unless it names another one; the names are those of CLDR and of ICU",
    arguments: [
      ("C", Calendar.Identifier.gregorian), ("", .gregorian), ("de_DE.UTF-8", .gregorian), ("th_TH", .buddhist),
      ("th_TH.UTF-8", .buddhist), ("th", .gregorian), ("fa_IR", .persian), ("ps_AF.UTF-8@x", .persian),
      ("uz_Arab_AF", .persian), ("ir_DE", .gregorian), ("th_TH@calendar=gregorian", .gregorian),
      ("de_DE@calendar=buddhist;numbers=thai", .buddhist), ("de_DE@numbers=thai;calendar=hebrew", .hebrew),
      ("de_DE@euro", .gregorian), ("fa_IR@calendar=none", .persian), ("ar-SA-u-ca-islamic-umalqura", .islamicUmmAlQura),
      ("th-TH-u-ca-gregory-nu-thai", .gregorian), ("en-u-nu-thai-ca-roc", .republicOfChina), ("en-u-ca", .gregorian),
      ("ja_JP", .gregorian), ("ja-JP-u-ca-japanese", .japanese),
    ])
  func calendar(region: String, expected: Calendar.Identifier) {
    #expect(RegionCalendar.identifier(region) == expected)
  }

  @Test("Another calendar is a change of the calendar, which is told as one with others")
  func calendarChange() {
    let run = Run()
    run.machine.chooseFormats(region: "xx_YY", usesTwelveHourClock: false, firstWeekday: 1)
    _ = run.take()
    #expect(LocaleSettings.current.calendar == .gregorian)
    run.machine.chooseFormats(region: "xx_TH", usesTwelveHourClock: false, firstWeekday: 1)
    #expect(run.take() == [[.region, .calendar]] && LocaleSettings.current.calendar == .buddhist)
    run.machine.chooseFormats(region: "xx_TH@calendar=gregorian", usesTwelveHourClock: false, firstWeekday: 1)
    #expect(run.take() == [[.region, .calendar]] && LocaleSettings.current.calendar == .gregorian)
    #expect(RegionCalendar.withoutCalendar("xx_TH@calendar=gregorian") == "xx_TH")
    #expect(RegionCalendar.withoutCalendar("de_DE@euro") == "de_DE@euro")
  }

  @Test("Digits are grouped as the region does, from the right")
  func groups() {
    func text(_ sizes: [UInt8], _ digits: String = "12345678") -> String {
      DigitGroups(sizes).text(of: digits, separator: " ")
    }
    #expect(text([3, 3]) == "12 345 678" && text([3]) == "12 345 678" && text([3, 2]) == "1 23 45 678")
    #expect(text([]) == "12345678" && text([0, 3]) == "12345678" && text([127]) == "12345678")
    #expect(text([3, 127]) == "12345 678" && text([1, 2, 3]) == "12 345 67 8" && text([4]) == "1234 5678")
    #expect(text([3], "123") == "123" && text([3], "1234") == "1 234" && text([3, 2], "0") == "0")
    #expect(DigitGroups([3]).text(of: "1234", separator: "") == "1234")
  }

  @Test("Formats follow the settings; without data of the region they are those of C")
  func formatter() {
    let run = Run()
    // Noon of a day in the machine's time zone.
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_isdst) = (124, 1, 3, 15, 4, -1)
    let date = Date(timeIntervalSince1970: Double(mktime(&parts)))
    run.machine.chooseFormats(region: "xx_YY", usesTwelveHourClock: false)
    #expect(LocaleFormatter.time(of: date) == "15:04" && LocaleFormatter.date(of: date) == "02/03/24")
    run.machine.chooseFormats(region: "xx_YY", usesTwelveHourClock: true)
    #expect(LocaleFormatter.time(of: date) == "3:04 PM")
    #expect(LocaleFormatter.time(of: date - 4 * 3600) == "11:04 AM")
    #expect(LocaleFormatter.time(of: date - 15 * 3600) == "12:04 AM")
    let numbers: [(Double, Int, String)] = [
      (0, 0, "0"), (1234567, 0, "1234567"), (-1234.5, 2, "-1234.50"), (0.005, 2, "0.01"), (-0.001, 2, "0.00"),
      (0.999, 2, "1.00"), (2.5, -3, "3"), (.nan, 2, "nan"), (.infinity, 0, "inf"), (1e16, 1, "1e+16"), (7, 1, "7.0"),
    ]
    for (number, digits, text) in numbers { #expect(LocaleFormatter.number(number, fractionDigits: digits) == text) }
    #expect(!LocaleFormatter.time(of: .distantPast).isEmpty && !LocaleFormatter.date(of: .distantFuture).isEmpty)
    #expect(LocaleFormatter.date(of: Date(timeIntervalSince1970: .infinity)) != "")
  }

  @Test("Numbers have a region of their own")
  func numbers() {
    func regions(_ values: [String: String]) -> [String?] {
      let variables = LocaleVariables(values)
      return [variables.region, variables.numberRegion]
    }
    #expect(regions(["LC_TIME": "en_GB", "LC_NUMERIC": "de_DE", "LANG": "fr_FR"]) == ["en_GB", "de_DE"])
    #expect(regions(["LC_TIME": "en_GB", "LANG": "fr_FR"]) == ["en_GB", "fr_FR"])
    #expect(regions(["LC_NUMERIC": "de_DE"]) == [nil, "de_DE"])
    #expect(regions(["LC_ALL": "it_IT", "LC_TIME": "en_GB", "LC_NUMERIC": "de_DE"]) == ["it_IT", "it_IT"])
    let run = Run()
    let own = LocaleVariables.names.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
    run.machine.post(.machineLocale(LocaleVariables(assignments: own)))
    run.machine.setMachineLocale("LANG=xx_YY", "LC_NUMERIC=zz_ZZ")
    _ = run.take()
    #expect(LocaleSettings.current.region == "xx_YY" && LocaleSettings.current.numberRegion == "zz_ZZ")
    run.machine.setMachineLocale("LANG=xx_YY", "LC_NUMERIC=aa_AA")
    #expect(run.take() == [[.region]])
    run.machine.chooseFormats(region: "ab_CD")
    #expect(run.take() == [[.region]] && LocaleSettings.current.numberRegion == "ab_CD")
  }

  @Test("The data of a region are those in UTF-8, whatever encoding its name has")
  func encodings() {
    let names: [(String, [String])] = [
      ("fr_FR.ISO-8859-15", ["fr_FR.UTF-8", "fr_FR"]), ("fr_FR", ["fr_FR.UTF-8", "fr_FR"]),
      ("fr_FR.UTF-8", ["fr_FR.UTF-8", "fr_FR"]),
      ("de_DE.ISO-8859-15@euro", ["de_DE.UTF-8@euro", "de_DE@euro", "de_DE.UTF-8"]),
      ("sr_RS@latin", ["sr_RS.UTF-8@latin", "sr_RS@latin", "sr_RS.UTF-8"]), ("C", []), ("POSIX", []), ("", []),
      ("C.UTF-8", []), (".UTF-8", []),
    ]
    for (region, expected) in names { #expect(RegionFormats.names(of: region) == expected, "\(region)") }
  }
}
