public import Core
import Foundation
import HTTP

/// Asks providers which models they have: GitHub by its catalog, others by `/models`.
public struct ModelCatalog: Sendable {
  /// The providers that can be asked.
  public static let providers = ["github", "openai", "azure", "local"]
  /// Thousands of models fit.
  private static let mostBytes = 16 << 20

  private let directory: ModelDirectory

  /// Asks for the providers of a directory.
  public init(_ directory: ModelDirectory) { self.directory = directory }

  /// Asks a provider for its models.
  ///
  /// - Parameter provider: One of ``providers``.
  /// - Returns: The models by their names, which are those that an option takes.
  /// - Throws: `BadUsage` for another one, what a lack of a key throws, and what the server answers.
  public func models(of provider: String) async throws(Failure) -> [ModelRecord] {
    guard Self.providers.contains(provider) else {
      let known = Self.providers.joined(separator: ", ")
      throw Failure(.badUsage, "'\(provider)' lists no models: \(known) do", input: provider)
    }
    let name = try ModelName("\(provider)/\(provider)", models: [:])
    let endpoint = try directory.endpoints.openAI(name)
    let url =
      provider == "github" ? Self.gitHubCatalog(endpoint.base) : joined(endpoint.base, "/models")
    var request = endpoint.question(url)
    request.maximumBodyBytes = Self.mostBytes
    let response = try await endpoint.collect(request)
    guard (200...299).contains(response.head.status) else {
      throw endpoint.failure(ProviderError(JSONObject(response.body)), response.head, url: url)
    }
    guard let rows = Self.rows(response.body) else {
      throw Failure(
        .invalidResponse, "'\(Failure.shownURL(url))' answered with no list of models",
        kind: .malformed)
    }
    return rows.compactMap { Self.record($0, provider, endpoint.base) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The catalog lies beside the inference, at docs.github.com/rest/models/catalog's path.
  private static func gitHubCatalog(_ base: String) -> String {
    var base = base
    while base.hasSuffix("/") { base.removeLast() }
    if base.hasSuffix("/inference") { base.removeLast("/inference".count) }
    return base + "/catalog/models"
  }

  /// A bare list, or one under `data`.
  private static func rows(_ body: [UInt8]) -> [JSONObject]? {
    let text = String(decoding: body, as: UTF8.self)
    let object = JSONObject(body) ?? JSONObject("{\"data\":\(text)}")
    guard let object, object.has("data") else { return nil }
    return object.objects("data")
  }

  private static func record(
    _ row: JSONObject, _ provider: String, _ base: String
  ) -> ModelRecord? {
    guard let id = row.string("id"), !id.isEmpty, id.utf8.count <= 200, Visible.line(id) == id
    else { return nil }
    let draws = id.contains("dall-e") || id.contains("gpt-image")
    var record = ModelRecord(
      name: "\(provider)/\(id)", provider: provider, kind: draws ? "image" : "chat")
    record.contextTokens =
      row.object("limits")?.count("max_input_tokens") ?? row.count("context_length")
      ?? row.count("max_model_len")
    record.endpoint = Failure.shownURL(base)
    return record
  }
}
