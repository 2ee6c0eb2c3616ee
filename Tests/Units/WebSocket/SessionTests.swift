import Core
import Foundation
import NIOSSL
import TestSupport
import Testing

@testable import WebSocket

@Suite struct SessionTests {
  private let interruption = Interruption()

  private func connect(
    _ url: String, headers: [(name: String, value: String)] = [],
    settings: WebSocketSettings = WebSocketSettings()
  ) throws(Failure) -> WebSocketSession {
    try WebSocketClient.connect(
      to: url, headers: headers, settings: settings, interruption: interruption)
  }

  private func failure(_ url: String) -> Failure? {
    do throws(Failure) {
      _ = try connect(url)
      return nil
    } catch {
      return error
    }
  }

  private func text(_ text: String) -> WebSocketMessage { .text(Array(text.utf8)) }

  @Test func `What is sent comes back, and both close`() throws {
    let server = try EchoServer()
    let session = try connect(
      "ws://127.0.0.1:\(server.port)/a?b=c", headers: [("Authorization", "Bearer secret")])
    #expect(server.field("authorization") == "Bearer secret")
    #expect(server.field("host") == "127.0.0.1:\(server.port)")
    try session.send(text: "grüße")
    try session.send(binary: [0, 255])
    session.ping(Array("p".utf8))
    #expect(try session.receive() == text("grüße"))
    #expect(try session.receive() == .binary([0, 255]))
    #expect(try session.receive() == .pong(Array("p".utf8)))
    #expect(try session.receive(within: 0) == nil)
    session.close(code: 4000, reason: "done")
    let end = WebSocketMessage.closed(WebSocketClosure(code: 1005, reason: "", origin: .peer))
    guard case .closed(let closure) = try session.receive() else {
      Issue.record("not \(end)")
      return
    }
    #expect(closure == WebSocketClosure(code: 4000, reason: "", origin: .peer))
    #expect(throws: Failure.self) { try session.send(text: "late") }
  }

  @Test func `The server's Close is received once all else is, and again`() throws {
    let server = try EchoServer()
    let session = try connect("ws://127.0.0.1:\(server.port)")
    try session.send(text: "a")
    try session.send(text: "close 4408 slow")
    #expect(try session.receive() == text("a"))
    let end = WebSocketMessage.closed(
      WebSocketClosure(code: 4408, reason: "slow", origin: .peer))
    #expect(try session.receive() == end)
    #expect(try session.receive(within: 0) == end)
  }

  @Test func `A connection that is lost ends with 1006`() throws {
    let server = try EchoServer()
    let session = try connect("ws://127.0.0.1:\(server.port)")
    try session.send(text: "cut")
    guard case .closed(let closure) = try session.receive() else {
      Issue.record("no end")
      return
    }
    #expect(closure.code == 1006)
    #expect(closure.origin == .lost)
  }

  @Test func `A flood waits in a bounded place and comes whole`() throws {
    let server = try EchoServer()
    var settings = WebSocketSettings()
    settings.waitingBytes = 10_000
    let session = try connect("ws://127.0.0.1:\(server.port)", settings: settings)
    try session.send(text: "flood 20000")
    for number in 0..<20_000 {
      let expected = "\(number)" + String(repeating: " ", count: 1024)
      guard try session.receive() == text(expected) else {
        Issue.record("\(number) is missing")
        return
      }
    }
    #expect(try session.receive(within: 0) == nil)
  }

