import SceneLifecycle
import Testing

@Suite("States and edges")
struct EdgeTests {
  @Test("States are ordered by attention and carry UIKit's numbers")
  func order() {
    #expect(ActivationState.allCases.sorted() == SceneSheet.ranks)
    #expect(SceneSheet.ranks.map(\.rank) == [0, 1, 2, 3])
    #expect(SceneSheet.ranks.map(\.rawValue) == [-1, 2, 1, 0])
    #expect(ApplicationState.allCases.sorted() == [.background, .inactive, .active])
    #expect(ApplicationState.allCases.sorted().map(\.rank) == [0, 1, 2])
    #expect(ApplicationState.allCases.map(\.rawValue).sorted() == [0, 1, 2])
    #expect(ApplicationState.active.rawValue == 0 && ApplicationState.background.rawValue == 2)
    #expect(
      SceneSheet.ranks.map { ApplicationState(mostActive: $0) } == [.background, .background, .inactive, .active])
  }

  @Test("Each scene edge joins neighbours, and is named by its tense")
  func sceneEdges() {
    for (rank, pair) in SceneSheet.ladder.enumerated() {
      #expect(pair.up.from == SceneSheet.ranks[rank] && pair.up.to == SceneSheet.ranks[rank + 1])
      #expect(pair.down.from == SceneSheet.ranks[rank + 1] && pair.down.to == SceneSheet.ranks[rank])
    }
    #expect(SceneEdge.allCases.count == 6)
    for edge in SceneEdge.allCases { #expect(edge.isAnnouncement == edge.rawValue.hasPrefix("sceneWill")) }
    for edge in ApplicationEdge.allCases {
      #expect(edge.isAnnouncement == edge.rawValue.hasPrefix("applicationWill"))
    }
  }

  @Test("A walk visits every state between its ends", arguments: ActivationState.allCases, ActivationState.allCases)
  func walks(start: ActivationState, end: ActivationState) {
    let walk = Self.walk(from: start, to: end)
    #expect(walk.count == abs(end.rank - start.rank))
    #expect(SceneEdge.first(from: start, to: end) == walk.first)
    var state = start
    for edge in walk {
      #expect(edge.from == state)
      #expect(abs(edge.to.rank - edge.from.rank) == 1)
      state = edge.to
    }
    #expect(state == end)
  }

  /// All steps on the way from one state to another, in order.
  private static func walk(from state: ActivationState, to target: ActivationState) -> [SceneEdge] {
    var edges: [SceneEdge] = []
    var state = state
    while let edge = SceneEdge.first(from: state, to: target) {
      edges.append(edge)
      state = edge.to
    }
    return edges
  }

  @Test("The application walks its own ladder")
  func applicationEdges() {
    #expect(ApplicationEdge.first(from: .background, to: .active) == .applicationWillEnterForeground)
    #expect(ApplicationEdge.first(from: .background, to: .inactive) == .applicationWillEnterForeground)
    #expect(ApplicationEdge.first(from: .inactive, to: .active) == .applicationDidBecomeActive)
    #expect(ApplicationEdge.first(from: .inactive, to: .background) == .applicationDidEnterBackground)
    #expect(ApplicationEdge.first(from: .active, to: .inactive) == .applicationWillResignActive)
    #expect(ApplicationEdge.first(from: .active, to: .background) == .applicationWillResignActive)
    for state in ApplicationState.allCases { #expect(ApplicationEdge.first(from: state, to: state) == nil) }
    #expect(ApplicationEdge.applicationWillEnterForeground.to == .inactive)
    #expect(ApplicationEdge.applicationDidBecomeActive.to == .active)
    #expect(ApplicationEdge.applicationWillResignActive.to == .inactive)
    #expect(ApplicationEdge.applicationDidEnterBackground.to == .background)
  }

  @Test("Holds last as measured, longer while the window manager changes, and not at all in benchmarks")
  func holdTimes() {
    let times = HoldTimes()
    #expect(Hold.allCases.map { times.length(of: $0, long: false).milliseconds } == [50, 250, 100, 400])
    #expect(Hold.allCases.map { times.length(of: $0, long: true).milliseconds } == [50, 1500, 1500, 400])
    #expect(
      times.application == .milliseconds(100) && times.bareWindow == .milliseconds(50)
        && times.suspension == .seconds(5))
    for isLong in [false, true] {
      #expect(Hold.allCases.allSatisfy { HoldTimes.none.length(of: $0, long: isLong) == .zero })
    }
    #expect(Mirror(reflecting: HoldTimes.none).children.allSatisfy { $0.value as? Duration == .zero })
  }
}
