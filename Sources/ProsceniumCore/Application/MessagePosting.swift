#if compiler(<6.4)
  @_spi(SwiftCorelibsFoundation) import FoundationEssentials
#else
  import FoundationEssentials
#endif

extension NotificationCenter.MainActorMessage where Subject: Responder {
  /// Posts a message about its subject.
  ///
  /// FoundationEssentials tells subjects apart by their addresses, for which it casts an `Any` to `AnyObject`. An `Any`
  /// that was made of an object's own class is looked for in all conformances of the program, three times, and once all
  /// types are searched for one of Foundation's: 1.7 of the 4 million instructions of a launch
  /// (Tests/Benchmarks/instructions). One that was made of a superclass has its object taken out of it, the same one.
  ///
  /// The function that takes an `Any` is one that FoundationEssentials has for Foundation: a later version need not
  /// have it. What the public one does there has to be measured first.
  @MainActor func post(about subject: Subject) {
    #if compiler(<6.4)
      // The name under which the public function looks for observers.
      NotificationCenter.default._post(_typeName(Self.self), subject: subject as Responder, message: self)
    #else
      NotificationCenter.default.post(self, subject: subject)
    #endif
  }
}
