import Core
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// The connections of a hub: where there are too many, those give way that have asked for nothing for
/// longest, so that nobody keeps others out by being silent.
final class HubConnections: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// Counts what happens, so that it is known what was before what.
    var clock = 0
    /// Since when those that ask for nothing do so.
    var idleSince: [ObjectIdentifier: Int] = [:]
    /// Those that are never done with what they asked for.
    var endless: Set<ObjectIdentifier> = []
    /// `true` once the hub ends.
    var isEnding = false

    /// Those that have asked for nothing for longest.
    func idlest(_ count: Int) -> [any Channel] {
      idleSince.sorted { $0.value < $1.value }.prefix(count).compactMap { channels[$0.key] }
    }
  }

  private let state = Mutex(State())
  private let most: Int
  /// So long a connection may take to close once the hub ends.
  private static let patience = TimeAmount.milliseconds(100)

  /// No connections.
  ///
  /// - Parameter most: How many there may be.
  init(most: Int) {
    self.most = most
  }

  /// Takes a connection that was accepted.
  func add(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let leaving = state.withLock { state -> [any Channel] in
      state.clock += 1
      state.channels[id] = channel
      state.idleSince[id] = state.clock
      guard !state.isEnding else { return [channel] }
      guard state.channels.count > most else { return [] }
      // Many at once: to look for the oldest costs more than to close it.
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

  /// Tells that a connection is a WebSocket's, and so never done with what it asked for.
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

  /// Tells whether a connection asks for something.
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

  /// Closes the connections that ask for nothing, and each other one once it does; a WebSocket has a
  /// moment to answer that it is closed, and TLS for its own end.
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

  /// Cuts a connection that is not closed by then, whatever its handlers still wait for.
  private static func cutSoon(_ channel: any Channel) {
    channel.eventLoop.scheduleTask(in: patience) {
      guard channel.isActive else { return }
      try? channel.pipeline.syncOperations.addHandler(Cut(), position: .first)
    }
  }

  /// Looks at what a connection asks, part by part.
  func watch(_ channel: any Channel) -> any ChannelHandler {
    ConnectionWatch(self, channel)
  }
}

/// Closes a connection ahead of all its other handlers.
private final class Cut: ChannelInboundHandler {
  typealias InboundIn = NIOAny

  func handlerAdded(context: ChannelHandlerContext) { context.close(promise: nil) }
}

/// Tells when a connection of HTTP asks for something, and when that is answered.
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
      // What Hummingbird says of a head that cannot be read has no body.
      let answer = HubAnswer(Failure(.badInput, "this is not a request of HTTP/1.1"))
      head.headerFields[.contentType] = answer.contentType
      head.headerFields[.contentLength] = "\(answer.body.count)"
      context.write(wrapOutboundOut(.head(head)), promise: promise)
      return context.write(
        wrapOutboundOut(.body(ByteBuffer(bytes: answer.body))), promise: nil)
    }
    guard case .end = part else { return context.write(data, promise: promise) }
    // A connection that ends drops what is not written yet.
    let written = promise ?? context.eventLoop.makePromise(of: Void.self)
    let (connections, channel) = (connections, channel)
    written.futureResult.whenComplete { _ in connections.set(channel, isBusy: false) }
    context.write(data, promise: written)
  }
}

/// Keeps a server's socket open where a connection cannot be accepted, because there are no descriptors or no
/// memory for it: what is passed on to whoever reads the connections ends them all.
final class AcceptFaults: ChannelInboundHandler {
  typealias InboundIn = Channel

  /// Looks again after so many milliseconds: the kernel tells of what waits without end.
  private static let pause = 100

  /// Keeps such faults from a server's channel.
  ///
  /// - Throws: What adding a handler to a channel that is closed throws.
  static func keep(from channel: any Channel) async throws {
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
