import Catalogue
public import Core

/// The counts and the costs that Claude Code reports.
extension SessionCall {
  /// Creates the call whose answer is the given message, in the form of Anthropic's API.
  public init(claude message: JSONObject, id: String, costUSD: Double? = nil) {
    let usage = message.object("usage")
    self.init(
      id: id, answer: id, model: message.string("model"), usage: usage.flatMap(Usage.init(claude:)),
      costUSD: costUSD)
    func word(_ name: String) -> String? {
      usage?.string(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    terms = ServiceTerms(
      tier: word("service_tier"), geography: word("inference_geo"), speed: word("speed"))
    let searches = usage?.object("server_tool_use")?.tokens("web_search_requests") ?? .absent
    hasOtherCharges = ![.absent, .number(0)].contains(searches)
  }
}

extension SessionTotal {
  /// Creates the sums of the given member `modelUsage`; nil if a count is missing or impossible.
  ///
  /// - Parameters:
  ///   - models: The member.
  ///   - hasUnknownCost: `true` if the costs leave out a model without a known price.
  public init?(claude models: JSONObject, hasUnknownCost: Bool = false) {
    self.init([:])
    for name in models.names {
      guard let model = models.object(name), let usage = Usage(claudeModel: model) else {
        return nil
      }
      let sum = Sum(usage, costUSD: hasUnknownCost ? nil : model.amount("costUSD"))
      // Messages omit the mark of a larger context, such as `[1m]`.
      add(sum, of: String(name.prefix { $0 != "[" }))
    }
  }
}

/// The versions of Claude Code.
enum ClaudeVersion {
  /// The oldest version that is known to state the sums of a session when its process ends.
  private static let stating = [2, 1, 332]

  /// Returns `true` if the given version states sums; nil if it is unknown.
  static func statesTotals(_ version: String?) -> Bool? {
    guard let version else { return nil }
    let parts = version.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
    return !parts.lexicographicallyPrecedes(stating)
  }
}
