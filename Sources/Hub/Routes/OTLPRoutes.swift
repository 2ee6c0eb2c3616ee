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
      .post(signal.path, for: .senders) { (request) async throws(Failure) in
        try await receive(signal, request)
      }
    }
  }

  private func receive(
    _ signal: OTLPSignal, _ request: HubRequest
  ) async throws(Failure) -> HubAnswer {
    let type = request.request.headers[.contentType] ?? ""
    guard let encoding = OTLPEncoding(contentType: type) else {
      throw Failure(
        .badInput, "OTLP is 'application/x-protobuf' or 'application/json'", status: 415,
        input: "Content-Type")
    }
    do throws(Failure) {
      let body = try await request.unpackedBody(upTo: Self.mostBytes)
      let answer = try await answer(
        OTLPRequest(signal, encoding, body: body), from: request.visitor)
      return HubAnswer(answer.body, contentType: answer.contentType)
    } catch {
      var failed = HubAnswer(error)
      let answer = OTLPAnswer(
        failed: failed.status.code, encoding, message: error.explanation)
      (failed.body, failed.contentType) = (answer.body, answer.contentType)
      return failed
    }
  }
  /// Stores the events in the given request, and returns the response that reports the outcome.
  ///
  /// - Parameters:
  ///   - asked: The request, which may have arrived over HTTP or gRPC.
  ///   - visitor: The sender.
  /// - Returns: The response, in the encoding of the request.
  /// - Throws: As `OTLPRequest.received`; `Overloaded` if too many events wait; `StorageFailed` if
  ///   the log cannot be written.
  func answer(
    _ asked: OTLPRequest, from visitor: Visitor?
  ) async throws(Failure) -> OTLPAnswer {
    var received = try asked.received(keepingContent: keepsContent)
    received.refuse { ReceivedEvents.reason(against: $0, from: visitor) }
    var events = ReceivedEvents(from: visitor)
    for item in received.items { try events.add(item.event, key: item.key) }
    _ = try await desk.receive(events, bytes: asked.body.count)
    return OTLPAnswer(asked.signal, asked.encoding, to: received)
  }
}
