public import Core
public import HTTP

/// A form (`application/x-www-form-urlencoded`), as servers of OAuth accept it.
public struct OAuthForm: Sendable {
  /// The names and values, not encoded.
  public var fields: [String: String]

  static let contentType = "application/x-www-form-urlencoded"

  /// Creates a form.
  public init(_ fields: [String: String]) { self.fields = fields }

  /// The encoded form, sorted by name.
  public var text: String {
    fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.percentEncoded)" }
      .joined(separator: "&")
  }

  /// Posts the form.
  ///
  /// - Returns: The JSON object that answers it, also if the status reports a failure.
  /// - Throws: The failure of the status, or `InvalidResponse`, if the answer is not a JSON object;
  ///   the errors of sending.
  public func post(to url: String, _ client: HTTPClient) async throws(Failure) -> JSONObject {
    let response = try await client.collect(
      HTTPRequest(
        url: url, method: "POST",
        fields: [
          HTTPField("accept", "application/json"),
          HTTPField("content-type", Self.contentType),
        ], body: Array(text.utf8), timeouts: HTTPTimeouts(total: 60), maximumBodyBytes: 1 << 16))
    guard let object = JSONObject(response.body) else {
      guard (200...299).contains(response.head.status) else {
        throw Failure(
          httpStatus: response.head.status, head: response.head, url: url, message: nil)
      }
      throw Failure(
        .invalidResponse, "'\(Failure.shownURL(url))' did not answer with a JSON object",
        kind: .malformed)
    }
    return object
  }
}
