public import Core
import Events
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Pages
import Storage
import Synchronization
import Tokens
import WebSocket

/// A hub: a server that receives events and serves the state of agents over HTTP and WebSocket.
public struct HubServer: Sendable {
  private let settings: ServeSettings
  private let environment: [String: String]
  private let identity: TLSIdentity?
  private let desk: HubDesk
  private let devices: DeviceDesk
  private let runners: RunnerDesk
  private let door: Door
  private let openings: Openings
  private let ring = LiveRing()
  private let tail: LiveTail
  private let pumps: LivePumps
  private let counts = HubCounts()
  private let connections = HubConnections(most: OpenFiles.connections(of: OpenFiles.raised()))
  private let forwarder: Forwarder?
  private let ending = Ending()
  private let chats: CompanionChats?
  private let pairing: PairingDesk
  private let continuations: Continuations
  private let codes = PageCodes()
  private let pushKey: String?
  private let logger = Logger(label: "hub") { _ in SwiftLogNoOpLogHandler() }

  /// A flag that is set when the hub shuts down.
  private final class Ending: Sendable {
    let value = Atomic<Bool>(false)
    var isOver: Bool { value.load(ordering: .relaxed) }
  }

  /// Opens the files of a hub.
  ///
  /// - Parameters:
  ///   - settings: The addresses, names and limits.
  ///   - directories: The directories of the hub's files.
  ///   - records: The records, which may be those in the directories.
  ///   - limits: The limits on controls and decisions.
  ///   - environment: The environment of this process.
  ///   - identity: The certificate and key for TLS; nil for plain HTTP.
  ///   - collector: The destination for forwarded events; nil for none.
  ///   - companions: The models for companions' chats; nil to refuse companions.
  ///   - pushKey: The public key for which browsers subscribe to notifications; nil for none.
  ///   - report: Receives notices for the operator.
  /// - Throws: `Busy` if another hub uses these directories; `StorageFailed` if a file cannot be
  ///   opened; `PermissionDenied` if others may read the file of the owner's token.
  public init(
    _ settings: ServeSettings, _ directories: Directories, records: HubRecords,
    limits: ActionLimits, environment: [String: String], identity: TLSIdentity?,
    collector: Collector? = nil,
    companions: CompanionModels? = nil, pushKey: String? = nil, report: @escaping NoticeHandler
  ) throws(Failure) {
    let lock = try RunnerDesk.lock(directories)
    self.settings = settings
    self.environment = environment
    self.pushKey = pushKey
    self.identity = identity
    chats = companions.map { CompanionChats(directories, $0) }
    desk = try HubDesk(directories, records, settings, limits: limits, report: report)
    devices = desk.devices
    pairing = PairingDesk(desk.own, report: report)
    runners = try RunnerDesk(desk, lock)
    let names = [settings.listen, settings.otlpListen].compactMap(\.self)
      .compactMap { ServeSettings.endpoint($0)?.host }
    door = try Door(
      AccessRule(names: names, publicURL: settings.publicURL), settings.auth, desk.threads,
      store: desk.own, reading: desk.ownReading, devices: desk.devicesForReading,
      ownerIn: directories)
    openings = Openings(
      desk.threads, reading: records.isShared ? [desk.ownReading, desk.reading] : [desk.reading])
    continuations = Continuations(openings)
    tail = LiveTail(try records.journal(), into: ring, desk.links, report: report)
    let (desk, ring) = (desk, ring)
    forwarder = collector.map { Forwarder(desk, after: ring, to: $0) }
    pumps = LivePumps(MultiThreadedEventLoopGroup.singleton, ring: ring)
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter ready: Receives the hub's URL when the hub listens.
  /// - Throws: `NetworkUnavailable` if the hub cannot listen; `KeyUnreadable` if a TLS file cannot
  ///   be read; `StorageFailed` if the log or the store fails.
  public func run(ready: @escaping @Sendable (_ url: String) -> Void) async throws(Failure) {
    guard let place = ServeSettings.endpoint(settings.listen) else {
      throw Failure(.badConfiguration, "'\(settings.listen)' is not an address and port")
    }
    let tls = try identity?.configuration
    let calls = try await CallListener(
      settings, tls: tls, connections, TelemetryCalls(door: door, routes: telemetry))
    try forwarder?.begin()
    try tail.begin()
    desk.ingest.onQuiet { [tail] in tail.readNow() }
    desk.beginWatching()
    let notice = ServiceNotice(environment)
    defer {
      notice.send("STOPPING=1")
      tail.close()
      desk.endWatching()
      // The store's lock must be held until here.
      withExtendedLifetime(runners) {}
    }
    let application = Application(
      responder: router.buildResponder(),
      server: HTTPServerBuilder { responder in
        let channel = channel(HTTP1Channel(responder: responder))
        guard let tls else { return channel }
        return try TLSChannel(channel, tlsConfiguration: tls)
      },
      configuration: ApplicationConfiguration(
        address: .hostname(place.host, port: place.port), serverName: "agentpipes"),
      onServerRunning: { channel in
        try? await AcceptFaults.add(to: channel)
        let host = place.host.contains(":") ? "[\(place.host)]" : place.host
        let url =
          "\(tls == nil ? "http" : "https")://\(host):\(channel.localAddress?.port ?? place.port)"
        await storeURL(url)
        if let calls { desk.report("receiving OTLP over gRPC on \(calls.address)") }
        ready(url)
        notice.send("READY=1")
      },
      logger: logger)
    var thrown: (any Error)?
    do { try await run(application, calls) } catch { thrown = error }
    // The received parts of unfinished answers are stored.
    await continuations.close()
    guard let thrown, !Task.isCancelled else { return }
    throw Failure(cannotListenOn: settings.listen, thrown)
  }

  /// Serves until the task is cancelled, and then ends everything that is open.
  private func run(_ application: some ApplicationProtocol, _ calls: CallListener?) async throws {
    try await withTaskCancellationHandler {
      try await withThrowingTaskGroup { group in
        group.addTask { try await application.run() }
        group.addTask { try await tick() }
        group.addTask { try await endRevoked() }
        if let forwarder { group.addTask { await forwarder.run() } }
        if let calls { group.addTask { try await calls.run() } }
        try await group.next()
        group.cancelAll()
      }
    } onCancel: {
      ending.value.store(true, ordering: .relaxed)
      continuations.cancel()
      pumps.close()
      runners.close()
      ring.wakeAll()
      calls?.end()
      connections.end()
    }
  }

  /// Stores the hub's URL, so that the tools of this machine find it.
  private func storeURL(_ url: String) async {
    let (own, directories) = (OwnHub(listening: url, tlsKey: identity?.pin), desk.directories)
    do {
      try await desk.write { () throws(Failure) in try own.write(in: directories) }
    } catch {
      desk.report("the tools on this machine cannot find the hub: \(error.explanation)")
    }
  }

  /// Calls all functions that must run once per second.
  private func tick() async throws {
    while !ending.isOver {
      try await Task.sleep(for: .seconds(1))
      ring.wakeAll()
      pumps.tick()
      openings.tick()
      desk.ingest.trim()
    }
  }

  /// Repeatedly ends everything that is open to revoked devices.
  ///
  /// Another process may have revoked them.
  private func endRevoked() async throws {
    while !ending.isOver {
      try await Task.sleep(for: .milliseconds(500))
      await openings.endRevoked()
    }
  }

  // MARK: Connections

  private func channel(_ http: HTTP1Channel) -> HubChannel {
    HubChannel(connections: connections, http: http) { head, channel in
      let promise = channel.eventLoop.makePromise(of: HubChannel.Decision.self)
      let peer = channel.remoteAddress
      promise.completeWithTask { await decide(head.namingItsHost, peer) }
      return promise.futureResult
    } opened: { connection, head, visitor in
      do throws(Failure) {
        try LiveRoutes.checkProtocol(Self.spoken(URI(head.uri)) ?? "")
      } catch {
        if let record = try? ErrorRecord(error, tool: "hub-serve").json() {
          connection.send(text: record.dropLast() + ",\"supported\":[1]}")
        }
        return connection.close(code: 4406, reason: "the hub speaks protocol=1")
      }
      guard let pump = pumps.pump(of: connection.eventLoop), !ending.isOver else {
        return connection.close(code: 1001, reason: "the hub is shutting down")
      }
      _ = LiveSocket(
        connection, of: visitor, in: openings, ring: ring, desk: desk, counts: counts, pump: pump)
    }
  }

  /// Returns the protocol version that the query of the given URI names; nil if it names none.
  private static func spoken(_ uri: URI) -> String? {
    uri.queryParameters["protocol"].map { String($0) }
  }

  /// Decides on the WebSocket handshake with the given head.
  private func decide(_ head: HTTPRequestHead, _ peer: SocketAddress?) async -> HubChannel.Decision
  {
    do throws(Failure) {
      let uri = URI(head.uri)
      guard uri.path == "/v1/stream" else {
        throw Failure(.notFound, "there is no WebSocket at '\(Visible.line(uri.path))'")
      }
      let visitor = try await door.visitor(
        Door.Head(
          hosts: head.headers["host"], origins: head.headers["origin"],
          fetchSites: head.headers["sec-fetch-site"],
          authorization: head.headers["authorization"].first,
          ends: Credential.Ends(peer: peer)), for: .people(.read))
      return (.accept(headers: [:]), visitor)
    } catch {
      let answer = HubAnswer(error)
      let refusal = WebSocketRefusal(
        status: HTTPResponseStatus(statusCode: answer.status.code),
        headers: HTTPHeaders(
          [("content-type", answer.contentType)]
            + answer.fields.map { ($0.name.rawName, $0.value) }),
        body: answer.body)
      return (.refuse(refusal), nil)
    }
  }

  // MARK: Requests

  private var telemetry: OTLPRoutes {
    OTLPRoutes(desk: desk, keepsContent: settings.keepsTelemetryContent)
  }

  /// All routes of the hub.
  var routes: [HubRoute] {
    let ending = ending
    let feed = LiveFeed(ring: ring, desk: desk, counts: counts) { ending.isOver }
    let steering = SteeringRoutes(desk: desk, runners: runners)
    let events = EventRoutes(desk: desk, ring: ring)
    let live = LiveRoutes(feed: feed, openings: openings)
    let page = PageRoutes(
      desk: desk, door: door, devices: devices, codes: codes, steering: steering, events: events,
      live: live, pushKey: pushKey)
    return WatchingRoutes(desk: desk, chats: chats).all + steering.all
      + RunnerRoutes(runners: runners, openings: openings).all + events.all + live.all
      + TerminalRoutes(desk: desk, environment: environment, host: settings.terminalHost).all
      + telemetry.all + AuthRoutes(devices: devices, desk: desk).all
      + StateRoutes(
        desk: desk, ring: ring, openings: openings, counts: counts, pairing: pairing,
        forwarder: forwarder
      )
      .all
      + companionRoutes + (settings.hasPage ? page.all : [FrontPage.route])
  }

  private var companionRoutes: [HubRoute] {
    guard let chats else { return [] }
    return CompanionRoutes(
      desk: desk, door: door, devices: devices, pairing: pairing, chats: chats,
      continuations: continuations, openings: openings, publicURL: settings.publicURL,
      pin: identity?.pin
    ).all
  }

  private var router: Router<HubContext> {
    let router = Router(context: HubContext.self, options: .autoGenerateHeadEndpoints)
    let routes = routes
    router.add(middleware: FailureAnswers(routes: routes, hasPage: settings.hasPage))
    for route in routes {
      router.on(RouterPath(route.path), method: route.method) { request, context in
        let ends = Credential.Ends(
          peer: context.peer, local: context.local, isSecure: identity != nil)
        let visitor: Visitor?
        do throws(Failure) {
          visitor = try await door.visitor(Door.Head(request, ends), for: route.audience)
        } catch {
          route.refused(error, request, ends)
          return route.failed(error).response
        }
        do throws(Failure) {
          return try await route.handler(
            HubRequest(
              request: request, parameters: context.parameters, visitor: visitor, ends: ends)
          ).response
        } catch {
          return route.failed(error).response
        }
      }
    }
    return router
  }
}

/// The context of a request.
///
/// It contains the addresses of the connection.
struct HubContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The address of the peer.
  let peer: SocketAddress?
  /// The address of our end.
  let local: SocketAddress?

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    (peer, local) = (source.channel.remoteAddress, source.channel.localAddress)
  }
}

