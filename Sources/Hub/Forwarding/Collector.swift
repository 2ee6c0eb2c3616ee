public import Core
import Foundation
import HTTP
import OTLP

/// The destination to which a hub forwards events.
///
/// It is any receiver of OTLP over HTTP, such as another hub.
public struct Collector: Sendable {
  /// A function that returns the `Authorization` field for a request; nil for none.
  ///
  /// After a refusal, `refused` is the refused field. The function then returns another field if it
  /// can.
  public typealias Authorization =
    @Sendable (_ refused: String?) async throws(Failure) -> String?

  /// The URL, without a trailing slash, to which the protocol's paths are appended.
  let url: String
  private let authorization: Authorization

  /// Creates the collector at the given URL.
  ///
  /// - Parameters:
  ///   - url: The URL, without `/v1/traces`.
  ///   - authorization: Returns the hub's credentials for the collector.
  /// - Throws: `BadUsage` if the URL is not http or https.
  public init(_ url: String, authorization: @escaping Authorization) throws(Failure) {
    guard WebOrigin.isURL(url), !url.contains(where: { "?#".contains($0) }) else {
      throw Failure(
        .badUsage, "'\(Failure.shownURL(url))' is not a collector URL such as http://host:4318",
        input: Failure.shownURL(url))
    }
    self.url = String(url.reversed().drop { $0 == "/" }.reversed())
    self.authorization = authorization
  }

  /// The outcome of a request.
  enum Outcome: Sendable {
    /// The collector accepted the request.
    ///
    /// It may have rejected some records.
    case accepted(rejected: Int, message: String)
    /// The collector refused the request.
    ///
    /// The request must not be repeated.
    case refused(Failure)
    /// The request failed, but may succeed if it is repeated later (opentelemetry-proto,
    /// docs/specification.md).
    case later(Failure)
  }

  /// Sends the given request.
  ///
  /// If the token is refused, the request is sent once more with another token.
  func send(_ body: OTLPWriter.Body, by client: HTTPClient) async -> Outcome {
    do throws(Failure) {
      let field = try await authorization(nil)
      let outcome = await send(body, field, by: client)
      guard case .refused(let failure) = outcome, failure.status == 401, let field,
        let other = try await authorization(field), other != field
      else { return outcome }
      return await send(body, other, by: client)
    } catch {
      return .later(error)
    }
  }

  private func send(
    _ body: OTLPWriter.Body, _ authorization: String?, by client: HTTPClient
  ) async -> Outcome {
    var fields = [HTTPField("content-type", OTLPEncoding.json.contentType)]
    if let authorization { fields.append(HTTPField("authorization", authorization)) }
    let url = url + body.signal.path
    do throws(Failure) {
      let response = try await client.collect(
        HTTPRequest(
          url: url, method: "POST", fields: fields, body: body.bytes,
          timeouts: HTTPTimeouts(connect: 5, idle: 30, total: 60), maximumBodyBytes: 1 << 20))
      let status = response.head.status
      guard (200...299).contains(status) else {
        let failure = Failure(httpStatus: status, head: response.head, url: url, message: nil)
        return [429, 502, 503, 504].contains(status) ? .later(failure) : .refused(failure)
      }
      let told = OTLPAnswer.partialSuccess(response.body, to: body.signal)
      return .accepted(
        rejected: min(max(0, told?.rejected ?? 0), body.count), message: told?.message ?? "")
    } catch {
      let mayPass =
        [.networkUnavailable, .timeout, .interrupted].contains(error.code)
        || error.kind == .shortBody
      return mayPass ? .later(error) : .refused(error)
    }
  }
}
