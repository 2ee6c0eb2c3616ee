public import Core
import HTTP

/// Tells which models there are, and which of them can be asked from here.
///
/// Nothing is sent for it.
public struct ModelListing: Sendable {
  /// Models that are known without being described, and how many tokens their contexts hold, as their
  /// makers had it on November 22, 2026.
  private static let builtIn: [(name: String, kind: String, contextTokens: Int?)] = [
    ("claude-opus-4-6", "chat", 200_000), ("claude-sonnet-4-6", "chat", 200_000),
    ("claude-haiku-4-5-20251001", "chat", 200_000), ("gpt-5-mini", "chat", 400_000),
    ("gpt-4o", "chat", 128_000), ("gpt-image-1", "image", nil), ("dall-e-3", "image", nil),
    ("github/openai/gpt-4o", "chat", nil), ("apple/on-device", "chat", 4_096),
    ("extractive", "chat", nil),
  ]

  private let directory: ModelDirectory

  /// Looks into a directory of models.
  public init(_ directory: ModelDirectory) { self.directory = directory }

  /// The models of the configuration, those that are built in, and those that servers listed.
  ///
  /// - Parameter listed: What ``ModelCatalog`` found before.
  /// - Returns: Each name once: what the configuration says goes first, and each may be unavailable.
  /// - Throws: `BadConfiguration` for a model that is described wrongly.
  public func all(listed: [ModelRecord]) throws(Failure) -> [ModelRecord] {
    var records: [ModelRecord] = []
    var names: Set<String> = []
    for name in directory.configuration.models.keys.sorted() where names.insert(name).inserted {
      records.append(try record(name))
    }
    for model in Self.builtIn where names.insert(model.name).inserted {
      records.append(try record(model.name))
    }
    for var record in listed where names.insert(record.name).inserted {
      guard let model = try? ModelName(record.name, models: directory.configuration.models) else {
        continue
      }
      record.reason = reason(model, kind: record.kind)
      record.available = record.reason == nil
      records.append(record)
    }
    return records
  }

  /// What is known of a model.
  ///
  /// - Throws: `NotFound` for a name that is not known, `BadConfiguration`.
  public func record(_ name: String) throws(Failure) -> ModelRecord {
    let model = try ModelName(name, models: directory.configuration.models)
    let settings = directory.endpoints.settings(model)
    let known = Self.builtIn.first { $0.name == name }
    var record = ModelRecord(
      name: name, provider: model.provider.rawValue,
      kind: settings?.kind ?? known?.kind ?? "chat")
    record.contextTokens = settings?.contextTokens ?? known?.contextTokens
    record.endpoint = base(model).map(Failure.shownURL)
    let price = try directory.prices.price(model)
    record.inputPricePerMillion = price?.input
    record.outputPricePerMillion = price?.output
    record.cacheReadPricePerMillion = price?.cacheRead
    record.cacheWritePricePerMillion = price?.cacheWrite
    record.reason = reason(model, kind: record.kind)
    record.available = record.reason == nil
    return record
  }

  /// Whether a name leads to a model without being described first.
  public func knows(_ name: String) -> Bool {
    (try? ModelName(name, models: directory.configuration.models)) != nil
  }

  /// Why a model cannot be asked; nil when it can.
  private func reason(_ model: ModelName, kind: String) -> String? {
    do throws(Failure) {
      switch model.provider {
      case .extractive: break
      case .apple: return ModelDirectory.appleReason
      case .anthropic: _ = try directory.endpoints.anthropic(model)
      case .openai, .azure, .github, .local: _ = try directory.endpoints.openAI(model)
      }
      return nil
    } catch {
      return error.explanation
    }
  }

  /// The base URL of a model's server, whether or not there is a key for it.
  private func base(_ model: ModelName) -> String? {
    var endpoints = directory.endpoints
    endpoints.key = { _ in "-" }
    switch model.provider {
    case .extractive, .apple: return nil
    case .anthropic: return (try? endpoints.anthropic(model))?.base
    case .openai, .azure, .github, .local: return (try? endpoints.openAI(model))?.base
    }
  }
}
