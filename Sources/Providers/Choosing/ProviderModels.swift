import Catalogue
public import Core
import Foundation
import HTTP

/// A client for the providers' own lists of models: names, limits, life cycles and capabilities.
///
/// No provider reports prices. If a list has several pages, all are read.
public struct ProviderModels: Sendable {
  /// The providers that offer a list of models.
  public static let providers = ["anthropic", "openai", "azure", "local", "github"]
  /// The maximum size of a response, enough for thousands of models.
  private static let mostBytes = 16 << 20
  private static let mostPages = 100
  private static let mostModels = 10_000

  private let directory: ModelDirectory

  /// Creates a client for the providers of the given directory.
  public init(_ directory: ModelDirectory) { self.directory = directory }

  /// The providers to query by default, without those whose service has ended.
  public var current: [String] {
    Self.providers.filter { directory.catalogue.endedService($0) == nil }
  }

  /// Queries the given provider for its models.
  ///
  /// - Parameter provider: One of ``providers``.
  /// - Returns: The models, with names that can be passed to options.
  /// - Throws: `BadUsage` if `provider` is not in ``providers``; `MissingAPIKey` if there is no
  ///   key; the failure that the server reports.
  public func models(of provider: String) async throws(Failure) -> [ModelRecord] {
    guard Self.providers.contains(provider) else {
      let known = Self.providers.joined(separator: ", ")
      throw Failure(
        .badUsage, "'\(provider)' has no list of models", input: provider,
        nextStep: "use one of \(known)")
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

  /// Reads `GET /v1/models`, page by page.
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
      .invalidResponse, "the model list from '\(Failure.shownURL(base))' does not end",
      kind: .malformed)
  }

  // MARK: OpenAI and compatible servers

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
      .invalidResponse, "the response from '\(Failure.shownURL(url))' is not a list of models",
      kind: .malformed)
  }

  /// Returns the URL of the catalog on the server of the given inference endpoint, as in
  /// docs.github.com/rest/models/catalog.
  private static func gitHubCatalog(_ base: String) -> String {
    var base = base
    while base.hasSuffix("/") { base.removeLast() }
    if base.hasSuffix("/inference") { base.removeLast("/inference".count) }
    return base + "/catalog/models"
  }

  /// Returns the elements of the list in the given body.
  ///
  /// The list is the body itself, or the array in its member `data`.
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
    // A model that the list marks as retired, but without a date, counts as retired today.
    if row.string("lifecycle") == "retired" {
      record.retires = record.retires ?? Day.today.description
    }
    record.endpoint = Failure.shownURL(base)
    if let capabilities = row.object("capabilities") { record.store(capabilities) }
    return record
  }

  /// Returns the day of the given instant or day; nil if `text` is neither.
  private static func day(_ text: String?) -> String? {
    text.flatMap { Day(String($0.prefix(10))) }?.description
  }
}

extension ModelRecord {
  /// Stores the capabilities that a provider reports.
  fileprivate mutating func store(_ capabilities: JSONObject) {
    if let levels = capabilities.object("effort") {
      let known = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]
      efforts = known.filter { levels.isTrue($0) || levels.object($0)?.isTrue("supported") == true }
    }
    guard let types = capabilities.object("thinking")?.object("types") else { return }
    func has(_ type: String) -> Bool {
      types.isTrue(type) || types.object(type)?.isTrue("supported") == true
    }
    // All known models that think only adaptively also refuse these sampling parameters.
    refuses = has("adaptive") && !has("enabled") ? ["temperature", "top_k", "top_p"] : []
    if has("adaptive"), !has("disabled") { thinking = has("between_tools") ? "on" : "always" }
  }
}