/// Middleware that answers requests without a route with a failure.
private struct FailureAnswers: RouterMiddleware {
  let routes: [HubRoute]
  let hasPage: Bool

  func handle(
    _ request: Request, context: HubContext,
    next: (Request, HubContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPError {
      let path = Visible.line(String(request.uri.path.prefix(200)))
      let allowed = HubRoute.methods(at: request.uri.path, of: routes)
      let status = allowed.isEmpty ? error.status : .methodNotAllowed
      let failure = Failure(
        .notFound, "there is no \(Visible.line(request.method.rawValue)) '\(path)'",
        status: status.code, input: path)
      var answer =
        if path.hasPrefix("/companion/") {
          HubAnswer(companion: failure)
        } else if hasPage, path.hasPrefix(HTMLAddress.root + "/") {
          PageAnswer.of(failure, isSignedIn: true)
        } else {
          HubAnswer(failure)
        }
      // The allowed methods of the path (RFC 9110 section 15.5.6).
      if !allowed.isEmpty { answer.fields.append((.allow, allowed.joined(separator: ", "))) }
      return answer.response
    }
  }
}

extension Door.Head {
  /// Creates the head of the given request.
  ///
  /// The request's authority is its first `Host` field.
  init(_ request: Request, _ ends: Credential.Ends) {
    let isForm = ![.get, .head].contains(request.method)
    self.init(
      hosts: (request.head.authority.map { [$0] } ?? []) + request.headers[values: .host],
      origins: request.headers[values: .origin],
      fetchSites: request.headers[values: .secFetchSite],
      authorization: request.headers[.authorization], cookies: request.headers[values: .cookie],
      opensDocument: !isForm && request.headers[values: .secFetchMode] == ["navigate"]
        && request.headers[values: .secFetchDest] == ["document"],
      isForm: isForm, ends: ends)
  }
}

extension HTTPField.Name {
  /// The field in which a browser states the relation of a request to its origin (Fetch Metadata,
  /// W3C).
  fileprivate static let secFetchSite = Self("Sec-Fetch-Site") ?? .origin
  /// The field in which a browser states how it uses the answer (Fetch Metadata).
  fileprivate static let secFetchMode = Self("Sec-Fetch-Mode") ?? .origin
  /// The field in which a browser states what it uses the answer for (Fetch Metadata).
  fileprivate static let secFetchDest = Self("Sec-Fetch-Dest") ?? .origin
  /// The `Host` field.
  ///
  /// The first one becomes the authority, so the fields contain only further ones.
  fileprivate static let host = Self("Host") ?? .origin
}
