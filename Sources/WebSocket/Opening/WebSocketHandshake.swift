import Core
import Foundation
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The opening handshake (RFC 6455 section 4).
enum WebSocketHandshake {
  /// The only supported version of the protocol.
  static let version = "13"

  /// Returns `true` if the given request asks for a WebSocket, even if it is not correct.
  static func isRequested(by head: HTTPRequestHead) -> Bool {
    has("upgrade", "websocket", in: head.headers)
  }

  /// Returns the response that refuses the given request because of section 4.2.1; nil if the
  /// request is correct.
  static func refusal(of head: HTTPRequestHead) -> WebSocketRefusal? {
    guard head.method == .GET, head.version == .http1_1 else {
      return bad("a WebSocket must be opened with GET over HTTP/1.1")
    }
    guard head.headers["host"].count == 1 else {
      return bad("the handshake needs one 'Host'")
    }
    guard has("connection", "upgrade", in: head.headers) else {
      return bad("the handshake needs 'Connection: Upgrade'")
    }
    guard !head.headers.contains(name: "transfer-encoding"),
      head.headers["content-length"].allSatisfy({ $0 == "0" })
    else { return bad("the handshake has a body") }
    let versions = head.headers["sec-websocket-version"]
    guard let asked = versions.first, versions.count == 1 else {
      return bad("the handshake needs one 'Sec-WebSocket-Version'")
    }
    guard asked == version else {
      return WebSocketRefusal(
        status: .upgradeRequired,
        failure: Failure(.protocolMismatch, "the version of WebSocket must be \(version)"),
        headers: ["sec-websocket-version": version])
    }
    let keys = head.headers["sec-websocket-key"]
    guard let key = keys.first, keys.count == 1, Data(base64Encoded: key)?.count == 16 else {
      return bad("the handshake needs one 'Sec-WebSocket-Key' of 16 bytes")
    }
    return nil
  }

  /// Returns the header fields of the response that accepts the given request.
  static func acceptance(
    of head: HTTPRequestHead, headers: HTTPHeaders, channel: any Channel
  ) -> EventLoopFuture<HTTPHeaders> {
    // NIO's upgrader computes the digest of the key. Nothing else of it is used.
    NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(headers) },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() }
    ).buildUpgradeResponse(
      channel: channel, upgradeRequest: head,
      initialResponseHeaders: ["connection": "Upgrade", "upgrade": "websocket"])
  }

  /// Returns a sentence about the fault in the given response of status 101; nil if it accepts the
  /// key.
  static func fault(of head: HTTPResponseHead, key: String) -> String? {
    guard has("upgrade", "websocket", in: head.headers),
      has("connection", "upgrade", in: head.headers)
    else { return "it switches to another protocol" }
    let upgrader = NIOWebSocketClientUpgrader(
      requestKey: key,
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    guard upgrader.shouldAllowUpgrade(upgradeResponse: head) else {
      return "it does not accept the key"
    }
    guard !head.headers.contains(name: "sec-websocket-extensions") else {
      return "it names an extension that was not requested"
    }
    return nil
  }

  /// Returns a new random key for a request.
  static func makeKey() -> String { NIOWebSocketClientUpgrader.randomRequestKey() }

  /// Returns `true` if the list in the given field contains `word`, ignoring case.
  private static func has(_ field: String, _ word: String, in headers: HTTPHeaders) -> Bool {
    headers[canonicalForm: field].contains { $0.lowercased() == word }
  }

  private static func bad(_ explanation: String) -> WebSocketRefusal {
    WebSocketRefusal(status: .badRequest, failure: Failure(.badInput, explanation))
  }
}
