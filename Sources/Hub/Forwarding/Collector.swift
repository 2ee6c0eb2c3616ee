public import Core
import Foundation
import HTTP
import OTLP

/// Where a hub sends events on to: whatever takes OTLP over HTTP, such as another hub.
public struct Collector: Sendable {
  /// Gives the `Authorization` field of a request, or nil for none.
  ///
  /// Where one was not taken it is told that one, and gives another if there is any.
  public typealias Authorization =
    @Sendable (_ refused: String?) async throws(Failure) -> String?

  /// Its URL, before the paths of the protocol, without a slash at its end.
  let url: String
  private let authorization: Authorization

  /// A collector at a URL.
  ///
  /// - Parameters:
  ///   - url: Its URL, before `/v1/traces`.
  ///   - authorization: Lets the hub in there.
  /// - Throws: `BadUsage` for what is no http or https URL.
  public init(_ url: String, authorization: @escaping Authorization) throws(Failure) {
    guard AccessRule.isURL(url), !url.contains(where: { "?#".contains($0) }) else {
      throw Failure(
        .badUsage, "'\(Visible.line(url))' is no URL of a collector, such as http://host:4318",
        input: url)
    }
    self.url = String(url.reversed().drop { $0 == "/" }.reversed())
    self.authorization = authorization
  }

  /// Sends a request once; with another token, once more, where the first is not taken.
  ///
  /// - Returns: What the collector did not take of it, and why; nil where it took all.
  /// - Throws: What the answer tells, or why there is none.
  func send(
    _ body: OTLPWriter.Body, by client: HTTPClient
  ) async throws(Failure) -> (rejected: Int, message: String)? {
    let field = try await authorization(nil)
    do throws(Failure) {
      return try await send(body, field, by: client)
    } catch {
      guard error.status == 401, let field, let other = try await authorization(field),
        other != field
      else { throw error }
      return try await send(body, other, by: client)
    }
  }

  private func send(
    _ body: OTLPWriter.Body, _ authorization: String?, by client: HTTPClient
  ) async throws(Failure) -> (rejected: Int, message: String)? {
    var fields = [HTTPField("content-type", OTLPEncoding.json.contentType)]
    if let authorization { fields.append(HTTPField("authorization", authorization)) }
    let url = url + body.signal.path
    let response = try await client.collect(
      HTTPRequest(
        url: url, method: "POST", fields: fields, body: body.bytes,
        timeouts: HTTPTimeouts(connect: 5, idle: 30, total: 60), maximumBodyBytes: 1 << 20))
    guard (200...299).contains(response.head.status) else {
      throw Failure(
        httpStatus: response.head.status, head: response.head, url: url, message: nil)
    }
    return OTLPAnswer.partialSuccess(response.body, to: body.signal)
  }

  /// Whether the same request may be taken later (opentelemetry-proto, docs/specification.md): where
  /// there was no answer, and for four statuses.
  static func mayPass(_ failure: Failure) -> Bool {
    guard let status = failure.status else {
      return [.networkUnavailable, .timeout, .storageFailed, .busy].contains(failure.code)
    }
    return [429, 502, 503, 504].contains(status)
  }
}
