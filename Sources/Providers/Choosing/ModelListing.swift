import Catalogue
public import Core
import HTTP

/// A list of the models that can be named, and their availability.
///
/// Listing sends no requests.
public struct ModelListing: Sendable {
  /// The providers whose models are listed even if none is configured.
  private static let listed = ["anthropic", "openai", "apple", "extractive"]

  private let directory: ModelDirectory

  /// Creates a list of the models in the given directory.
  public init(_ directory: ModelDirectory) { self.directory = directory }

  /// Returns the models of the configuration, the catalogue and the providers' own lists.
  ///
  /// - Parameter listed: The records that ``ProviderModels`` returned earlier.
  /// - Returns: One record for each name, the configured models first; some may be unavailable.
  /// - Throws: `BadConfiguration` if the description of a model is invalid.
  public func all(listed: [ModelRecord]) throws(Failure) -> [ModelRecord] {
    var records: [ModelRecord] = []
    var names: Set<String> = []
    let settings = directory.configuration
    for name in settings.models.keys.sorted() where names.insert(name).inserted {
      records.append(try record(name))
    }
    for provider in Self.listed {
      let known =
        provider == ExtractiveProvider.modelName
        ? [provider] : directory.catalogue.names(of: provider)
      for name in known {
        let name = isBare(name, provider) ? name : "\(provider)/\(name)"
        if names.insert(name).inserted { records.append(try record(name)) }
      }
    }
    for found in listed {
      guard let model = try? directory.name(found.name) else { continue }
      let name = isBare(model.name, found.provider) ? model.name : found.name
      guard names.insert(name).inserted else { continue }
      records.append(try record(name, found))
    }
    return records
  }

  /// Returns `true` if the given bare name resolves to a model of the given provider.
  private func isBare(_ name: String, _ provider: String) -> Bool {
    name == ExtractiveProvider.modelName
      || (try? directory.name(name))?.provider.rawValue == provider
  }

  /// Returns the record of the model with the given name.
  ///
  /// - Throws: `NotFound` if the name is unknown; `BadConfiguration` if the model's configuration
  ///   is invalid.
  public func record(_ name: String) throws(Failure) -> ModelRecord { try record(name, nil) }

  private func record(_ name: String, _ found: ModelRecord?) throws(Failure) -> ModelRecord {
    let model = try directory.name(name)
    let facts = directory.facts(model)
    let settings = directory.configuration
    let target = settings.aliases[name] ?? directory.catalogue.model(ofAlias: name)
    var record = ModelRecord(
      name: settings.models[name] == nil ? target ?? name : name, provider: model.provider.rawValue,
      kind: facts.kind ?? found?.kind ?? "chat")
    if facts.usesResponses, model.provider == .openai,
      directory.endpoints.settings(model)?.kind == nil
    {
      record.kind = "responses"
    }
    record.contextTokens = facts.contextTokens
    record.maxInputTokens = facts.maxInputTokens
    record.maxOutputTokens = facts.maxOutputTokens
    record.retires = facts.retires?.description
    record.retiresNotBefore = facts.retiresNotBefore?.description
    record.replacement = facts.replacement
    let refuses = facts.refuses
    record.refuses = refuses.isEmpty ? nil : refuses
    record.thinking = facts.thinking?.rawValue
    record.efforts = facts.efforts.flatMap { $0.isEmpty ? nil : $0 }
    record.effort = facts.effort
    record.endpoint = directory.base(model)
    record.setPrices(facts.prices?.entry(on: .today))
    record.reason = reason(model)
    record.available = record.reason == nil
    return record
  }

  /// Completes a record from a provider's list with the catalogue's facts, such as prices.
  public func completed(_ found: ModelRecord) -> ModelRecord {
    (try? record(found.name, found)) ?? found
  }

  /// Returns `true` if the given name resolves to a model.
  public func knows(_ name: String) -> Bool { (try? directory.name(name)) != nil }

  /// Returns the reason why the given model is unavailable; nil if it is available.
  private func reason(_ model: ModelName) -> String? {
    do throws(Failure) {
      switch model.provider {
      case .extractive: break
      case .apple: return ModelDirectory.appleReason
      case .anthropic: _ = try directory.endpoints.anthropic(model)
      case .openai, .azure, .github, .local: _ = try directory.endpoints.openAI(model)
      }
      try directory.refuseRetired(model, directory.facts(model))
      return nil
    } catch {
      return error.sentence
    }
  }
}

extension ModelRecord {
  /// Sets the prices and their source from the given entry.
  fileprivate mutating func setPrices(_ entry: ModelPrices.Entry?) {
    guard let entry else { return }
    inputPricePerMillion = entry.price.input
    outputPricePerMillion = entry.price.output
    cacheReadPricePerMillion = entry.price.cacheRead
    cacheWritePricePerMillion = entry.price.cacheWrite
    cacheWrite1hPricePerMillion = entry.price.cacheWrite1h
    guard entry.price != Price() else { return }
    pricesAsOf = entry.asOf?.description
    priceSource = entry.source
    guard !entry.bands.isEmpty else { return }
    bands = entry.bands.map { band in
      var shown = Band(aboveInputTokens: band.aboveInputTokens)
      shown.inputPricePerMillion = band.price.input
      shown.outputPricePerMillion = band.price.output
      shown.cacheReadPricePerMillion = band.price.cacheRead
      shown.cacheWritePricePerMillion = band.price.cacheWrite
      shown.cacheWrite1hPricePerMillion = band.price.cacheWrite1h
      return shown
    }
  }
}
