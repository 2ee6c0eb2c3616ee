import Core
import HTTPTypes
import HummingbirdCore
import OTLP

/// The routes of OTLP over HTTP, for programs with an OpenTelemetry SDK.
///
/// Requests may be protobuf or JSON.
struct OTLPRoutes: Sendable {
  let desk: HubDesk
  /// `true` to store contents and addresses that agents send: prompts, arguments, results, e-mail.
  let keepsContent: Bool

  /// The maximum decompressed size of a request in bytes (opentelemetry-proto,
  /// docs/specification.md).
  static let mostBytes = 20 << 20

  var all: [HubRoute] {
    OTLPSignal.allCases.map { signal in
      var route = HubRoute.post(signal.path, for: .senders) { (request) async throws(Failure) in
        try await receive(signal, request)
      }
      route.refused = { failure, request, ends in
        note(failure, of: nil, ends, program: request.headers[.userAgent])
      }
      return route
    }
  }

  private func receive(
    _ signal: OTLPSignal, _ request: HubRequest
  ) async throws(Failure) -> HubAnswer {
    let program = request.request.headers[.userAgent]
    let type = request.request.headers[.contentType] ?? ""
    guard let encoding = OTLPEncoding(contentType: type) else {
      let failure = Failure(
        .badInput, "OTLP is 'application/x-protobuf' or 'application/json'", status: 415,
        input: "Content-Type")
      note(failure, of: request.visitor, request.ends, program: program)
      throw failure
    }
    do throws(Failure) {
      let body = try await request.unpackedBody(upTo: Self.mostBytes)
      let answer = try await answer(
        OTLPRequest(signal, encoding, body: body), from: request.visitor, request.ends,
        program: program)
      return HubAnswer(answer.body, contentType: answer.contentType)
    } catch {
      note(error, of: request.visitor, request.ends, program: program)
      var failed = HubAnswer(error)
      let answer = OTLPAnswer(
        failed: failed.status.code, encoding, message: error.sentence)
      (failed.body, failed.contentType) = (answer.body, answer.contentType)
      return failed
    }
  }

  /// Reports that telemetry was refused, unless its sender may repeat it.
  func note(
    _ failure: Failure, of visitor: Visitor?, _ ends: Credential.Ends, program: String?
  ) {
    guard !failure.code.isRetryable else { return }
    desk.refusals.add(failure.sentence, of: visitor, ends, program: program)
  }

  /// Stores the events in the given request, and returns the response that reports the outcome.
  ///
  /// - Parameters:
  ///   - asked: The request, which may have arrived over HTTP or gRPC.
  ///   - visitor: The sender.
  ///   - ends: The ends of the connection.
  ///   - program: The sender's `User-Agent`.
  /// - Returns: The response, in the encoding of the request.
  /// - Throws: As `OTLPRequest.received`; `Overloaded` if too many events wait; `StorageFailed` if
  ///   the log cannot be written.
  func answer(
    _ asked: OTLPRequest, from visitor: Visitor?, _ ends: Credential.Ends, program: String?
  ) async throws(Failure) -> OTLPAnswer {
    var received = try asked.received(keepingContent: keepsContent)
    received.refuse { ReceivedEvents.reason(against: $0, from: visitor) }
    if received.rejected > 0 {
      desk.refusals.add(received.message, of: visitor, ends, program: program)
    }
    var events = ReceivedEvents(from: visitor)
    for item in received.items { try events.add(item.event, key: item.key) }
    _ = try await desk.receive(events, bytes: asked.body.count)
    return OTLPAnswer(asked.signal, asked.encoding, to: received)
  }
}
