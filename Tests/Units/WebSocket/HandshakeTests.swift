import Core
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing

@testable import WebSocket

@Suite struct HandshakeTests {
  private static let request = [
    "GET /v1/stream?protocol=1 HTTP/1.1", "Host: hub:7878", "Upgrade: websocket",
    "Connection: keep-alive, Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
  ]
  /// The answer to the key of RFC 6455 section 1.3.
  private static let acceptance =
    "HTTP/1.1 101 Switching Protocols\r\nx-protocol: 1\r\nUpgrade: websocket\r\n"
    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nConnection: upgrade\r\n\r\n"

  private let channel = EmbeddedChannel()

  /// What a server answers to a request, and what became of its channel.
  private func answer(
    _ lines: [String], rest: [UInt8] = [],
    decide: @escaping @Sendable (HTTPRequestHead) -> WebSocketDecision = { _ in
      .accept(headers: ["x-protocol": "1"])
    }
  ) throws -> (text: String, became: String) {
    let server = WebSocketServer(
      shouldUpgrade: { head, channel in channel.eventLoop.makeSucceededFuture(decide(head)) },
      opened: { connection, head in
        connection.onText = { connection.send(text: "\(head.uri) \(String(buffer: $0))") }
      },
      http: { try $0.pipeline.syncOperations.addHandler(PlainAnswer()) })
    let result = try server.configure(channel)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
    let became = Mutex("nothing")
    result.whenComplete { result in
      became.withLock { became in
        switch result {
        case .success(.opened): became = "opened"
        case .success(.refused): became = "refused"
        case .success(.http): became = "http"
        case .failure: became = "failed"
        }
      }
    }
    let text = (lines + ["", ""]).joined(separator: "\r\n")
    try channel.writeInbound(ByteBuffer(bytes: Array(text.utf8) + rest))
    channel.embeddedEventLoop.run()
    return (try sent(), became.withLock { $0 })
  }

