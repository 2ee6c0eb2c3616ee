import NIOCore
import NIOEmbedded
import Testing

@testable import WebSocket

/// A side in a channel that is no socket, whose clock stands still until it is told.
private struct Side {
  let channel = EmbeddedChannel()
  let connection: WebSocketConnection
  let told = Told()

  final class Told {
    var events: [String] = []
  }

  init(isServer: Bool = true, limits: WebSocketLimits = WebSocketLimits()) throws {
    let handler = WebSocketHandler(isServer: isServer, limits: limits)
    try channel.pipeline.syncOperations.addHandler(handler)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
    connection = WebSocketConnection(handler, channel: channel)
    let told = told
    connection.onText = { told.events.append("text \(String(buffer: $0))") }
    connection.onBinary = { told.events.append("binary \(Array($0.readableBytesView))") }
    connection.onPong = { told.events.append("pong \(String(buffer: $0))") }
    connection.onClosed = { told.events.append("closed \($0.code) \($0.reason) \($0.origin)") }
  }

  func receive(_ frames: Frame...) throws {
    try channel.writeInbound(ByteBuffer(bytes: frames.flatMap(\.bytes)))
  }

  /// What was sent since the last question.
  func sent() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let part = try channel.readOutbound(as: ByteBuffer.self) {
      bytes += part.readableBytesView
    }
    return bytes
  }
}

@Suite struct ConnectionTests {
  @Test func `Messages are told and pings answered`() throws {
    let side = try Side()
    try side.receive(Frame(0x81, "a"), Frame(0x89, "p"), Frame(0x82, [1]), Frame(0x8A, "q"))
    #expect(side.told.events == ["text a", "binary [1]", "pong q"])
    #expect(try side.sent() == Frame(0x8A, "p", masked: false).bytes)
  }

  @Test func `A client masks what it sends, each time with another key`() throws {
    let side = try Side(isServer: false)
    side.connection.send(text: "hello")
    side.connection.send(text: "hello")
    let bytes = try side.sent()
    #expect(reading([bytes]) == ["text hello", "text hello"])
    #expect(bytes[2..<6] != bytes[13..<17])
  }

  @Test func `Frames that are made already go as they are`() throws {
    let side = try Side()
    var frames = ByteBuffer()
    for text in ["a", "b"] { WebSocketConnection.appendTextFrame(text.utf8, to: &frames) }
    side.connection.write(frames: frames)
    #expect(reading([try side.sent()], ofClient: false) == ["text a", "text b"])
  }

  @Test func `A ping carries 125 bytes at most`() throws {
    let side = try Side()
    side.connection.ping(ByteBuffer(repeating: 0x61, count: 200))
    let expected = Frame(0x89, String(repeating: "a", count: 125), masked: false)
    #expect(try side.sent() == expected.bytes)
  }

  @Test func `The peer's Close is answered with its code, and the server closes`() throws {
    let side = try Side()
    try side.receive(Frame(closing: 1001, "away"), Frame(0x81, "late"))
    #expect(side.told.events == ["closed 1001 away peer"])
    #expect(try side.sent() == Frame(closing: 1001, masked: false).bytes)
    #expect(!side.channel.isActive)
  }

  @Test func `A Close without a code is answered with one without`() throws {
    let side = try Side()
    try side.receive(Frame(0x88))
    #expect(side.told.events == ["closed 1005  peer"])
    #expect(try side.sent() == Frame(0x88, masked: false).bytes)
  }

  @Test func `A client leaves it to the server to close, for as long as it waits`() throws {
    let side = try Side(isServer: false)
    try side.receive(Frame(closing: 1000, masked: false))
    #expect(side.told.events == ["closed 1000  peer"])
    #expect(reading([try side.sent()]) == ["close 1000 "])
    #expect(side.channel.isActive)
    side.channel.embeddedEventLoop.advanceTime(by: .seconds(5))
    #expect(!side.channel.isActive)
  }

