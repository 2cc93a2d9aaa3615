import ProsceniumTesting
import TestSupport
import Testing

/// Traces that obey, and the smallest ones that do not.
@Suite("The rules of a trace") struct TraceRuleTests {
  static let (active, background, end) = (TraceShorthand.active, TraceShorthand.background, TraceShorthand.end)
  static let start = TraceShorthand.start
  /// An accessory, and a session on it.
  static let accessory = ["system accessories connected=a", "system accessorySession accessory=a open=true"]

  static func text(_ lines: [String]) -> String { TraceShorthand.text(lines) }
  static func trace(_ lines: String...) -> String { text(lines) }
  static func broken(_ lines: [String]) -> [TraceRule] { TraceChecker.violations(in: text(lines)).map(\.rule) }

  @Test(
    "A trace that obeys breaks none",
    arguments: [
      [], start, active, background, end,
      active + [
        "fact locked true", "edge a sceneWillResignActive", "app applicationWillResignActive inactive",
        "edge a sceneDidEnterBackground", "app applicationDidEnterBackground background",
        "app applicationProtectedDataWillBecomeUnavailable background", "fact locked false",
        "app applicationProtectedDataDidBecomeAvailable background", "edge a sceneWillEnterForeground",
      ],
      background + ["system suspended", "error", "system resumed", "edge a sceneWillEnterForeground"],
      background + ["system suspended", "system ended"],
      background + [
        "edge a sceneDidDisconnect reason=closedByUser", "app didDiscardSceneSessions background sessions=a",
      ],
      active + [
        "system power batteryLevel=0 batteryState=charging", "system power batteryLevel=100",
        "system power batteryLevel=-1",
        "system power other=1",
      ],
      background + accessory + [
        "system accessorySession accessory=a open=false", "system suspended", "system resumed",
        "system accessorySession accessory=a open=true", "system accessorySession accessory=a open=false",
        "system accessories disconnected=a connected=b",
      ],
      start + [
        "system location authorization=authorized accuracy=10", "system location accuracy=10",
        "system location unavailable=true", "system location unavailable=false authorization=denied",
      ],
      active + [
        "system sensors orientation=portrait near=true", "system sensors orientation=landscapeLeft light=120 unit=lux",
        "system shake phase=began scene=a", "system shake phase=ended scene=a", "system shake phase=began scene=a",
        "system shake phase=cancelled scene=a", "edge a sceneWillResignActive",
      ],
      background + [
        "system document document=1 event=opened", "system document document=1 event=edited",
        "system document document=1 event=saved", "system document document=2 event=edited",
        "system document document=2 event=conflict", "system document document=2 event=kept",
        "system document document=3 event=edited", "system document document=3 event=failed", "system suspended",
        "system resumed", "system document document=3 event=saved", "system document document=3 event=closed",
      ],
      active + [
        "system remoteControl receives=true", "system remoteControl command=play from=bus",
        "system remoteControl receives=false",
      ],
      active + [
        "system handoff offered=edit", "system handoff given=edit", "system handoff withdrawn=edit",
        "system handoff offered=read", "system handoff continued=edit", "system handoff withdrawn=read",
      ],
      start + ["system interface scene=a file=a.ui", "edge a sceneWillConnect"],
      start + [
        "system locale to=xx changes=region,calendar", "system locale to=xx changes=language",
        "system locale to=yy changes=region", "system locale to=yy numbers=zz changes=region",
        "system locale to=yy numbers=zz changes=language", "system locale to=yy changes=region",
      ],
      start + [
        "system accounts count=0", "system accounts count=2 added=2",
        "system accounts count=2 added=1 removed=1 changed=1",
      ],
      active + [
        "system screenMode screen=a chosen=800x600", "request screenMode outcome=done screen=a size=800x600",
        "system screenMode screen=a putBack=true", "system screenMode screen=a chosen=800x600",
        "system screenMode screen=b chosen=800x600", "request screenMode outcome=refused screen=b size=800x600",
        "system screenMode screen=a lost=true", "system screenMode screen=a chosen=800x600",
        "system screenMode screen=a chosen=640x480", "request screenMode outcome=refused screen=a size=800x600",
        "request screenMode outcome=done screen=a size=640x480", "system screenMode screen=a putBack=true",
        "system screenMode screen=b chosen=800x600", "system screenMode screen=b putBack=true",
        "system screenMode screen=b chosen=640x480", "request screenMode outcome=done screen=b size=800x600",
        "request screenMode outcome=refused screen=b size=640x480",
      ] + background.dropFirst(active.count) + ["system suspended"],
      active + [
        "system screenSaver to=true cause=locker~XScreenSaver", "edge a sceneWillResignActive",
        "app applicationWillResignActive inactive", "system screenSaver to=false cause=locker",
        "fact locked true cause=locker~i3lock", "edge a sceneDidEnterBackground",
        "app applicationDidEnterBackground background", "60 system screenSaver to=true cause=X",
        "70 fact locked false cause=locker", "edge a sceneWillEnterForeground",
        "app applicationWillEnterForeground inactive", "80 error",
      ],
      active + ["system request urls=2", "app openURLContexts active sessions=a urls=2"],
      end + ["2 error"] + start,
    ])
  func obeys(lines: [String]) {
    #expect(TraceChecker.violations(in: Self.text(lines)).map(\.description) == [])
  }

