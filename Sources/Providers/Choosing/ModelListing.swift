import Catalogue
public import Core
import HTTP

/// The models there are, and which of them can be asked from here.
///
/// Nothing is sent for it.
public struct ModelListing: Sendable {
  /// The providers whose models are listed without being described.
  private static let listed = ["anthropic", "openai", "apple", "extractive"]

  private let directory: ModelDirectory

  /// Looks into a directory of models.
  public init(_ directory: ModelDirectory) { self.directory = directory }

  /// Returns the models of the configuration, those of the catalogue, and those that servers listed.
  ///
  /// - Parameter listed: The records that ``ProviderModels`` returned before.
  /// - Returns: Each name once: the configuration goes first, and each may be unavailable.
  /// - Throws: `BadConfiguration` for a model that is described wrongly.
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

  /// Returns `true` if a bare name leads to its provider.
  private func isBare(_ name: String, _ provider: String) -> Bool {
    name == ExtractiveProvider.modelName
      || (try? directory.name(name))?.provider.rawValue == provider
  }

  /// Returns what is known of a model.
  ///
  /// - Throws: `NotFound` for a name that is not known, `BadConfiguration`.
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

  /// Returns a record of a provider's list with what is known besides, its price above all.
  public func completed(_ found: ModelRecord) -> ModelRecord {
    (try? record(found.name, found)) ?? found
  }

  /// Returns `true` if a name leads to a model without being described first.
  public func knows(_ name: String) -> Bool { (try? directory.name(name)) != nil }

  /// Why a model cannot be asked; nil if it can.
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
      return error.explanation
    }
  }
}

extension ModelRecord {
  /// Takes over prices as they are in force.
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