  @Test func `After our Close nothing is sent or told but the peer's`() throws {
    let side = try Side()
    side.connection.close(code: 4408, reason: "slow")
    side.connection.send(text: "late")
    try side.receive(Frame(0x81, "late"), Frame(0x89, "late"))
    #expect(try side.sent() == Frame(closing: 4408, "slow", masked: false).bytes)
    #expect(side.told.events == [])
    try side.receive(Frame(closing: 4408))
    #expect(side.told.events == ["closed 4408  peer"])
    #expect(!side.channel.isActive)
    #expect(try side.sent() == [])
  }

  @Test func `A peer that does not answer a Close is cut`() throws {
    let side = try Side()
    side.connection.close()
    side.channel.embeddedEventLoop.advanceTime(by: .milliseconds(4_999))
    #expect(side.channel.isActive)
    side.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    #expect(!side.channel.isActive)
    #expect(side.told.events == ["closed 1006 the closing handshake took too long lost"])
  }

  @Test func `A long reason is cut between characters`() throws {
    let side = try Side()
    side.connection.close(code: 1000, reason: String(repeating: "€", count: 50))
    let reason = String(repeating: "€", count: 41)
    #expect(try side.sent() == Frame(closing: 1000, reason, masked: false).bytes)
  }

  @Test func `What breaks a rule is told to both, and nothing more is read`() throws {
    let side = try Side()
    try side.receive(Frame(0x81, "a"), Frame(0xC1, "b"), Frame(0x81, "c"))
    try side.receive(Frame(0x81, "d"))
    #expect(side.told.events == ["text a", "closed 1002 a reserved bit is set here"])
    #expect(try side.sent() == Frame(closing: 1002, "a reserved bit is set", masked: false).bytes)
    side.channel.embeddedEventLoop.advanceTime(by: .seconds(5))
    #expect(!side.channel.isActive)
  }

  @Test func `A header that promises too much is refused before anything is held`() throws {
    let side = try Side()
    try side.channel.writeInbound(ByteBuffer(bytes: [0x82, 0xFF] + Frame.big(1 << 63)))
    #expect(side.told.events == ["closed 1009 the message is too large here"])
  }

  @Test func `A connection that is lost is told so once`() throws {
    let side = try Side()
    try side.channel.close().wait()
    #expect(side.told.events == ["closed 1006 the connection was lost lost"])
    #expect(side.connection.closure?.code == 1006)
    #expect(!side.connection.isOpen)
    side.connection.send(text: "late")
    side.connection.close()
  }

  @Test func `A pause holds what came, and asks for no more`() throws {
    let side = try Side()
    let told = side.told
    side.connection.onText = { [connection = side.connection] text in
      told.events.append("text \(String(buffer: text))")
      connection.pause()
    }
    try side.receive(Frame(0x81, "a"), Frame(0x81, "b"))
    try side.receive(Frame(0x81, "c"), Frame(0x89, "p"))
    #expect(side.told.events == ["text a"])
    side.connection.resume()
    #expect(side.told.events == ["text a", "text b"])
    side.connection.resume()
    side.connection.resume()
    #expect(side.told.events == ["text a", "text b", "text c"])
    #expect(try side.sent() == Frame(0x8A, "p", masked: false).bytes)
  }

  @Test func `Our Close ends a pause, for the peer's is behind what was held`() throws {
    let side = try Side()
    side.connection.pause()
    try side.receive(Frame(0x81, "a"), Frame(closing: 1000))
    side.connection.close(code: 1000)
    #expect(side.told.events == ["closed 1000  peer"])
  }

  @Test func `A peer that reads nothing gets one pong for all its pings`() throws {
    let side = try Side()
    side.channel.isWritable = false
    side.channel.pipeline.fireChannelWritabilityChanged()
    for number in 0..<1000 { try side.receive(Frame(0x89, "\(number)")) }
    #expect(try side.sent() == [])
    side.channel.isWritable = true
    side.channel.pipeline.fireChannelWritabilityChanged()
    #expect(try side.sent() == Frame(0x8A, "999", masked: false).bytes)
  }

  @Test func `Handlers are let go of at the end`() throws {
    final class Owner {}
    let side = try Side()
    weak var owner: Owner?
    do {
      let held = Owner()
      owner = held
      side.connection.onText = { _ in withExtendedLifetime(held) {} }
    }
    #expect(owner != nil)
    try side.channel.close().wait()
    #expect(owner == nil)
  }
}