  /// Each rule but the first, which is about text, with the smallest things that break it: see ``TraceDecoderTests``.
  static let breaking: [(rule: TraceRule, lines: [String])] = [
    (TraceRule.forwardTime, active + ["0.5 error"]),
    (.launchLine, ["fact locked true"]),
    (.launchLine, ["launch reason=nothing"]),
    (.launchLine, ["launch version=2"]),
    (.launchPair, ["launch", "app didFinishLaunchingWithOptions inactive"]),
    (.launchPair, ["launch", "app willFinishLaunchingWithOptions inactive", "edge a sceneWillConnect"]),
    (.launchPair, ["launch", "app configurationForConnecting inactive"]),
    (.launchPair, start + ["app willFinishLaunchingWithOptions inactive"]),
    (.step, active + ["edge a sceneDidFly"]),
    (.step, start + ["edge a sceneWillConnect from=unattached to=foregroundInactive"]),
    (.order, start + ["edge a sceneWillEnterForeground"]),
    (.order, active + ["edge b sceneWillConnect", "edge b sceneWillConnect"]),
    (.order, background + ["edge a sceneDidEnterBackground"]),
    (
      .oneActive,
      active + ["edge b sceneWillConnect", "edge b sceneWillEnterForeground", "edge b sceneDidBecomeActive"]
    ),
    (.disconnectionReason, background + ["edge a sceneDidDisconnect"]),
    (.disconnectionReason, background + ["edge a sceneDidDisconnect reason=boredom"]),
    (.disconnectionReason, background + ["edge a sceneWillEnterForeground reason=requested"]),
    (.discard, background + ["app didDiscardSceneSessions background sessions=a"]),
    (
      .discard,
      background + [
        "edge a sceneDidDisconnect reason=requested", "app didDiscardSceneSessions background sessions=a",
        "edge a sceneWillConnect",
      ]
    ),
    (
      .discard,
      background + [
        "edge a sceneDidDisconnect reason=requested", "app didDiscardSceneSessions background sessions=a,a",
      ]
    ),
    (
      .closedIsDiscarded,
      background + ["edge a sceneDidDisconnect reason=closedByUser", "app applicationWillTerminate background"]
    ),
    (.closedIsDiscarded, background + ["edge a sceneDidDisconnect reason=closedByUser", "edge a sceneWillConnect"]),
    (.applicationStep, active + ["app didReceiveSecondLaunch inactive"]),
    (
      .applicationStep,
      background + [
        "edge a sceneWillEnterForeground", "edge a sceneDidBecomeActive", "app applicationDidBecomeActive active",
      ]
    ),
    (.aggregate, background + ["app applicationWillEnterForeground inactive"]),
    (.aggregate, active + ["app applicationWillResignActive inactive"]),
    (.aggregateAtRest, active + ["edge a sceneWillResignActive", "9 error", "11 error"]),
    (.ending, active + ["app applicationWillTerminate active"]),
    (
      .ending,
      background + [
        "edge b sceneWillConnect", "edge b sceneDidDisconnect reason=applicationExit",
        "edge a sceneWillEnterForeground",
      ]
    ),
    (.terminated, end + ["app didReceiveSecondLaunch background"]),
    (.terminated, end + ["edge b sceneWillConnect"]),
    (.away, background + ["fact locked true", "edge a sceneWillEnterForeground"]),
    (.away, active + ["fact locked true", "9 error", "11 error"]),
    (.protectedData, background + ["app applicationProtectedDataWillBecomeUnavailable background"]),
    (.protectedData, background + ["app applicationProtectedDataDidBecomeAvailable background"]),
    (.protectedData, background + ["system protectedData available=false"]),
    (.protectedScenes, active + ["fact locked true", "app applicationProtectedDataWillBecomeUnavailable active"]),
    (
      .protectedScenes,
      background + [
        "fact locked true", "app applicationProtectedDataWillBecomeUnavailable background", "fact locked false",
        "edge a sceneWillEnterForeground",
      ]
    ),
    (.suspension, active + ["system suspended"]),
    (.suspension, background + ["system resumed"]),
    (.suspension, background + ["system ended"]),
    (.silence, background + ["system suspended", "app didReceiveSecondLaunch background"]),
    (.silence, background + ["system suspended", "edge a sceneWillEnterForeground"]),
    (.silence, background + ["system suspended", "system ended", "edge b sceneWillConnect"]),
    (.activity, active + ["app didFailToContinueUserActivityWithType active sessions=a"]),
    (
      .activity,
      active + ["app willContinueUserActivityWithType active sessions=a", "app didReceiveSecondLaunch active"]
    ),
    (
      .activity,
      active + ["app willContinueUserActivityWithType active sessions=a", "edge a sceneWillResignActive"]
    ),
    (.activity, background + ["app willContinueUserActivityWithType background sessions=a", "system suspended"]),
    (
      .activity,
      active + [
        "app willContinueUserActivityWithType active sessions=a",
        "app didFailToContinueUserActivityWithType active sessions=a,a",
      ]
    ),
    (.receiver, active + ["app continueUserActivity active sessions=b"]),
    (.exactlyOnce, active + ["app openURLContexts active sessions=a urls=1"]),
    (.exactlyOnce, start + ["edge a sceneWillConnect urls=1"]),
    (
      .exactlyOnce,
      background + [
        "system request urls=1", "edge a sceneDidDisconnect reason=applicationExit",
        "app applicationWillTerminate background",
      ]
    ),
    (.fact, active + ["fact visible true a"]),
    (.fact, start + ["fact locked false"]),
    (.foregroundIsVisible, active + ["fact visible false a", "9 error", "11 error"]),
    (.activeHasFocus, active + ["fact focused false a", "9 error", "11 error"]),
    (.expiration, active + ["system backgroundTaskExpires"]),
    (.power, start + ["system power batteryLevel=-1"]),
    (.power, start + ["system power batteryLevel=101"]),
    (.power, start + ["system power batteryLevel=50%"]),
    (.power, start + ["system power thermalState=fair", "system power lidClosed=yes thermalState=fair"]),
    (.power, background + ["system suspended", "system power thermalState=fair"]),
    (.execution, background + ["system executionBegan mode=audio hold=1", "system suspended"]),
    (
      .execution,
      background + ["system executionBegan mode=audio hold=1", "system executionEnded mode=network hold=1"]
    ),
    (.execution, start + ["system executionEnded mode=audio hold=1"]),
    (.execution, start + ["system executionBegan mode=audio"]),
    (.task, background + ["system taskBegan task=a", "system taskBegan task=a"]),
    (.task, background + ["system taskEnded task=a outcome=completed"]),
    (.task, background + ["system taskExpires task=a"]),
    (.task, background + ["system taskBegan task=a", "system taskEnded task=a outcome=lost"]),
    (.task, background + ["system taskBegan task=a", "system suspended"]),
    (.task, background + ["system suspended", "system taskBegan task=a"]),
    (.task, start + ["system taskBegan"]),
    (.accessories, start + ["system accessories disconnected=a"]),
    (.accessories, start + ["system accessories connected=a,b,a"]),
    (.accessories, background + ["system suspended", "system accessories connected=a"]),
    (.accessories, start + ["system accessorySession accessory=a open=true"]),
    (.accessories, start + ["system accessorySession accessory=a open=false"]),
    (.accessories, background + accessory + ["system suspended"]),
    (.location, start + ["system location authorization=notDetermined"]),
    (.location, start + ["system location unavailable=false"]),
    (.location, start + ["system location accuracy=10"]),
    (.location, start + ["system location authorization=authorized", "system location authorization=authorized"]),
    (.location, start + ["system location authorization=denied accuracy=10"]),
    (.location, background + ["system suspended", "system location unavailable=true"]),
    (.sensors, background + ["system sensors near=true"]),
    (.sensors, active + ["system sensors near=false"]),
    (.sensors, active + ["system sensors near=true", "system sensors near=true"]),
    (.sensors, active + ["system shake phase=ended scene=a"]),
    (.sensors, active + ["system shake phase=began"]),
    (.sensors, background + ["system shake phase=began scene=a"]),
    (.sensors, active + ["system shake phase=began scene=a", "system shake phase=began scene=a"]),
    (.sensors, active + ["system shake phase=began scene=a", "system shake phase=ended scene=b"]),
    (.sensors, active + ["system shake phase=began scene=a", "edge a sceneWillResignActive"]),
    (.notificationResponse, ["launch org.example.notes", "system notificationResponse action=default"]),
    (.notificationResponse, background + ["system suspended", "system notificationResponse action=default"]),
    (.notificationResponse, end + ["system notificationResponse action=default"]),
    (.notificationResponse, background + ["system suspended", "system remoteNotification event=message bytes=1"]),
    (.remoteControl, start + ["system remoteControl command=play from=bus"]),
    (.remoteControl, start + ["system remoteControl receives=false"]),
    (.remoteControl, start + ["system remoteControl receives=true", "system remoteControl receives=true"]),
    (
      .remoteControl,
      start + [
        "system remoteControl receives=true", "system remoteControl receives=false",
        "system remoteControl command=stop",
      ]
    ),
    (
      .remoteControl,
      background + [
        "system remoteControl receives=true", "system suspended", "system remoteControl command=play",
      ]
    ),
    (.handoff, background + ["system handoff offered=edit"]),
    (.handoff, active + ["system handoff offered=edit", "system handoff offered=read"]),
    (.handoff, active + ["system handoff withdrawn=edit"]),
    (.handoff, active + ["system handoff given=edit"]),
    (.handoff, active + ["system handoff offered=edit", "system handoff given=read"]),
    (.handoff, active + ["system handoff offered=edit", "system handoff continued=edit"]),
    (.handoff, background + ["system suspended", "system handoff continued=edit"]),
    (.question, start + ["request sceneShouldClose a"]),
    (.firstLaunch, start + ["system firstLaunch"]),
    (.documents, background + ["system document document=1 event=edited", "system suspended"]),
    (.documents, start + ["system document document=1 event=edited", "app applicationWillTerminate background"]),
    (
      .documents,
      start + [
        "system document document=1 event=edited", "system document document=1 event=failed",
        "system document document=1 event=closed",
      ]
    ),
    (.documents, start + ["system document document=1 event=burnt"]),
    (.documents, start + ["system document event=edited"]),
    (.locale, start + ["system locale to=xx changes=region", "system locale to=xx changes=region"]),
    (.locale, start + ["system locale to=xx changes=region", "system locale to=yy changes=language"]),
    (.locale, start + ["system locale to=xx"]),
    (.locale, start + ["system locale to=xx changes=region", "system locale to=xx numbers=yy changes=language"]),
    (.locale, background + ["system suspended", "system locale to=xx changes=region"]),
    (.accounts, start + ["system accounts count=1"]),
    (.accounts, start + ["system accounts count=1 added=1", "system accounts count=1 added=1"]),
    (.accounts, start + ["system accounts count=1 added=1", "system accounts count=1"]),
    (.accounts, start + ["system accounts count=1 added=1 changed=1"]),
    (.accounts, start + ["system accounts added=1"]),
    (.accounts, start + ["system accounts count=9223372036854775807 added=9223372036854775807"]),
    (.accounts, start + ["system accounts count=-9223372036854775808 added=1"]),
    (.accounts, background + ["system suspended", "system accounts count=1 added=1"]),
    (.screenMode, background + ["system screenMode screen=a chosen=800x600"]),
    (.screenMode, start + ["edge a sceneWillConnect", "system screenMode screen=a chosen=800x600"]),
    (.screenMode, active + ["system screenMode screen=a putBack=true"]),
    (.screenMode, active + ["system screenMode chosen=800x600"]),
    (
      .screenMode,
      active + ["system screenMode screen=a chosen=800x600"] + background.dropFirst(active.count) + ["system suspended"]
    ),
    (
      .screenMode,
      active + [
        "system screenMode screen=a chosen=800x600", "request screenMode outcome=done screen=a size=800x600",
        "system screenMode screen=a chosen=640x480", "request screenMode outcome=refused screen=a size=640x480",
      ] + background.dropFirst(active.count) + ["system suspended"]
    ),
    (
      .screenMode,
      active + [
        "system screenMode screen=a chosen=800x600", "system screenMode screen=a chosen=640x480",
        "system screenMode screen=a chosen=800x600", "request screenMode outcome=refused screen=a size=800x600",
        "request screenMode outcome=done screen=a size=640x480",
        "request screenMode outcome=refused screen=a size=800x600",
      ] + background.dropFirst(active.count) + ["system suspended"]
    ),
    (
      .screenMode,
      active + ["system screenMode screen=a chosen=800x600"] + background.dropFirst(active.count) + [
        "fact visible true a", "edge a sceneWillEnterForeground", "app applicationWillEnterForeground inactive",
      ]
    ),
    (.protectedFiles, start + ["system protectedFile event=read protection=complete"]),
    (.protectedFiles, start + ["system protectedFile event=read"]),
    (.protectedFiles, start + ["system protectedFile event=burnt protection=complete"]),
    (.protectedFiles, start + ["system protectionKey event=wiped protection=complete"]),
    (
      .protectedFiles,
      start + [
        "system protectionKey event=fetched protection=complete",
        "system protectionKey event=wiped cause=locked protection=complete",
      ]
    ),
    (
      .protectedFiles,
      background + [
        "system protectionKey event=fetched protection=complete", "fact locked true",
        "app applicationProtectedDataWillBecomeUnavailable background",
        "system protectionKey event=wiped cause=locked protection=complete",
        "system protectionKey event=fetched protection=complete",
      ]
    ),
    (.interface, start + ["system interface file=a.ui"]),
    (.interface, background + ["system interface scene=a file=a.ui"]),
    (.interface, start + ["system interface scene=a file=a.ui", "system interface scene=a file=a.ui"]),
    (.interface, Array(start.prefix(1)) + ["system interface scene=a file=a.ui"] + start.dropFirst()),
    (.caches, start + ["system cachesShouldShrink cause=rain"]),
    (.caches, Array(start.prefix(1)) + ["system cachesShouldShrink cause=disk"] + start.dropFirst()),
    (.caches, background + ["system suspended", "system cachesShouldShrink cause=disk"]),
    (.lockers, start + ["system screenSaver to=false cause=X"]),
    (.lockers, start + ["system screenSaver to=true cause=X", "system screenSaver to=true cause=locker"]),
    (.lockers, start + ["system screenSaver cause=X"]),
    (.lockers, start + ["system screenSaver to=true cause=locker~" + String(repeating: "x", count: 65)]),
    (.lockers, active + ["system screenSaver to=true cause=X", "9 error", "11 error"]),
    (
      .lockers,
      background + [
        "system screenSaver to=true cause=X", "edge a sceneWillEnterForeground", "edge a sceneDidBecomeActive",
      ]
    ),
    (.lockers, start + ["fact sleeping true cause=locker~i3lock"]),
    (.lockers, start + ["fact locked true cause=locker~i3löck"]),
    (.caches, start + ["60 system cachesShouldShrink cause=disk", "68 system cachesShouldShrink cause=disk"]),
  ]

