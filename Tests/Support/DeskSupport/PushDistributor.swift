/// A distributor of pushed notifications of the tests (UnifiedPush), with an object `/test` by which tests rule it.
package struct PushDistributor: Sendable {
  private static let script = """
    import dbus, dbus.service
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib
    DBusGMainLoop(set_as_default=True)
    VERSION, NAME, ANSWER, EARLY = @VERSION@, '@NAME@', '@ANSWER@', '@EARLY@'
    INTERFACE = 'org.unifiedpush.Distributor%d' % VERSION
    CONNECTOR, OLD = '/org/unifiedpush/Connector', {'Message': 'says', 'NewEndpoint': 'ss', 'Unregistered': 's'}
    bus = dbus.SessionBus()
    name = dbus.service.BusName(NAME, bus)
    log = []
    held = None

    SUCCESS = 'REGISTRATION_FAILED' if ANSWER else 'REGISTRATION_SUCCEEDED'

    class Old(dbus.service.Object):
        @dbus.service.method(INTERFACE, in_signature='sss', out_signature='ss')
        def Register(self, service, token, description):
            log.append(' '.join(['Register', service, token, description]))
            return (SUCCESS, ANSWER)

        @dbus.service.method(INTERFACE, in_signature='s')
        def Unregister(self, token):
            log.append('Unregister ' + token)

    class New(dbus.service.Object):
        @dbus.service.method(INTERFACE, in_signature='a{sv}', out_signature='a{sv}', async_callbacks=('done', 'failed'))
        def Register(self, values, done, failed):
            log.append(' '.join(['Register'] + pairs(values)))
            def answer():
                if EARLY:
                    bus.call_async(values['service'], CONNECTOR, 'org.unifiedpush.Connector2', 'NewEndpoint', 'a{sv}',
                                   [{'token': values['token'], 'endpoint': EARLY}], lambda *it: log.append('heard'),
                                   lambda error: log.append('refused'))
                done({'success': SUCCESS, 'reason': ANSWER})
            if held is None:
                answer()
            else:
                held.append(answer)

        @dbus.service.method(INTERFACE, in_signature='a{sv}', out_signature='a{sv}')
        def Unregister(self, values):
            log.append(' '.join(['Unregister'] + pairs(values)))
            return dbus.Dictionary({}, signature='sv')

    def pairs(values):
        return ['%s=%s' % (key, values[key]) for key in sorted(values)]

    class Test(dbus.service.Object):
        @dbus.service.method('a.b', out_signature='s')
        def Log(self):
            text = '; '.join(log)
            log.clear()
            return text

        @dbus.service.method('a.b', in_signature='b')
        def Hold(self, holds):
            global held
            answers, held = held or [], [] if holds else None
            for answer in answers:
                answer()

        @dbus.service.method('a.b', in_signature='ssv', out_signature='s', async_callbacks=('done', 'failed'))
        def Tell(self, service, method, value, done, failed):
            isNew = isinstance(value, dbus.Dictionary)
            bus.call_async(service, CONNECTOR, 'org.unifiedpush.Connector%d' % (2 if isNew else 1), method,
                           'a{sv}' if isNew else OLD[method], [value] if isNew else list(value),
                           lambda *answer: done('done'), lambda error: done(error.get_dbus_name()), timeout=300)

    (Old if VERSION == 1 else New)(bus, '/org/unifiedpush/Distributor')
    Test(bus, '/test')
    GLib.MainLoop().run()
    """

  package let name: String
  private let bus: PrivateBus

  /// Starts a distributor, and waits until it has its name.
  /// - Parameters:
  ///   - bus: The session bus.
  ///   - version: The version of its interface, 1 or 2.
  ///   - name: Its name.
  ///   - early: An endpoint that it tells a program before it has answered; empty for none.
  ///   - refusal: The reason for which it refuses all programs; empty where it accepts them.
  /// - Throws: ``DeskFailure`` where it does not start.
  package init(
    _ bus: PrivateBus, version: Int = 2, name: String = "org.unifiedpush.Distributor.Test", early: String = "",
    refusal: String = ""
  ) async throws {
    (self.bus, self.name) = (bus, name)
    let script = Self.script.replacing("@VERSION@", with: "\(version)").replacing("@NAME@", with: name)
      .replacing("@ANSWER@", with: refusal).replacing("@EARLY@", with: early)
    try await bus.serve(script, name: name)
  }

  /// What it has been asked since the last call.
  package func log() async throws -> String { try await bus.call(name, "/test", "a.b.Log") }

  /// Keeps its answers to registrations back (version 2), or gives all that it has kept, in order.
  package func holdAnswers(_ holds: Bool) async throws { _ = try await bus.call(name, "/test", "a.b.Hold", "\(holds)") }

  /// Tells a program something.
  /// - Parameters:
  ///   - service: The program's name.
  ///   - method: The method of the program's connector.
  ///   - value: The arguments: a dictionary for version 2, else a tuple.
  /// - Returns: "done", or the name of the error that the program gives.
  /// - Throws: ``DeskFailure`` where the distributor does not answer.
  package func tell(_ service: String, _ method: String, _ value: String) async throws -> String {
    let call = try beginToTell(service, method, value)
    return try await waitFor("\(service)'s answer to \(method)") { try Self.outcome(of: call) }
  }

  /// Begins to tell it, for tests that answer themselves.
  package func beginToTell(_ service: String, _ method: String, _ value: String) throws -> BusCall {
    try bus.begin(name, "/test", "a.b.Tell", service, method, "<\(value)>")
  }

  /// What ``tell(_:_:_:)`` returns; nil while the call is on its way.
  package static func outcome(of call: BusCall) throws -> String? {
    guard let answer = try call.answer() else { return nil }
    return answer.split(separator: "'").dropFirst().first.map(String.init) ?? answer
  }
}
