import Testing

@testable import ProsceniumX11

/// A window that is to be an icon as soon as it is shown.
@MainActor @Suite("A window that is to be an icon") struct IconWishTests {
  @Test("is asked for once, when it is mapped or an icon, whether or not it was out of sight before")
  func asked() {
    for isManagedFirst in [false, true] {
      var wish = IconWish()
      wish.begin()
      #expect(!wish.follow(canAsk: false, isUnanswered: true) && wish.step == .shown)
      if isManagedFirst { #expect(wish.follow(canAsk: false, isUnanswered: false) && wish.step == .managed) }
      #expect(wish.follow(canAsk: true, isUnanswered: false) && wish.step == .asked)
      #expect(!wish.follow(canAsk: true, isUnanswered: false) && wish.isWanted)
      #expect(!wish.follow(canAsk: false, isUnanswered: true) && wish.step == .asked)
    }
  }

  @Test("is waited for as long again as the window manager took to read what it was asked, within limits")
  func time() {
    for (took, time) in [(0, 500), (499, 500), (1500, 1500), (3000, 3000), (10_000, 3000)] {
      let found = ManagerQuestion.time(.milliseconds(500), took: .milliseconds(took))
      #expect(found == .milliseconds(time))
    }
    #expect(ManagerQuestion.time(.seconds(5), took: .seconds(10)) == .seconds(5))
  }

  @Test("is followed by nothing where nothing is wished for, and each wish is another one")
  func numbered() {
    var wish = IconWish()
    #expect(!wish.follow(canAsk: true, isUnanswered: false) && !wish.isWanted)
    wish.begin()
    let first = wish
    wish.end()
    #expect(!wish.follow(canAsk: true, isUnanswered: false) && !wish.isWanted)
    wish.begin()
    #expect(wish.step == first.step && wish != first)
  }
}
