import Core
import NIOCore
import NIOHPACK
import NIOHTTP2
import OTLP
import Tailing

/// The calls of OTLP over gRPC: `Export` of the services for logs, metrics and traces.
struct TelemetryCalls: Sendable {
  let door: Door
  let routes: OTLPRoutes

  /// The time in seconds within which a call's message must arrive.
  static let patience = HubRequest.patience.large

  /// Returns the signal of the method with the given path; nil if there is no such method.
  ///
  /// The paths are those of opentelemetry-proto's services.
  static func signal(_ path: String) -> OTLPSignal? {
    switch path {
    case "/opentelemetry.proto.collector.logs.v1.LogsService/Export": .logs
    case "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export": .metrics
    case "/opentelemetry.proto.collector.trace.v1.TraceService/Export": .traces
    default: nil
    }
  }

  /// Answers the call whose parts arrive on a stream of HTTP/2.
  ///
  /// - Parameters:
  ///   - inbound: The parts of the call.
  ///   - ends: The ends of the connection.
  /// - Returns: The parts of the response.
  /// - Throws: The error of the stream if it is reset.
  func answer<Parts: AsyncSequence>(
    _ inbound: Parts, _ ends: Credential.Ends
  ) async throws -> [HTTP2Frame.FramePayload] where Parts.Element == HTTP2Frame.FramePayload {
    var parts = inbound.makeAsyncIterator()
    var first: HTTP2Frame.FramePayload.Headers?
    while first == nil, let part = try await parts.next() {
      if case .headers(let headers) = part { first = headers }
    }
    guard let first else { return [] }
    let head = CallHead(first.headers)
    guard head.isCall else { return [Self.headers([(":status", "415")]), Self.reset] }
    let program = head.values("user-agent").first
    var hasEnded = first.endStream
    var visitor: Visitor?
    do {
      let signal: OTLPSignal
      (signal, visitor) = try await admitted(head, ends)
      let message = try await message(&parts, hasEnded: &hasEnded)
      let body = try unpacked(message, head)
      let answer = try await routes.answer(
        OTLPRequest(signal, .protobuf, body: body), from: visitor, ends, program: program)
      return Self.parts(answer.body)
    } catch let failure as Failure {
      routes.note(failure, of: visitor, ends, program: program)
      let refusal = [Self.end(CallStatus(failure), [(":status", "200")] + Self.fields)]
      // The client may still be sending.
      return hasEnded ? refusal : refusal + [Self.reset]
    }
  }

  /// Checks the head of a call before its message is read.
  private func admitted(
    _ head: CallHead, _ ends: Credential.Ends
  ) async throws(Failure) -> (OTLPSignal, Visitor?) {
    let visitor = try await door.visitor(
      Door.Head(
        hosts: head.authorities, origins: head.values("origin"),
        fetchSites: head.values("sec-fetch-site"),
        authorization: head.values("authorization").first, ends: ends), for: .senders)
    guard let signal = Self.signal(head.path) else {
      throw Failure(
        .notFound, "there is no method '\(Visible.line(String(head.path.prefix(200))))'",
        status: 501, input: "path")
    }
    guard ["identity", "gzip"].contains(head.encoding) else {
      throw Failure(
        .badInput, "the message must be plain or gzip", status: 501, input: "grpc-encoding")
    }
    return (signal, visitor)
  }

  /// Reads the message of a call.
  ///
  /// The parts are read as fast as they can be stored, which flow control tells the client.
  private func message<Iterator: AsyncIteratorProtocol>(
    _ parts: inout Iterator, hasEnded: inout Bool
  ) async throws -> CallMessage where Iterator.Element == HTTP2Frame.FramePayload {
    var reader = CallMessageReader(upTo: OTLPRoutes.mostBytes)
    defer { HubRequest.room.release(reader.count) }
    while !hasEnded, let part = try await parts.next() {
      switch part {
      case .data(let data):
        hasEnded = data.endStream
        guard case .byteBuffer(let buffer) = data.data else { continue }
        try HubRequest.room.reserve(buffer.readableBytes)
        let before = reader.count
        // Bytes count as reserved only if the reader has them.
        defer { HubRequest.room.release(buffer.readableBytes - (reader.count - before)) }
        try reader.append(buffer.readableBytesView)
      case .headers(let trailers): hasEnded = trailers.endStream
      default: break
      }
    }
    return try reader.message()
  }

  private func unpacked(
    _ message: CallMessage, _ head: CallHead
  ) throws(Failure) -> [UInt8] {
    guard message.isCompressed else { return message.bytes }
    guard head.encoding == "gzip" else {
      throw Failure(
        .badInput, "the message is compressed, but no encoding is named", input: "grpc-encoding")
    }
    do throws(Failure) {
      return try GzipBytes.unpacked(message.bytes, upTo: OTLPRoutes.mostBytes, name: "the message")
    } catch {
      guard error.kind == .tooLarge else { throw error }
      var failure = error
      failure.status = 413
      throw failure
    }
  }
}

extension TelemetryCalls {
  /// The fields of all responses.
  private static let fields = [
    ("content-type", "application/grpc"), ("grpc-accept-encoding", "identity,gzip"),
  ]

  /// The part that ends the client's half of a stream without an error (RFC 9113, section 8.1).
  private static let reset = HTTP2Frame.FramePayload.rstStream(.noError)

  /// Returns the parts of a response with the given message.
  private static func parts(_ bytes: [UInt8]) -> [HTTP2Frame.FramePayload] {
    let framed = CallMessage(isCompressed: false, bytes: bytes).framed ?? []
    return [
      headers([(":status", "200")] + fields, endStream: false),
      .data(.init(data: .byteBuffer(ByteBuffer(bytes: framed)))), end(.ok, []),
    ]
  }

  private static func end(
    _ status: CallStatus, _ fields: [(String, String)]
  ) -> HTTP2Frame.FramePayload {
    headers(fields + status.trailers.map { ($0.name, $0.value) })
  }

  private static func headers(
    _ fields: [(String, String)], endStream: Bool = true
  ) -> HTTP2Frame.FramePayload {
    .headers(.init(headers: HPACKHeaders(fields), endStream: endStream))
  }
}

/// The metadata at the start of a gRPC call.
struct CallHead: Sendable {
  private let fields: HPACKHeaders

  init(_ fields: HPACKHeaders) {
    self.fields = fields
  }

  /// `true` if the request is a gRPC call with messages in protobuf.
  var isCall: Bool {
    let type = values("content-type").first?.lowercased().prefix { $0 != ";" }
    return values(":method") == ["POST"]
      && ["application/grpc", "application/grpc+proto"].contains(type)
  }

  /// The path, which names the service and the method.
  var path: String { values(":path").first ?? "" }

  /// The encoding of compressed messages.
  var encoding: String { values("grpc-encoding").first?.lowercased() ?? "identity" }

  /// The hosts that the call names.
  var authorities: [String] {
    let authorities = values(":authority")
    return authorities.isEmpty ? values("host") : authorities
  }

  /// Returns the values of the given field.
  func values(_ name: String) -> [String] { fields[name] }
}
