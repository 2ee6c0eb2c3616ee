import Core
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// The connections to a hub.
///
/// If there are too many, those that have been idle for longest are closed.
final class HubConnections: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// A counter.
    ///
    /// It orders idle connections by the time at which they became idle.
    var clock = 0
    /// The value of `clock` at which each idle connection became idle.
    var idleSince: [ObjectIdentifier: Int] = [:]
    /// The WebSocket connections.
    ///
    /// Their request never ends.
    var endless: Set<ObjectIdentifier> = []
    /// `true` after the hub began to shut down.
    var isEnding = false

    /// Returns the `count` connections that have been idle for longest.
    func idlest(_ count: Int) -> [any Channel] {
      idleSince.sorted { $0.value < $1.value }.prefix(count).compactMap { channels[$0.key] }
    }
  }

  private let state = Mutex(State())
  private let most: Int
  /// The time within which a connection must close after the hub began to shut down.
  private static let patience = TimeAmount.milliseconds(100)

  /// Creates an empty set of connections.
  ///
  /// - Parameter most: The largest number of connections.
  init(most: Int) {
    self.most = most
  }

  /// Adds the given accepted connection.
  func add(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let leaving = state.withLock { state -> [any Channel] in
      state.clock += 1
      state.channels[id] = channel
      state.idleSince[id] = state.clock
      guard !state.isEnding else { return [channel] }
      guard state.channels.count > most else { return [] }
      // Several connections are closed at once, because finding the longest idle ones is expensive.
      return state.idlest(max(1, most / 16))
    }
    channel.closeFuture.whenComplete { [self] _ in
      state.withLock { state in
        state.channels[id] = nil
        state.idleSince[id] = nil
        state.endless.remove(id)
      }
    }
    for channel in leaving { channel.close(promise: nil) }
  }

  /// Marks the given connection as a WebSocket.
  func setEndless(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let leaves = state.withLock { state in
      guard state.channels[id] != nil else { return false }
      state.idleSince[id] = nil
      state.endless.insert(id)
      return state.isEnding
    }
    if leaves { Self.cutSoon(channel) }
  }

  /// Records that the given connection became busy or idle.
  func set(_ channel: any Channel, isBusy: Bool) {
    let id = ObjectIdentifier(channel)
    let leaves = state.withLock { state in
      state.clock += 1
      guard state.channels[id] != nil else { return false }
      state.idleSince[id] = isBusy ? nil : state.clock
      return state.isEnding && !isBusy
    }
    if leaves { channel.close(promise: nil) }
  }

  /// Closes all connections.
  ///
  /// Idle connections are closed at once, and busy ones when they become idle. WebSocket and TLS
  /// connections get a moment for their closing handshakes.
  func end() {
    let (idle, endless) = state.withLock { state in
      state.isEnding = true
      return (
        state.idleSince.keys.compactMap { state.channels[$0] },
        state.endless.compactMap { state.channels[$0] }
      )
    }
    for channel in idle { channel.close(promise: nil) }
    for channel in idle + endless { Self.cutSoon(channel) }
  }

  /// Cuts the given connection after a moment, if it is still open.
  private static func cutSoon(_ channel: any Channel) {
    channel.eventLoop.scheduleTask(in: patience) {
      guard channel.isActive else { return }
      try? channel.pipeline.syncOperations.addHandler(Cut(), position: .first)
    }
  }

  /// Creates a handler that tracks the requests of the given connection.
  func watch(_ channel: any Channel) -> any ChannelHandler {
    ConnectionWatch(self, channel)
  }
}

/// A handler that closes a connection at once, without involving the other handlers.
private final class Cut: ChannelInboundHandler {
  typealias InboundIn = NIOAny

  func handlerAdded(context: ChannelHandlerContext) { context.close(promise: nil) }
}

/// A handler that records when a request on an HTTP connection starts and when it is answered.
private final class ConnectionWatch: ChannelDuplexHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let connections: HubConnections
  private let channel: any Channel

  init(_ connections: HubConnections, _ channel: any Channel) {
    (self.connections, self.channel) = (connections, channel)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head = unwrapInboundIn(data) { connections.set(channel, isBusy: true) }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let part = unwrapOutboundIn(data)
    if case .head(var head) = part, head.status == .badRequest,
      head.headerFields[.contentLength] == "0"
    {
      // Hummingbird's response to a malformed head has no body.
      let answer = HubAnswer(Failure(.badInput, "this is not a request of HTTP/1.1"))
      head.headerFields[.contentType] = answer.contentType
      head.headerFields[.contentLength] = "\(answer.body.count)"
      context.write(wrapOutboundOut(.head(head)), promise: promise)
      return context.write(
        wrapOutboundOut(.body(ByteBuffer(bytes: answer.body))), promise: nil)
    }
    guard case .end = part else { return context.write(data, promise: promise) }
    // The connection closes only after the write, because closing drops unwritten data.
    let written = promise ?? context.eventLoop.makePromise(of: Void.self)
    let (connections, channel) = (connections, channel)
    written.futureResult.whenComplete { _ in connections.set(channel, isBusy: false) }
    context.write(data, promise: written)
  }
}

/// A handler that keeps the server's socket open if a connection cannot be accepted.
///
/// The cause may be a lack of descriptors or memory.
final class AcceptFaults: ChannelInboundHandler {
  typealias InboundIn = Channel

  /// The number of milliseconds before the next attempt to accept a connection.
  private static let pause = 100

  /// Adds the handler to the given server channel.
  ///
  /// - Throws: The error of the channel if it is closed.
  static func add(to channel: any Channel) async throws {
    try await channel.eventLoop.submit {
      try channel.pipeline.syncOperations.addHandler(AcceptFaults(), position: .first)
    }.get()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let channel = context.channel
    guard channel.isActive else { return context.fireErrorCaught(error) }
    channel.setOption(.autoRead, value: false).flatMap {
      channel.eventLoop.scheduleTask(in: .milliseconds(Int64(Self.pause))) {}.futureResult
    }.whenComplete { _ in channel.setOption(.autoRead, value: true).whenComplete { _ in } }
  }
}
