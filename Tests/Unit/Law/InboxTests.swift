import SceneLifecycle
import Testing

@Suite("The inbox")
struct InboxTests {
  @Test("Items come out in the order in which they went in")
  func order() {
    var inbox = Inbox<Int>()
    #expect(inbox.isEmpty && inbox.next() == nil)
    for item in 1...3 { inbox.post(item) }
    #expect(!inbox.isEmpty)
    for item in 1...3 {
      #expect(inbox.next() == item)
      inbox.done()
    }
    #expect(inbox.isEmpty && inbox.next() == nil)
  }

  @Test("Nothing is handed out while an item is being handled")
  func closed() {
    var inbox = Inbox<String>()
    inbox.post("outer")
    #expect(inbox.next() == "outer")
    inbox.post("inner")
    #expect(inbox.next() == nil, "a callback must not re-enter")
    #expect(!inbox.isEmpty)
    inbox.done()
    #expect(inbox.next() == "inner")
    #expect(inbox.isEmpty, "what is being handled does not wait")
    #expect(inbox.next() == nil)
    inbox.done()
    inbox.done()
    #expect(inbox.next() == nil)
  }

  @Test("What handlers post comes after all that waited before, however much it is")
  func posting() {
    var inbox = Inbox<Int>()
    for item in 0..<200 { inbox.post(item) }
    var handled: [Int] = []
    while let item = inbox.next() {
      handled.append(item)
      if item < 400 { inbox.post(item + 200) }
      inbox.done()
    }
    #expect(handled == Array(0..<600))
    #expect(inbox.isEmpty)
  }

  @Test("What comes first is handed out before all that waits, in its own order")
  func first() {
    var inbox = Inbox<Int>()
    for item in 1...3 { inbox.post(item) }
    #expect(inbox.next() == 1)
    #expect(!inbox.isIdle)
    inbox.postFirst([10, 11])
    inbox.done()
    var handled: [Int] = []
    while let item = inbox.next() {
      handled.append(item)
      inbox.done()
    }
    #expect(handled == [10, 11, 2, 3])
    #expect(inbox.isIdle)
    inbox.postFirst([4])
    #expect(inbox.next() == 4 && inbox.isEmpty && !inbox.isIdle)
  }
}
