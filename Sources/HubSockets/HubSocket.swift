public import Core
import Foundation
public import HubClient
import HubWords
import WebSocket

/// A hub's live stream over a WebSocket (version 1 of the protocol).
public final class HubSocket: HubLine {
  /// The id of the last event before the stream begins; nil until the hub has sent it.
  public private(set) var start: String?
  private let call: HubCall
  private let session: WebSocketSession

  /// Connects to the hub and requests the stream.
  ///
  /// - Throws: The failure that the response reports; the errors of connecting; `Interrupted` if
  ///   the process is to end.
  public init(_ call: HubCall) throws(Failure) {
    self.call = call
    let url = "ws" + call.hub.url.dropFirst("http".count) + "/v1/stream?protocol=1"
    var settings = WebSocketSettings()
    settings.connectSeconds = call.connect
    session = try WebSocketClient.connect(
      to: url, headers: [("Authorization", call.authorization)], settings: settings,
      interruption: call.interruption)
    try session.send(
      text: try call.subscription.message(requestId: Identifier.make(), after: call.last))
  }

  /// Waits for the next lines of the stream; see `HubLine`.
  public func lines(within milliseconds: Int32) throws(Failure) -> [UInt8] {
    switch try session.receive(within: milliseconds) {
    case .text(let text): return try events(in: text)
    case .closed(let closure): throw failure(closure)
    case .binary, .pong: return []
    case nil:
      guard ContinuousClock.now - session.lastHeard < .seconds(HubCall.silence) else {
        throw Failure(
          .networkUnavailable, "'\(call.hub.url)' stopped sending", kind: .timeout,
          url: call.hub.url)
      }
      return []
    }
  }

  /// Closes the connection; see `HubLine`.
  public func close() { session.close(within: 0) }

  /// Returns the events in the given message.
  ///
  /// A message about the connection itself is handled here.
  private func events(in text: [UInt8]) throws(Failure) -> [UInt8] {
    var lines: [UInt8] = []
    for line in text.split(separator: 0x0A) {
      guard let record = RawRecord(object: String(decoding: line, as: UTF8.self)),
        let type = record.string("type")
      else {
        throw Failure(
          .invalidResponse, "'\(call.hub.url)' sent an invalid record", url: call.hub.url)
      }
      switch type {
      case "ping":
        let ping = try? LiveReply(json: Array(line))
        try session.send(text: try LiveMessage(type: "pong", id: ping?.id).json())
      case "subscribed": start = (try? LiveReply(json: Array(line)))?.lastEventId
      case "pong", "unsubscribed", "throttled": break
      default: lines += line + [0x0A]
      }
    }
    return lines
  }

  private func failure(_ closure: WebSocketClosure) -> Failure {
    let (reason, name) = (Visible.line(String(closure.reason.prefix(200))), call.hub.url)
    switch closure.code {
    case 4406:
      return Failure(
        .protocolMismatch, "'\(name)' does not speak protocol 1", url: name, cause: reason)
    case 4400:
      return Failure(.badInput, "'\(name)' refused the message", url: name, cause: reason)
    default: return call.lost(reason.isEmpty ? nil : reason)
    }
  }
}
