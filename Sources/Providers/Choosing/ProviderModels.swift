import Catalogue
public import Core
import Foundation
import HTTP

/// Asks providers which models they have: their names, limits, life cycles and capabilities.
///
/// No provider tells prices. Pages are followed by their cursors.
public struct ProviderModels: Sendable {
  /// The providers that can be asked.
  public static let providers = ["anthropic", "openai", "azure", "local", "github"]
  /// Thousands of models fit.
  private static let mostBytes = 16 << 20
  private static let mostPages = 100
  private static let mostModels = 10_000

  private let directory: ModelDirectory

  /// Asks for the providers of a directory.
  public init(_ directory: ModelDirectory) { self.directory = directory }

  /// The providers that are asked where none is named: a service that ended is not.
  public var current: [String] {
    Self.providers.filter { directory.catalogue.endedService($0) == nil }
  }

  /// Asks a provider for its models.
  ///
  /// - Parameter provider: One of ``providers``.
  /// - Returns: The models by their names, which are those that an option takes.
  /// - Throws: `BadUsage` for another one, what a lack of a key throws, and what the server answers.
  public func models(of provider: String) async throws(Failure) -> [ModelRecord] {
    guard Self.providers.contains(provider) else {
      let known = Self.providers.joined(separator: ", ")
      throw Failure(
        .badUsage, "'\(provider)' has no list of models: use one of \(known)", input: provider)
    }
    let name = try directory.name("\(provider)/\(provider)")
    try directory.refuseRetired(name, directory.facts(name))
    let records =
      name.provider == .anthropic
      ? try await anthropic(name) : try await openAI(name)
    guard records.count <= Self.mostModels else {
      throw Failure(
        .invalidResponse, "'\(provider)' lists more than \(Self.mostModels) models",
        kind: .malformed)
    }
    return records.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  // MARK: Anthropic

  /// `GET /v1/models`, page by page.
  private func anthropic(_ name: ModelName) async throws(Failure) -> [ModelRecord] {
    let (base, key) = try directory.endpoints.anthropic(name)
    let provider = AnthropicProvider(
      base: base, key: key, timeouts: directory.timeouts, client: directory.client)
    var records: [ModelRecord] = []
    var cursor: String?
    for _ in 0..<Self.mostPages {
      var url = joined(base, "/v1/models?limit=1000")
      if let cursor { url += "&after_id=\(cursor.percentEncoded)" }
      var request = HTTPRequest(url: url, fields: provider.fields, timeouts: directory.timeouts)
      request.maximumBodyBytes = Self.mostBytes
      let response = try await directory.client.collect(request)
      let body = JSONObject(response.body)
      guard (200...299).contains(response.head.status) else {
        throw ProviderError(body: response.body).failure(
          status: response.head.status, head: response.head, url: url)
      }
      guard let body, body.has("data") else { throw Self.noList(url) }
      let rows = body.objects("data")
      records += rows.compactMap { Self.record($0, "anthropic", base) }
      guard records.count <= Self.mostModels else { return records }
      guard body.isTrue("has_more"), let last = body.string("last_id"), last != cursor else {
        return records
      }
      cursor = last
    }
    throw Failure(
      .invalidResponse, "the model list of '\(Failure.shownURL(base))' does not end",
      kind: .malformed)
  }

  // MARK: OpenAI and its relatives

  private func openAI(_ name: ModelName) async throws(Failure) -> [ModelRecord] {
    let provider = name.provider.rawValue
    let endpoint = try directory.endpoints.openAI(name)
    let url =
      name.provider == .github
      ? Self.gitHubCatalog(endpoint.base) : joined(endpoint.base, "/models")
    var request = endpoint.question(url)
    request.maximumBodyBytes = Self.mostBytes
    let response = try await endpoint.collect(request)
    guard (200...299).contains(response.head.status) else {
      throw endpoint.failure(ProviderError(body: response.body), response.head, url: url)
    }
    guard let rows = Self.rows(response.body) else { throw Self.noList(url) }
    return rows.compactMap { Self.record($0, provider, endpoint.base) }
  }

  private static func noList(_ url: String) -> Failure {
    Failure(
      .invalidResponse, "'\(Failure.shownURL(url))' did not answer with a list of models",
      kind: .malformed)
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

  // MARK: Rows

  private static func record(
    _ row: JSONObject, _ provider: String, _ base: String
  ) -> ModelRecord? {
    guard let id = row.string("id"), !id.isEmpty, id.utf8.count <= 200, Visible.line(id) == id
    else { return nil }
    let kind = Catalogue.builtIn.provider(ofName: id)?.kind ?? "chat"
    var record = ModelRecord(name: "\(provider)/\(id)", provider: provider, kind: kind)
    record.contextTokens =
      row.object("limits")?.count("max_input_tokens") ?? row.count("context_length")
      ?? row.count("max_model_len") ?? row.object("meta")?.count("n_ctx_train")
      ?? row.count("max_input_tokens")
    record.maxInputTokens = row.count("max_input_tokens")
    record.maxOutputTokens = row.count("max_tokens")
    record.retires = day(row.string("retires_at") ?? row.string("shutdown_date"))
    // One that is gone since a day that the list does not name is gone today.
    if row.string("lifecycle") == "retired" {
      record.retires = record.retires ?? Day.today.description
    }
    record.endpoint = Failure.shownURL(base)
    if let capabilities = row.object("capabilities") { record.take(capabilities) }
    return record
  }

  /// The day of an instant or of a day; nil for another text.
  private static func day(_ text: String?) -> String? {
    text.flatMap { Day(String($0.prefix(10))) }?.description
  }
}

extension ModelRecord {
  /// Takes over what a provider says that a model can do.
  fileprivate mutating func take(_ capabilities: JSONObject) {
    if let levels = capabilities.object("effort") {
      let known = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]
      efforts = known.filter { levels.isTrue($0) || levels.object($0)?.isTrue("supported") == true }
    }
    guard let types = capabilities.object("thinking")?.object("types") else { return }
    func has(_ type: String) -> Bool {
      types.isTrue(type) || types.object(type)?.isTrue("supported") == true
    }
    // Models without thinking of a fixed budget refuse sampling too, all of them so far.
    refuses = has("adaptive") && !has("enabled") ? ["temperature", "top_k", "top_p"] : []
    if has("adaptive"), !has("disabled") { thinking = has("between_tools") ? "on" : "always" }
  }
}
