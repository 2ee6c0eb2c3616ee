public import Core
import Foundation
import HTTP

/// A client for models that generate images.
///
/// It uses OpenAI's `/images/generations`, which Azure and other servers also offer.
public struct ImageMaker: Sendable {
  /// The maximum bytes of one image.
  static let mostBytes = 64 << 20
  /// The name of the model in records.
  public let name: String
  /// The quality values that the model refuses.
  let refusedQualities: [String]
  let model: String
  let endpoint: OpenAIEndpoint
  let retry: RetryPolicy
  /// The client that fetches an image if the answer contains its URL instead of its bytes.
  let client: HTTPClient
  let timeouts: HTTPTimeouts
  let report: NoticeHandler

  /// Generates the requested images.
  ///
  /// A request is retried only if it failed as a whole, because an answered request must be paid
  /// for.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - receive: Receives each image, or the reason why it is missing, in order. An error that it
  ///     throws ends the request.
  /// - Throws: `BadUsage` if the model refuses the quality; the error of `receive`; `Interrupted`
  ///   if the task is cancelled.
  public func make(
    _ request: ImageRequest,
    receive: (Result<GeneratedImage, Failure>) throws(Failure) -> Void
  ) async throws(Failure) {
    if let quality = request.quality, refusedQualities.contains(quality) {
      throw Failure(
        .badUsage, "'\(name)' has no quality '\(Visible.line(quality))'", input: name,
        nextStep: "use another one")
    }
    let answers: [Answer]
    do throws(Failure) {
      answers = try await send(request, request.count)
    } catch {
      guard error.code != .interrupted else { throw error }
      return try receive(.failure(error))
    }
    for answer in answers { try receive(await image(answer)) }
    for _ in answers.count..<max(request.count, answers.count) {
      try receive(.failure(invalid("answered with fewer pictures than requested")))
    }
  }

  /// An image as it occurs in an answer.
  private struct Answer {
    var base64: String?
    var url: String?
  }

  /// Sends the request with retries.
  private func send(_ request: ImageRequest, _ count: Int) async throws(Failure) -> [Answer] {
    var sent = endpoint.request(
      "/images/generations", model: model, request.body(count, model: model),
      accept: "application/json")
    // Base64 makes an image a third longer.
    sent.maximumBodyBytes = (Self.mostBytes / 2 * 3) * min(count, 4)
    var tries = 0
    while true {
      tries += 1
      let failure: Failure
      do throws(Failure) {
        let response = try await endpoint.collect(sent)
        return try answers(response, sent.url)
      } catch {
        failure = error
      }
      var generator = SystemRandomNumberGenerator()
      guard
        let wait = retry.delay(
          after: failure, tries: tries, jitter: .random(in: 0..<1, using: &generator))
      else { throw failure }
      report(.detail(.provider, "retrying '\(name)' in \(Int(wait.rounded(.up))) s"))
      do {
        try await Task.sleep(for: .seconds(wait))
      } catch {
        throw Failure(.interrupted, "the request was cancelled")
      }
    }
  }

  private func answers(_ response: HTTPResponse, _ url: String) throws(Failure) -> [Answer] {
    let body = JSONObject(response.body)
    guard (200...299).contains(response.head.status) else {
      throw refusal(ProviderError(body: response.body), response.head, url)
    }
    let answers = body?.objects("data").map {
      Answer(base64: $0.string("b64_json"), url: $0.string("url"))
    }
    guard let answers, !answers.isEmpty else { throw invalid("answered without a picture") }
    return answers
  }

  private func refusal(_ error: ProviderError, _ head: HTTPHead, _ url: String) -> Failure {
    var failure = endpoint.failure(error, head, url: url)
    if failure.code == .modelRefused {
      let reason = failure.cause.map { ": \($0)" } ?? ""
      failure.explanation = "'\(name)' refused to draw the description\(reason)"
    }
    failure.input = failure.input ?? name
    return failure
  }

  private func image(_ answer: Answer) async -> Result<GeneratedImage, Failure> {
    do throws(Failure) {
      let bytes: [UInt8]
      if let base64 = answer.base64 {
        guard let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) else {
          throw invalid("answered with a picture that is not base64")
        }
        bytes = Array(data)
      } else if let url = answer.url {
        bytes = try await fetched(url)
      } else {
        throw invalid("answered without a picture and without a URL")
      }
      guard let type = ImageType(bytes) else {
        throw invalid("answered with a picture of an unknown type")
      }
      return .success(GeneratedImage(bytes: bytes, type: type))
    } catch {
      return .failure(error)
    }
  }

  /// Fetches an image from a URL in the answer, without sending the key.
  private func fetched(_ url: String) async throws(Failure) -> [UInt8] {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard scheme == "https" || scheme == "http" else {
      throw invalid("answered with a URL that is not http or https")
    }
    var request = HTTPRequest(url: url, timeouts: timeouts, maximumBodyBytes: Self.mostBytes)
    // The user chose the model's server, but any other host was named only by that server.
    if Self.origin(url) != Self.origin(endpoint.base) { try await watch(&request) }
    let response: HTTPResponse
    do {
      response = try await client.collect(request)
    } catch {
      throw judged(error)
    }
    guard (200...299).contains(response.head.status) else {
      throw Failure(
        httpStatus: response.head.status, head: response.head, url: url, message: nil)
    }
    return response.body
  }

  /// Restricts the given request to public addresses, even if a proxy forwards it.
  private func watch(_ request: inout HTTPRequest) async throws(Failure) {
    do throws(Failure) {
      try await AddressPolicy().restrict(&request)
    } catch {
      throw judged(error)
    }
  }

  /// Turns a refusal to fetch into a failure of the answer that contained the URL.
  private func judged(_ failure: Failure) -> Failure {
    guard failure.code == .pageRefused else { return failure }
    var failure = failure
    failure.code = .invalidResponse
    failure.input = failure.input ?? name
    return failure
  }

  private static func origin(_ url: String) -> String? {
    guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
      let host = parts.host?.lowercased()
    else { return nil }
    return "\(scheme)://\(host):\(parts.port ?? usualPort(parts))"
  }

  private static func usualPort(_ parts: URLComponents) -> Int {
    parts.scheme?.lowercased() == "https" ? 443 : 80
  }

  private func invalid(_ what: String) -> Failure {
    Failure(.invalidResponse, "'\(name)' \(what)", kind: .image, input: name)
  }
}
