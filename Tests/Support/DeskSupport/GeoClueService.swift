/// A GeoClue of the tests, as its D-Bus interface has it, with an object `/test` by which tests rule it.
package struct GeoClueService: Sendable {
  package static let name = "org.freedesktop.GeoClue2"

  /// The program, for a bus that starts it.
  package static let script = """
    import dbus, dbus.service, sys
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib
    DBusGMainLoop(set_as_default=True)
    NAME = 'org.freedesktop.GeoClue2'
    CLIENT, PROPERTIES = NAME + '.Client', 'org.freedesktop.DBus.Properties'
    bus = dbus.SystemBus()
    name = dbus.service.BusName(NAME, bus)
    log, clients, places, waiting = [], [], [], []
    rule = {'answer': 'yes', 'client': 'now', 'path': ''}
    DENIED = dbus.exceptions.DBusException('no', name='org.freedesktop.DBus.Error.AccessDenied')

    class Place(dbus.service.Object):
        @dbus.service.method(PROPERTIES, in_signature='s', out_signature='a{sv}')
        def GetAll(self, interface):
            return self.values

    class Client(dbus.service.Object):
        isActive, last = False, '/'

        @dbus.service.method(PROPERTIES, in_signature='ssv')
        def Set(self, interface, key, value):
            log.append('%s=%s' % (key, value))

        @dbus.service.method(CLIENT, async_callbacks=('done', 'failed'))
        def Start(self, done, failed):
            log.append('Start')
            self.answer = (done, failed)
            if rule['answer'] != 'ask':
                self.decide(rule['answer'])

        def decide(self, answer):
            done, failed = self.answer
            if answer == 'no':
                failed(DENIED)
            elif answer == 'broken':
                failed(dbus.exceptions.DBusException('broken', name='org.freedesktop.DBus.Error.Failed'))
            else:
                self.isActive = True
                done()
                if places:
                    self.tell(places[-1])

        def tell(self, place):
            path = place if isinstance(place, str) else place.__dbus_object_path__
            self.LocationUpdated(self.last, path)
            self.last = path

        @dbus.service.method(CLIENT)
        def Stop(self):
            log.append('Stop')
            self.isActive = False

        @dbus.service.signal(CLIENT, signature='oo')
        def LocationUpdated(self, old, new): pass

        @dbus.service.signal(PROPERTIES, signature='sa{sv}as')
        def PropertiesChanged(self, interface, changed, invalidated): pass

    class Manager(dbus.service.Object):
        @dbus.service.method(NAME + '.Manager', out_signature='o', async_callbacks=('done', 'failed'))
        def CreateClient(self, done, failed):
            log.append('CreateClient')
            waiting.append(done)
            if rule['client'] != 'later':
                self.make()

        def make(self):
            path = '/org/freedesktop/GeoClue2/Client/%d' % (len(clients) + 1)
            if not rule['path']:
                clients.append(Client(bus, path))
            waiting.pop(0)(rule['path'] or path)

        @dbus.service.method(NAME + '.Manager', in_signature='o')
        def DeleteClient(self, path):
            log.append('DeleteClient')

    class Test(dbus.service.Object):
        def tell(self, values):
            place = Place(bus, '/org/freedesktop/GeoClue2/Location/%d' % len(places))
            place.values = dbus.Dictionary(values, signature='sv')
            places.append(place)
            for client in clients:
                if client.isActive:
                    client.tell(place)

        @dbus.service.method('a.b', in_signature='ddd')
        def Move(self, latitude, longitude, accuracy):
            self.tell({'Latitude': latitude, 'Longitude': longitude, 'Accuracy': accuracy,
                'Altitude': -sys.float_info.max, 'Speed': -1.0, 'Heading': -1.0, 'Description': 'GeoIP',
                'Timestamp': dbus.Struct((dbus.UInt64(1000000000), dbus.UInt64(500000)), signature='tt')})

        @dbus.service.method('a.b', in_signature='a{sv}')
        def Raw(self, values): self.tell(values)

        # A number that no message of gdbus(1) can have.
        @dbus.service.method('a.b', in_signature='s')
        def Odd(self, number):
            self.tell({'Latitude': float(number.replace('minus ', '-')), 'Longitude': 1.0, 'Accuracy': 1.0})

        @dbus.service.method('a.b', in_signature='d')
        def Flood(self, count):
            for number in range(int(count)):
                self.Move(number % 90, 1.0, 1.0)

        @dbus.service.method('a.b', in_signature='ss')
        def Rule(self, key, value): rule[key] = value

        @dbus.service.method('a.b', in_signature='s')
        def Decide(self, answer): clients[-1].decide(answer)

        @dbus.service.method('a.b')
        def Make(self): manager.make()

        @dbus.service.method('a.b', in_signature='b')
        def Activate(self, isActive):
            clients[-1].isActive = isActive
            clients[-1].PropertiesChanged(CLIENT, {'Active': isActive}, [])

        @dbus.service.method('a.b', in_signature='s')
        def Tell(self, path): clients[-1].tell(str(path))

        # Of another client of the service.
        @dbus.service.method('a.b')
        def TellElsewhere(self):
            other = Client(bus, '/org/freedesktop/GeoClue2/Client/other%d' % len(log))
            log.append('other')
            other.tell(places[-1])
            other.PropertiesChanged(CLIENT, {'Active': False}, [])

        @dbus.service.method('a.b', out_signature='s')
        def Log(self):
            text = ' '.join(log)
            del log[:]
            return text

    manager = Manager(bus, '/org/freedesktop/GeoClue2/Manager')
    Test(bus, '/test')
    GLib.MainLoop().run()
    """

  private let bus: PrivateBus

  /// Starts the service, and waits until it has its name.
  package init(_ bus: PrivateBus) async throws {
    self.bus = bus
    try await bus.serve(Self.script, name: Self.name)
  }

  /// Calls a method of the object for tests.
  @discardableResult package func tell(_ method: String, _ arguments: String...) async throws -> String {
    switch arguments.count {
    case 0: try await bus.call(Self.name, "/test", "a.b." + method)
    case 1: try await bus.call(Self.name, "/test", "a.b." + method, arguments[0])
    case 2: try await bus.call(Self.name, "/test", "a.b." + method, arguments[0], arguments[1])
    default: try await bus.call(Self.name, "/test", "a.b." + method, arguments[0], arguments[1], arguments[2])
    }
  }

  /// What the service has been asked since the last call.
  package func log() async throws -> [String] {
    let parts = try await tell("Log").split(separator: "'", omittingEmptySubsequences: false)
    return parts.dropFirst().first?.split(separator: " ").map(String.init) ?? []
  }
}