  private func sent() throws -> String {
    var text = ""
    while let part = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: part) }
    return text
  }

  @Test func `A good handshake opens a connection, and its handler is the only one left`() throws {
    let (text, became) = try answer(Self.request)
    #expect(text == Self.acceptance)
    #expect(became == "opened")
    #expect(try channel.pipeline.syncOperations.handler(type: WebSocketHandler.self).isServer)
    #expect(throws: (any Error).self) {
      try channel.pipeline.syncOperations.handler(type: HTTPResponseEncoder.self)
    }
  }

  @Test func `Frames that come with the handshake are not lost`() throws {
    let (text, _) = try answer(Self.request, rest: Frame(0x81, "a").bytes)
    #expect(text.hasPrefix(Self.acceptance))
    #expect(text.hasSuffix("/v1/stream?protocol=1 a"))
  }

  @Test(arguments: [
    "Upgrade", "keep-alive,\tUPGRADE", "upgrade, keep-alive", "close, Upgrade", ",Upgrade",
    "Upgrade,",
    "x-upgrade, upgrade", "Upgrade\r\nConnection: keep-alive", "Upgrade\r\nConnection: Upgrade",
    "a,b,,Upgrade,c", "Upgrade , x", "keep-alive Upgrade", "Upgrade;x",
  ])
  func `What our check and the parser hold for an upgrade is the same`(field: String) throws {
    var lines = Self.request
    lines[3] = "Connection: \(field)"
    // Another request behind it is no frame, and must not be one of HTTP.
    let next = lines.joined(separator: "\r\n") + "\r\n\r\n"
    let (text, became) = try answer(lines, rest: Array(next.utf8))
    #expect(became == (text.hasPrefix("HTTP/1.1 101 ") ? "opened" : "refused"))
    #expect(!text.dropFirst().contains("HTTP/1.1"))
  }

  @Test(arguments: [
    (0, "POST / HTTP/1.1", "a WebSocket must be opened with GET over HTTP/1.1"),
    (0, "GET / HTTP/1.0", "a WebSocket must be opened with GET over HTTP/1.1"),
    (1, "Accept: text/html", "the handshake needs one 'Host'"),
    (3, "Connection: keep-alive", "the handshake needs 'Connection: Upgrade'"),
    (4, "Accept: text/html", "the handshake needs one 'Sec-WebSocket-Key' of 16 bytes"),
    (4, "Sec-WebSocket-Key: abc", "the handshake needs one 'Sec-WebSocket-Key' of 16 bytes"),
    (
      4, "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Key: a",
      "the handshake needs one 'Sec-WebSocket-Key' of 16 bytes"
    ),
    (5, "Accept: text/html", "the handshake needs one 'Sec-WebSocket-Version'"),
    (5, "Sec-WebSocket-Version: 13\r\nContent-Length: 1", "the handshake has a body"),
  ])
  func `A bad handshake is a bad request`(line: Int, other: String, reason: String) throws {
    var lines = Self.request
    lines[line] = other
    let (text, became) = try answer(lines)
    #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(text)")
    #expect(text.contains("\"code\":\"BadInput\"") && text.contains("\"\(reason)\""), "\(text)")
    #expect(became == "refused")
    #expect(!channel.isActive)
  }

  @Test func `Another version is answered with the one there is`() throws {
    var lines = Self.request
    lines[5] = "Sec-WebSocket-Version: 8"
    let (text, became) = try answer(lines)
    let body =
      #"{"action":"check the address, or upgrade","category":"response","code":"ProtocolMismatch","#
      + #""explanation":"the version of WebSocket must be 13","retryable":false,"status":426,"#
      + #""suggestedAction":"dismiss","title":"Protocol version refused","type":"error"}"# + "\n"
    #expect(
      text == "HTTP/1.1 426 Upgrade Required\r\nsec-websocket-version: 13\r\n"
        + "content-type: application/json\r\ncontent-length: \(body.utf8.count)\r\n"
        + "connection: close\r\n\r\n\(body)")
    #expect(became == "refused")
  }

  @Test func `A refusal is answered as it says`() throws {
    let (text, became) = try answer(Self.request) { _ in
      .refuse(
        WebSocketRefusal(
          status: .unauthorized, headers: ["www-authenticate": "Bearer"], body: Array("no".utf8)))
    }
    #expect(
      text == "HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Bearer\r\ncontent-length: 2\r\n"
        + "connection: close\r\n\r\nno")
    #expect(became == "refused")
    #expect(!channel.isActive)
  }

  @Test(arguments: ["Accept: text/html", "Upgrade: h2c"])
  func `Whoever asks for no WebSocket gets HTTP, the first request included`(line: String) throws {
    var lines = Self.request
    lines[2] = line
    let (text, became) = try answer(lines)
    #expect(text == "HTTP/1.1 200 OK\r\ncontent-length: 21\r\n\r\n/v1/stream?protocol=1")
    #expect(became == "http")
  }

  @Test func `What is no HTTP is a bad request`() throws {
    let (text, became) = try answer(["SSH-2.0-OpenSSH_9.2"])
    #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(became == "refused")
  }

  @Test func `A connection that asks for nothing is cut in time`() throws {
    let (text, became) = try answer([])
    #expect((text, became) == ("", "nothing"))
    channel.embeddedEventLoop.advanceTime(by: .seconds(30))
    #expect(!channel.isActive)
  }

  @Test func `Who closes its side before it asks for anything is let go at once`() throws {
    _ = try answer([])
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(!channel.isActive)
  }

  @Test func `A peer that closes its side of an open connection is gone`() throws {
    let (_, became) = try answer(Self.request)
    #expect(became == "opened" && channel.isActive)
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(!channel.isActive)
  }

  @Test func `An answer that ends in its middle is a connection that was lost`() {
    let lost = Failure(handshake: HTTPParserError.invalidEOFState, url: "ws://h")
    #expect(lost.code == .networkUnavailable && lost.kind == .reset)
    let other = Failure(handshake: HTTPParserError.invalidConstant, url: "ws://h")
    #expect(other.code == .invalidResponse)
  }
}

/// Answers each request with its own target.
private final class PlainAnswer: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data) else { return }
    let answer = HTTPResponseHead(
      version: .http1_1, status: .ok, headers: ["content-length": "\(head.uri.utf8.count)"])
    context.write(wrapOutboundOut(.head(answer)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: head.uri)))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }
}
