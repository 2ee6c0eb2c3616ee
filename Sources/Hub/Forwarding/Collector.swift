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
        .badUsage, "'\(Failure.shownURL(url))' is not a collector URL such as http://host:4318",
        input: Failure.shownURL(url))
    }
    self.url = String(url.reversed().drop { $0 == "/" }.reversed())
    self.authorization = authorization
  }

  /// What came of a request.
  enum Outcome: Sendable {
    /// It was answered with success, perhaps but for some records.
    case taken(rejected: Int, message: String)
    /// It is not to be sent again.
    case refused(Failure)
    /// The same may be taken later (opentelemetry-proto, docs/specification.md): there was no answer, or
    /// one of four statuses, or nothing to be let in with.
    case later(Failure)
  }

  /// Sends a request once; with another token, once more, where the first is not taken.
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
      guard (200...299).contains(response.head.status) else {
        throw Failure(
          httpStatus: response.head.status, head: response.head, url: url, message: nil)
      }
      let told = OTLPAnswer.partialSuccess(response.body, to: body.signal)
      return .taken(
        rejected: min(max(0, told?.rejected ?? 0), body.count), message: told?.message ?? "")
    } catch {
      // An answer that was cut has a status, and says nothing of the events.
      let mayPass =
        error.kind == .shortBody
        || error.status.map { [429, 502, 503, 504].contains($0) }
          ?? [.networkUnavailable, .timeout, .interrupted].contains(error.code)
      return mayPass ? .later(error) : .refused(error)
    }
  }
}
