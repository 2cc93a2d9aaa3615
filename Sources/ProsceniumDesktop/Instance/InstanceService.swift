import Glibc
import ProsceniumPlatform

/// The program on the session bus: owns its name, and reports the requests of other programs.
@MainActor final class InstanceService {
  /// The name that it owns; nil while there is no bus, or another process owns it.
  private(set) var ownName: String?

  let name: InstanceName
  private let bus: Bus
  private let description: InstanceDescription
  private let display: DisplayName
  private let urls: URLRule
  private let objects: BusObjects
  private let callers: CallerApplication
  private let handoff: HandoffSource
  private let noticeKey: NoticeKey
  private weak var host: (any SystemHost)?
  /// Nil where the launch waits for no request.
  private let firstRequest: FirstRequest?
  private var isFollowing = false
  private var isReported = false

  /// Requests the name whenever there is a bus; nil where the application's id is too long for one.
  init?(
    bus: Bus, objects: BusObjects, description: InstanceDescription, callers: CallerApplication,
    handoff: HandoffSource, noticeKey: NoticeKey, firstRequest: FirstRequest?, host: any SystemHost
  ) {
    guard let name = InstanceName(identifier: description.identifier) else {
      host.report(
        "The application identifier \"\(description.identifier)\" is too long for a name on the bus, so that others "
          + "cannot reach the program there: choose a shorter one.")
      return nil
    }
    self.name = name
    self.bus = bus
    self.description = description
    self.host = host
    self.firstRequest = firstRequest
    display = DisplayName(description.display)
    urls = URLRule(schemes: description.schemes)
    self.objects = objects
    self.callers = callers
    self.handoff = handoff
    self.noticeKey = noticeKey
    // Before the name: calls that wait for it are delivered at once.
    objects.export(name.path, interfaces: InstanceInterface.description) { [weak self] in self?.answer($0) }
    bus.onConnection { [weak self] in $0 ? self?.request(1) : self?.lost() }
  }

  private func lost() {
    ownName = nil
    firstRequest?.end()
  }

  // MARK: The name

  private func request(_ number: Int) {
    guard ownName == nil, bus.isConnected else { return }
    let wanted = name.numbered(number)
    let values: [BusValue] = [.string(wanted), .uint32(BusDaemon.doNotQueue)]
    bus.call(BusDaemon.name, BusDaemon.member("RequestName"), values) { [weak self] result in
      guard let self, ownName == nil else { return }
      switch result {
      case .success(let values) where BusDaemon.ownerReplies.contains(values.first?.integer):
        ownName = wanted
        host?.trace("name", wanted)
        firstRequest?.nameAcquired(on: bus)
      case .success where description.isOneOfMany && number < InstanceName.most: request(number + 1)
      case .success: isTaken()
      case .failure(let failure):
        if bus.isConnected { report("refuses the name \(wanted): \(failure)") }
        firstRequest?.end()
      }
    }
  }

  /// Another process of the same id, with sessions of its own or about to end, owns the name: it is requested when that
  /// is over.
  private func isTaken() {
    firstRequest?.end()
    report(
      "has the name \(name.base) for another process, so that this one cannot be reached there until that one ends")
    guard !isFollowing else { return }
    isFollowing = true
    bus.onOwner(of: name.base) { [weak self] owner in if owner == nil { self?.request(1) } }
  }

  /// Reports the first problem with the name.
  private func report(_ problem: String) {
    guard !isReported else { return }
    isReported = true
    host?.report("The session bus \(problem).")
  }

  // MARK: Calls

  private func answer(_ call: BusMessage) -> BusAnswer? {
    switch call.member.interface {
    case InstanceInterface.application, InstanceInterface.own:
      return countsForLaunch(objects.admit(call) { [weak self] in self?.read(call, $1, from: $0, $2) })
    case BusObjects.properties:
      return objects.admit(call) { [weak self] in
        if let self { $2.give(BusObjects.property(call.member.name, $1, of: properties)) }
      }
    case _: return nil
    }
  }

  private var properties: [String: [String: BusValue]] {
    [
      InstanceInterface.application: [:],
      InstanceInterface.own: [
        "Version": .uint32(InstanceInterface.version), "Display": .string(description.display),
        "TimeToEnd": .double(host?.timeToEnd ?? 0),
      ],
    ]
  }

  /// The launch waits until a call that has come has been read.
  func countsForLaunch(_ answer: @escaping BusAnswer) -> BusAnswer {
    guard let firstRequest else { return answer }
    return { reply in
      firstRequest.callBegan()
      answer(
        BusReply { result in
          reply.give(result)
          firstRequest.callEnded()
        })
    }
  }

  private func read(_ call: BusMessage, _ values: [BusValue], from sender: SenderBook.Sender, _ reply: BusReply) {
    let rule = InstanceCall.Rule(
      display: display, urls: urls, shortcuts: description.shortcuts(), activityTypes: description.activityTypes)
    do throws(BusFailure) {
      var read = try InstanceCall.read(call.member, values, rule)
      if let notice = read.notice, !noticeKey.accepts(notice) {
        host?.trace("refused", NoticeTarget.refusal)
        return reply.refuse("AccessDenied", NoticeTarget.refusal)
      }
      if let asked = read.handoff { return take(asked, token: read.request.token, reply) }
      read.request.sender = IncomingRequest.Sender(process: sender.process)
      guard let process = sender.process else { return post(read, reply) }
      let application = read.isSecondStart ? nil : callers.identifier(of: process)
      // A process that has ended meanwhile may have left its number to another one. Asked for also where no application
      // is found, and of a second start: calls stay in their order. A caller that comes as the program ends still gets
      // that for an answer.
      bus.call(
        BusDaemon.name, BusDaemon.member("GetConnectionUnixProcessID"), [.string(call.sender)], needsCaller: true
      ) { [weak self] result in
        if (try? result.get())?.first?.integer == process { read.request.sender?.application = application }
        self?.post(read, reply)
      }
    } catch {
      if error.name == InstanceInterface.Failure.noSuchAction {
        host?.log("Another program asks for something that this one does not do: \(error.message).")
      }
      reply.give(.failure(error))
    }
  }

  /// Continues the activity of another program, which is the one that the program hears of.
  private func take(_ asked: InstanceCall.Handoff, token: String?, _ reply: BusReply) {
    guard let host, host.acceptsRequests else { return reply.give(.failure(.ending)) }
    guard handoff.isName(asked.name) else {
      return reply.give(.failure(.invalid("no program of the same developer can have that name")))
    }
    if firstRequest?.isOver == false {
      // The launch does not wait for the other program.
      var announcement = IncomingRequest()
      announcement.activity = .announced(type: asked.type)
      announcement.token = token
      host.post(.request(announcement))
    }
    handoff.take(asked.name, asked.identifier, asked.type, token: token) { result in
      reply.give(
        result.map { [] }.mapError {
          BusFailure(name: HandoffInterface.notOffered, message: $0.description)
        })
    }
  }

  private func post(_ call: InstanceCall, _ reply: BusReply) {
    guard let host, host.acceptsRequests else { return reply.give(.failure(.ending)) }
    host.post(.request(call.request))
    reply.give(call.failure.map { .failure($0) } ?? .success([]))
  }
}

extension BusFailure {
  static var ending: BusFailure {
    BusFailure(name: InstanceInterface.Failure.ending, message: "the program is about to end")
  }
}