  @Test("Each rule is broken by the smallest thing that breaks it, and no other one", arguments: breaking)
  func breaks(rule: TraceRule, lines: [String]) {
    #expect(Self.broken(lines) == [rule], "\(TraceChecker.violations(in: Self.text(lines)).map(\.description))")
  }

  @Test("Every rule has a test that breaks it, a number of its own and a sentence")
  func coverage() {
    #expect(Set(Self.breaking.map(\.rule)) == Set(TraceRule.allCases).subtracting([.wholeLines]))
    #expect(TraceRule.allCases.map(\.rawValue) == Array(1...46))
    #expect(Set(TraceRule.allCases.map(\.sentence)).count == TraceRule.allCases.count)
    #expect(TraceRule.allCases.allSatisfy { $0.sentence.hasSuffix(".") })
  }

  @Test("What lasts a moment only, and a process that was stopped meanwhile, breaks nothing")
  func moments() {
    // Two lines right after the pause: the program has not had its turn in between.
    #expect(
      Self.broken(Self.active + ["fact focused false a", "60 error", "60.01 edge a sceneWillResignActive"]) == [])
    #expect(Self.broken(Self.active + ["fact visible false a", "2 fact visible true a", "60 error", "70 error"]) == [])
    let visible = Self.start + ["edge a sceneWillConnect policy=whenVisible", "fact visible true a"]
    let rising = ["edge a sceneWillEnterForeground", "app applicationWillEnterForeground inactive"]
    let active = ["edge a sceneDidBecomeActive", "app applicationDidBecomeActive active", "60 error", "70 error"]
    #expect(Self.broken(visible + rising + active) == [])
    // A callback may take long; the next scene walks when it has returned.
    let locked = ["fact locked true", "edge a sceneWillResignActive", "app applicationWillResignActive inactive"]
    #expect(Self.broken(Self.active + locked + ["60 error", "70 edge a sceneDidEnterBackground"]) == [])
    let times = [(60, "memory"), (61, "disk"), (70, "memory"), (71, "disk")]
    #expect(Self.broken(Self.start + times.map { "\($0) system cachesShouldShrink cause=\($1)" }) == [])
  }

  @Test("A violation says where, what and by which rule")
  func description() throws {
    let violation = try #require(
      TraceChecker.violations(in: Self.text(Self.active + ["edge a sceneDidEnterBackground"])).first)
    #expect(violation.line == 11 && violation.scene == "a" && violation.rule == .order)
    #expect(
      violation.description
        == "line 11, scene a: rule 6: sceneDidEnterBackground begins in foregroundInactive, and the "
        + "scene is in foregroundActive (\(TraceRule.order.sentence))")
  }

  @Test("Processes are judged apart, and runs of the same number too")
  func processes() {
    let one = Self.text(Self.active)
    let other = one.replacing(#""pid":7"#, with: #""pid":8"#)
    let mixed = zip(one.split(separator: "\n"), other.split(separator: "\n")).map { "\($0)\n\($1)\n" }.joined()
    #expect(TraceChecker.violations(in: mixed).isEmpty)
    #expect(TraceChecker.violations(in: one + one).map(\.rule) == [])
  }
}
