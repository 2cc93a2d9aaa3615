import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

@Suite("What panels leave of monitors") struct WorkAreaRuleTests {
  private let left = Rect(x: 0, y: 0, width: 1000, height: 800)
  private let right = Rect(x: 1000, y: 0, width: 600, height: 600)
  private let root = Size(width: 1600, height: 800)

  private func areas(_ words: [UInt32]...) -> [Rect] {
    let work = WorkAreas(source: .struts(words.compactMap { Strut($0) }))
    return [left, right].map { work.visible(of: $0, root: root, before: nil) }
  }

  @Test("A panel along an edge makes the monitor smaller that it lies on, and no other")
  func edges() {
    #expect(areas() == [left, right])
    // Left, right, top, bottom; then from where to where along each.
    #expect(
      areas([0, 0, 30, 0, 0, 0, 0, 0, 0, 999, 0, 0])
        == [Rect(x: 0, y: 30, width: 1000, height: 770), right])
    #expect(
      areas([0, 0, 30, 0, 0, 0, 0, 0, 1000, 1599, 0, 0])
        == [left, Rect(x: 1000, y: 30, width: 600, height: 570)])
    // The lower edge of the smaller one is not that of the desktop.
    #expect(
      areas([0, 0, 0, 240, 0, 0, 0, 0, 0, 0, 1000, 1599])
        == [left, Rect(x: 1000, y: 0, width: 600, height: 560)])
    #expect(
      areas([0, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0, 999])
        == [Rect(x: 0, y: 0, width: 1000, height: 760), right])
    #expect(
      areas([50, 0, 0, 0, 0, 799, 0, 0, 0, 0, 0, 0], [0, 60, 0, 0, 0, 0, 0, 599, 0, 0, 0, 0])
        == [Rect(x: 50, y: 0, width: 950, height: 800), Rect(x: 1000, y: 0, width: 540, height: 600)])
  }

  @Test("A panel along the edge between two monitors leaves the one beyond it as it is")
  func between() {
    // On the right monitor's left edge: 1040 from the left of the desktop, by its own account
    #expect(
      areas([1040, 0, 0, 0, 0, 599, 0, 0, 0, 0, 0, 0])
        == [left, Rect(x: 1040, y: 0, width: 560, height: 600)])
    #expect(
      areas([0, 620, 0, 0, 0, 0, 0, 799, 0, 0, 0, 0])
        == [Rect(x: 0, y: 0, width: 980, height: 800), right])
  }

  @Test("Two panels add up, a whole edge is one, and nonsense is none")
  func sums() {
    #expect(areas([0, 0, 20, 0], [0, 0, 0, 30]).first == Rect(x: 0, y: 20, width: 1000, height: 750))
    #expect(areas([0, 0, 0, 0], [], [5], [.max, .max, .max, .max]) == [left, right])
    #expect(areas([600, 600, 0, 0, 0, 799, 0, 799, 0, 0, 0, 0])[0] == Rect(x: 600, y: 0, width: 400, height: 800))
  }

  @Test("What a window manager says is taken for the monitors that it was said of; of others the panels are as large")
  func said() {
    let said = Rect(x: 0, y: 30, width: 1000, height: 770)
    let work = WorkAreas(source: .areas([said, right], monitors: [left, right]))
    #expect([left, right].map { work.visible(of: $0, root: root, before: nil) } == [said, right])
    let other = Rect(x: 0, y: 0, width: 1280, height: 1024)
    #expect(
      work.visible(of: other, root: root, before: (left, said)) == Rect(x: 0, y: 30, width: 1280, height: 994))
    #expect(work.visible(of: other, root: root, before: nil) == other)
    #expect(
      work.visible(of: Rect(x: 0, y: 0, width: 100, height: 20), root: root, before: (left, said))
        == Rect(x: 0, y: 0, width: 100, height: 20))
    #expect(WorkAreas(source: .areas([], monitors: [left])).visible(of: left, root: root, before: nil) == left)
    #expect(WorkAreas().visible(of: left, root: root, before: (left, said)) == left)
  }

  @Test("_NET_WORKAREA has four numbers for each desktop")
  func perDesktop() {
    let words: [UInt32] = [0, 0, 10, 10, 1, 2, 3, 4]
    #expect(WorkAreas.area(words, workspace: 1) == Rect(x: 1, y: 2, width: 3, height: 4))
    #expect(WorkAreas.area(words, workspace: nil) == Rect(x: 0, y: 0, width: 10, height: 10))
    #expect(WorkAreas.area(words, workspace: 7) == Rect(x: 0, y: 0, width: 10, height: 10))
    #expect(WorkAreas.area([1, 2, 3], workspace: 0) == nil)
    #expect(WorkAreas.areas(words + [9]).count == 2)
  }

  @Test("A CRTC says where it is and how it is turned", arguments: Screen.Rotation.allCases)
  func rotation(_ rotation: Screen.Rotation) throws {
    let bits: UInt16 = [.normal: 1, .left: 2, .inverted: 4, .right: 8][rotation] ?? 0
    // A reflection beside it says nothing about turns.
    func reply(mode: UInt32) -> [UInt16] {
      [1, 0, 0, 0, 0, 0, UInt16(bitPattern: -5), 7, 600, 800, UInt16(mode), 0, bits | 16, 63, 0, 0]
    }
    func decode(_ words: [UInt16]) -> (Rect, Screen.Rotation)? {
      words.withUnsafeBytes { Screen.Rotation.decode(ReplyBytes($0)) }
    }
    let decoded = try #require(decode(reply(mode: 3)))
    #expect(decoded == (Rect(x: -5, y: 7, width: 600, height: 800), rotation))
    #expect(decode(reply(mode: 0)) == nil)
    #expect(decode(Array(reply(mode: 3)[..<12])) == nil)
  }
}