  @Test func `A message over the limit is refused on either side`() throws {
    let server = try EchoServer()
    var settings = WebSocketSettings()
    settings.limits.messageBytes = 1000
    let session = try connect("ws://127.0.0.1:\(server.port)", settings: settings)
    try session.send(text: "flood 1")
    #expect(
      try session.receive()
        == .closed(
          WebSocketClosure(code: 1009, reason: "the message is too large", origin: .here)))
    let other = try connect("ws://127.0.0.1:\(server.port)")
    try other.send(binary: [UInt8](repeating: 0, count: 1 << 20 + 1))
    #expect(
      try other.receive()
        == .closed(
          WebSocketClosure(code: 1009, reason: "the message is too large", origin: .peer)))
  }

  @Test func `An interruption ends the wait`() throws {
    let server = try EchoServer()
    let session = try connect("ws://127.0.0.1:\(server.port)")
    Thread.detachNewThread { [interruption] in interruption.fire(signal: SIGTERM) }
    let failure = #expect(throws: Failure.self) { try session.receive() }
    #expect(failure?.code == .interrupted)
    // The server is still told.
    session.close()
  }

  @Test(arguments: [
    (400, "BadInput"), (401, "AuthExpired"), (403, "PermissionDenied"), (404, "NotFound"),
    (421, "BadInput"), (426, "ProtocolMismatch"), (429, "RateLimited"), (500, "ServerError"),
    (503, "Overloaded"), (200, "InvalidResponse"), (302, "ServerError"),
  ])
  func `An answer that is no handshake is a failure by its status`(
    status: Int, code: String
  ) throws {
    let server = try LoopbackServer { _ in
      Reply("HTTP/1.1 \(status) X\nRetry-After: 7\nContent-Length: 2\n\nno")
    }
    let url = server.url("/v1/stream", scheme: "ws")
    let failure = failure(url + "?token=secret")
    #expect(failure?.code.rawValue == code)
    #expect(failure?.explanation == "'\(url)' answered \(status)")
    #expect(failure?.status == status)
    #expect(failure?.retryAfterSeconds == 7)
  }

  @Test func `What our server says of a refusal is told`() throws {
    let body =
      #"{"code":"DeviceRevoked","explanation":"the device is revoked","kind":"old","type":"error"}"#
    let server = try LoopbackServer { _ in Reply("HTTP/1.1 403 X\n\n", body: Array(body.utf8)) }
    let url = server.url("/", scheme: "ws")
    let failure = failure(url)
    #expect(failure?.code == .deviceRevoked)
    #expect(failure?.kind == "old")
    #expect(failure?.explanation == "'\(url)' answered 403: the device is revoked")
  }

  @Test(arguments: [
    ("HTTP/1.1 101 X\nUpgrade: websocket\nConnection: Upgrade\n\n", "InvalidResponse"),
    (
      "HTTP/1.1 101 X\nUpgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Accept: x\n\n",
      "InvalidResponse"
    ),
    ("HTTP/1.1 101 X\nUpgrade: h2c\nConnection: Upgrade\n\n", "InvalidResponse"),
    ("SSH-2.0-OpenSSH\n", "InvalidResponse"), ("", "NetworkUnavailable"),
  ])
  func `What does not speak WebSocket is told from what is gone`(
    answer: String, code: String
  ) throws {
    let server = try LoopbackServer { _ in Reply(answer) }
    #expect(failure(server.url("/", scheme: "ws"))?.code.rawValue == code)
  }

  @Test func `A server that never answers is waited for no longer than was said`() throws {
    let server = try LoopbackServer { _ in Reply("", then: .hold) }
    var settings = WebSocketSettings()
    settings.timeoutSeconds = 0.2
    let failure = #expect(throws: Failure.self) {
      _ = try connect(server.url("/", scheme: "ws"), settings: settings)
    }
    #expect(failure?.code == .timeout)
  }

  @Test func `Nobody there, and no such name`() {
    #expect(failure("ws://127.0.0.1:1/")?.code == .networkUnavailable)
    let name = failure("ws://no-such-host.invalid/")
    #expect(name?.code == .networkUnavailable)
    #expect(name?.kind == "resolve")
  }

  @Test(arguments: [
    "http://h/", "ws:/h", "ws://", "ws://u:p@h/", "ws://h/#f", "ws://h:0/", "ws://h:70000/",
    "ws://h/a b", "", "ws://h/\u{1}",
  ])
  func `What is no URL of a WebSocket is bad input`(url: String) {
    #expect(failure(url)?.code == .badInput)
  }

  @Test(
    arguments: [
      ("ws://h", "h", "/", "ws://h/"), ("wss://h:443/a?b#", nil, nil, nil),
      ("WSS://h:8443/a?b=c%20d", "h:8443", "/a?b=c%20d", "wss://h:8443/a"),
      ("ws://[::1]:7878/x", "[::1]:7878", "/x", "ws://[::1]:7878/x"),
    ] as [(String, String?, String?, String?)])
  func `A URL is read`(url: String, authority: String?, target: String?, shown: String?) {
    let address = try? WebSocketAddress(url)
    #expect(address?.authority == authority)
    #expect(address?.target == target)
    #expect(address?.shown == shown)
  }

  @Test(arguments: [
    ("Host", "x"), ("sec-websocket-key", "x"), ("Content-Length", "0"), ("a b", "x"), ("", "x"),
    ("a", "x\r\nb: c"),
  ])
  func `A field that must not be sent is bad input`(name: String, value: String) throws {
    let failure = #expect(throws: Failure.self) {
      _ = try connect("ws://127.0.0.1:1/", headers: [(name, value)])
    }
    #expect(failure?.code == .badInput)
  }

  @Test func `A certificate must be trusted`() throws {
    let home = try Home()
    let (certificate, key) = (home.path + "/cert.pem", home.path + "/key.pem")
    let openssl = Process()
    openssl.executableURL = URL(filePath: "/usr/bin/env")
    openssl.arguments = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext",
      "subjectAltName=IP:127.0.0.1,DNS:localhost",
    ]
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    openssl.waitUntilExit()
    let tls = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
    let server = try EchoServer(tls: try NIOSSLContext(configuration: tls))
    var settings = WebSocketSettings()
    settings.trustedCertificates = certificate
    for host in ["127.0.0.1", "localhost"] {
      let session = try connect("wss://\(host):\(server.port)/", settings: settings)
      try session.send(text: "a")
      #expect(try session.receive() == text("a"))
      session.close()
    }
    var old = tls
    (old.minimumTLSVersion, old.maximumTLSVersion) = (.tlsv1, .tlsv11)
    let oldServer = try EchoServer(tls: try NIOSSLContext(configuration: old))
    let refused = #expect(throws: Failure.self) {
      _ = try connect("wss://127.0.0.1:\(oldServer.port)/", settings: settings)
    }
    #expect(refused?.code == .networkUnavailable)
    let distrusted = failure("wss://127.0.0.1:\(server.port)/")
    #expect(distrusted?.code == .networkUnavailable)
    #expect(distrusted?.kind == "tls")
    settings.trustedCertificates = home.path + "/none.pem"
    let failure = #expect(throws: Failure.self) {
      _ = try connect("wss://127.0.0.1:\(server.port)/", settings: settings)
    }
    #expect(failure?.code == .badConfiguration)
  }
}
