import Core
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization

/// A listener for gRPC calls over HTTP/2.
///
/// With TLS, clients select HTTP/2 by ALPN. Without TLS, they must know that the server speaks it
/// (RFC 9113, section 3.3).
struct CallListener: Sendable {
  typealias Stream = NIOAsyncChannel<HTTP2Frame.FramePayload, HTTP2Frame.FramePayload>

  /// A connection and its calls.
  struct Connection: Sendable {
    let channel: any Channel
    let streams: NIOHTTP2Handler.AsyncStreamMultiplexer<Stream>
  }

  let calls: TelemetryCalls
  let connections: HubConnections
  private let server: NIOAsyncChannel<Connection, Never>
  private let isSecure: Bool
  private let open = OpenCallConnections()

  /// The largest number of concurrent calls of a connection.
  private static let mostStreams = 64
  /// The largest size of the metadata of a call in bytes.
  private static let mostHeaderBytes = 16 << 10
  /// The time after which a connection without calls is closed.
  private static let idleTime = TimeAmount.minutes(2)

  /// Opens the socket; returns nil if the settings name no address.
  ///
  /// - Parameters:
  ///   - settings: The settings, which may name the address and port.
  ///   - tls: The certificate and key; nil for plain connections.
  ///   - connections: All connections of the hub.
  ///   - calls: The handler of calls.
  /// - Throws: `NetworkUnavailable` if the address is not available.
  init?(
    _ settings: ServeSettings, tls: TLSConfiguration?, _ connections: HubConnections,
    _ calls: TelemetryCalls
  ) async throws(Failure) {
    guard let address = settings.otlpListen else { return nil }
    (self.calls, self.connections) = (calls, connections)
    isSecure = tls != nil
    guard let place = ServeSettings.endpoint(address) else {
      throw Failure(.badConfiguration, "'\(address)' is not an address and port")
    }
    let open = open
    do {
      let tls = try tls.map { configuration in
        var configuration = configuration
        configuration.applicationProtocols = ["h2"]
        return try NIOSSLContext(configuration: configuration)
      }
      server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 256)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
        .bind(host: place.host, port: place.port) { channel in
          channel.eventLoop.makeCompletedFuture {
            open.add(channel)
            connections.add(channel)
            return try Self.connection(channel, tls)
          }
        }
      try await AcceptFaults.add(to: server.channel)
    } catch {
      throw Failure(cannotListenOn: address, error, option: "--otlp-listen")
    }
  }

  /// The address and port on which the listener accepts connections.
  var address: String {
    let local = server.channel.localAddress
    let host = local?.ipAddress ?? ""
    return "\(host.contains(":") ? "[\(host)]" : host):\(local?.port ?? 0)"
  }

  /// Answers calls until the task is cancelled.
  ///
  /// - Throws: The error of the socket.
  func run() async throws {
    try await server.executeThenClose { inbound in
      try await withThrowingDiscardingTaskGroup { group in
        for try await connection in inbound { group.addTask { await serve(connection) } }
      }
    }
  }

  /// Announces on all connections that they will close (RFC 9113, section 6.8).
  func end() { open.end() }

  private static func connection(
    _ channel: any Channel, _ tls: NIOSSLContext?
  ) throws -> Connection {
    let operations = channel.pipeline.syncOperations
    if let tls { try operations.addHandler(NIOSSLServerHandler(context: tls)) }
    var configuration = NIOHTTP2Handler.Configuration()
    configuration.connection.initialSettings = [
      HTTP2Setting(parameter: .maxConcurrentStreams, value: mostStreams),
      HTTP2Setting(parameter: .maxHeaderListSize, value: mostHeaderBytes),
    ]
    let manager = NIOHTTP2ServerConnectionManagementHandler.Configuration(
      maxIdleTime: idleTime, maxAge: nil, maxGraceTime: .seconds(5),
      keepalive: .init(pingInterval: .seconds(30), ackTimeout: .seconds(20)))
    let streams = try operations.configureAsyncHTTP2Pipeline(
      mode: .server, connectionManagerConfiguration: manager,
      http2HandlerConfiguration: configuration
    ) { stream in
      stream.eventLoop.makeCompletedFuture { try Stream(wrappingChannelSynchronously: stream) }
    }
    return Connection(channel: channel, streams: streams)
  }

  private func serve(_ connection: Connection) async {
    let channel = connection.channel
    let ends = Credential.Ends(
      peer: channel.remoteAddress, local: channel.localAddress, isSecure: isSecure)
    let busy = BusyCalls { connections.set(channel, isBusy: $0) }
    // The error of a connection ends only this connection.
    try? await withThrowingDiscardingTaskGroup { group in
      for try await stream in connection.streams.inbound {
        busy.begin()
        group.addTask {
          await serve(stream, ends)
          busy.end()
        }
      }
    }
    channel.close(promise: nil)
  }

  private func serve(_ stream: Stream, _ ends: Credential.Ends) async {
    let channel = stream.channel
    let patience = TimeAmount.seconds(Int64(TelemetryCalls.patience))
    let limit = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    defer { limit.cancel() }
    // A client may reset a call at any time.
    try? await stream.executeThenClose { inbound, outbound in
      for part in try await calls.answer(inbound, ends) { try await outbound.write(part) }
    }
  }
}

/// A counter of a connection's calls.
private final class BusyCalls: Sendable {
  private let count = Mutex(0)
  private let changed: @Sendable (_ isBusy: Bool) -> Void

  /// Creates a counter.
  ///
  /// - Parameter changed: Receives `true` when the first call begins, and `false` when no call is
  ///   left.
  init(_ changed: @escaping @Sendable (_ isBusy: Bool) -> Void) {
    self.changed = changed
  }

  func begin() {
    count.withLock { count in
      count += 1
      if count == 1 { changed(true) }
    }
  }

  func end() {
    count.withLock { count in
      count -= 1
      if count == 0 { changed(false) }
    }
  }
}

/// The open connections of a listener for calls.
private final class OpenCallConnections: Sendable {
  private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

  func add(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    channels.withLock { $0[id] = channel }
    channel.closeFuture.whenComplete { [self] _ in channels.withLock { $0[id] = nil } }
  }

  func end() {
    for channel in channels.withLock({ Array($0.values) }) {
      channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
  }
}
