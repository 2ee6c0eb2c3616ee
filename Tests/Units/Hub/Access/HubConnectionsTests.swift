import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Hub

@Suite("the connections of a hub")
struct HubConnectionsTests {
  private static func connected() throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 9)).wait()
    return channel
  }

  /// A connection that has asked for something.
  private static func busy(_ connections: HubConnections) throws -> EmbeddedChannel {
    let channel = try connected()
    try channel.pipeline.syncOperations.addHandler(connections.watch(channel))
    connections.add(channel)
    try channel.writeInbound(
      HTTPRequestPart.head(
        HTTPRequest(method: .get, scheme: "http", authority: "hub", path: "/v1/overview")))
    return channel
  }

  @Test func `an answer that is under way when the hub ends is written whole`() throws {
    let connections = HubConnections(most: 4)
    let channel = try Self.busy(connections)
    connections.end()
    #expect(channel.isActive)
    channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
    channel.write(HTTPResponsePart.body(ByteBuffer(string: "all of it")), promise: nil)
    channel.write(HTTPResponsePart.end(nil), promise: nil)
    channel.flush()
    channel.embeddedEventLoop.run()
    var parts: [HTTPResponsePart] = []
    while let part = try channel.readOutbound(as: HTTPResponsePart.self) { parts.append(part) }
    #expect(
      parts == [
        .head(HTTPResponse(status: .ok)), .body(ByteBuffer(string: "all of it")), .end(nil),
      ])
    #expect(!channel.isActive)
  }

  @Test func `a silent connection ends with the hub, and one that asks once it is answered`() throws
  {
    let connections = HubConnections(most: 16)
    let (silent, busy) = (try Self.connected(), try Self.connected())
    connections.add(silent)
    connections.add(busy)
    connections.set(busy, isBusy: true)
    connections.end()
    #expect(!silent.isActive)
    #expect(busy.isActive)
    connections.set(busy, isBusy: false)
    #expect(!busy.isActive)
    let late = try Self.connected()
    connections.add(late)
    #expect(!late.isActive)
  }

  @Test func `a WebSocket that does not answer the end is cut, and what is silent over TLS, too`()
    throws
  {
    /// Keeps a connection from closing, as TLS does until its peer says that it ends.
    final class Patient: ChannelOutboundHandler {
      typealias OutboundIn = ByteBuffer
      func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?)
      {}
    }
    let connections = HubConnections(most: 16)
    let (socket, silent) = (try Self.connected(), try Self.connected())
    for channel in [socket, silent] {
      try channel.pipeline.syncOperations.addHandler(Patient())
      connections.add(channel)
    }
    connections.setEndless(socket)
    connections.end()
    #expect(socket.isActive && silent.isActive)
    for channel in [socket, silent] {
      channel.embeddedEventLoop.advanceTime(by: .milliseconds(200))
      #expect(!channel.isActive)
    }
  }

  @Test func `where there are too many, who has been silent for longest gives way`() throws {
    let connections = HubConnections(most: 2)
    let asking = try Self.busy(connections)
    let silent = [try Self.connected(), try Self.connected()]
    for channel in silent { connections.add(channel) }
    #expect(asking.isActive && !silent[0].isActive && silent[1].isActive)
  }
}
