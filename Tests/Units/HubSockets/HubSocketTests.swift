import Core
import Cryptography
import Events
import Foundation
import HubSockets
import TestSupport
import Testing

@testable import HubClient

/// A hub's stream over a WebSocket, from hubs that send anything.
struct HubSocketTests {
  /// What a connection brought until it ended.
  private struct Outcome: Sendable {
    var start: String?
    var text = ""
    var failure: Failure?
  }

  /// A frame of a server: final and not masked.
  private static func frame(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let count = payload.count
    let length: [UInt8] =
      count < 126 ? [UInt8(count)] : [126, UInt8(count >> 8), UInt8(count & 0xFF)]
    return [0x80 | opcode] + length + payload
  }

  private static func text(_ text: String) -> [UInt8] { frame(1, Array(text.utf8)) }

  /// The answer to a handshake (RFC 6455, section 4.2.2), and what follows it at once.
  private static func opening(
    _ request: String, _ frames: [UInt8], then ending: Reply.Ending = .hold
  ) -> Reply {
    let field = "sec-websocket-key:"
    let key = request.split(whereSeparator: \.isNewline).first {
      $0.lowercased().hasPrefix(field)
    }?.dropFirst(field.count).trimmingCharacters(in: .whitespaces)
    let salted = (key ?? "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    let digest = try? LibCrypto.digest(.sha1, of: Array(salted.utf8))
    let accept = Data(digest ?? []).base64EncodedString()
    return Reply(
      "HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\nConnection: Upgrade\n"
        + "Sec-WebSocket-Accept: \(accept)\n\n", body: frames, then: ending)
  }

  /// Reads from a hub until the connection ends.
  private func outcome(of server: LoopbackServer) async throws -> Outcome {
    let call = HubCall(
      hub: try HubChoice(url: server.url("")), authorization: "Bearer a",
      subscription: HubSubscription(EventFilter()), interruption: Interruption())
    return try await Blocking("test").run { () throws(Failure) in
      var outcome = Outcome()
      do throws(Failure) {
        let socket = try HubSocket(call)
        defer { socket.close() }
        let end = ContinuousClock.now + .seconds(300)
        do throws(Failure) {
          while ContinuousClock.now < end {
            outcome.text += String(decoding: try socket.lines(within: 1000), as: UTF8.self)
            outcome.start = socket.start
          }
        } catch {
          outcome.failure = error
        }
      } catch {
        outcome.failure = error
      }
      return outcome
    }
  }

  @Test(arguments: ["[1]", "no record", #"{"id":"e-1"}"#, #"{"type":7}"#, "{"])
  func `a message that is no record is an invalid response`(text: String) async throws {
    let server = try LoopbackServer { Self.opening($0, Self.text(text)) }
    let outcome = try await outcome(of: server)
    #expect(outcome.failure?.code == .invalidResponse && outcome.text.isEmpty)
  }

  @Test(arguments: [
    ("401 Unauthorized", FailureCode.authExpired), ("426 Upgrade Required", .protocolMismatch),
    ("429 Too Many Requests", .rateLimited), ("200 OK", .invalidResponse),
  ])
  func `a refused handshake has its failure`(status: String, code: FailureCode) async throws {
    let server = try LoopbackServer { _ in
      Reply("HTTP/1.1 \(status)\nContent-Length: 2\nConnection: close\n\n{}")
    }
    #expect(try await outcome(of: server).failure?.code == code)
  }

  @Test func `random bytes in frames, and for frames, end in a failure`() async throws {
    var random = SeededRandom(seed: 12)
    for round in 0..<30 {
      let bytes = (0..<Int.random(in: 1...200, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let frames = round.isMultiple(of: 2) ? Self.frame(1, bytes) : bytes
      let server = try LoopbackServer { Self.opening($0, frames, then: .close) }
      let outcome = try await outcome(of: server)
      #expect(outcome.failure != nil && outcome.text.isEmpty, "round \(round)")
    }
  }
}
