/// The terms under which a provider served a request, as its response names them.
public struct ServiceTerms: Sendable, Hashable {
  /// The service tier, such as `standard`, `flex` or `priority`.
  public var tier: String?
  /// The geography of inference, such as `us`.
  public var geography: String?
  /// The speed, such as `fast`.
  public var speed: String?
  /// `true` if a response named contradictory terms, so that its price is unknown.
  private var isContradictory = false

  /// Creates terms; nil means that the response does not name them.
  public init(tier: String? = nil, geography: String? = nil, speed: String? = nil) {
    self.tier = tier
    self.geography = geography
    self.speed = speed
  }

  /// Merges the terms of a later report of the same response.
  ///
  /// Words for the standard price do not contradict each other.
  public mutating func take(_ later: ServiceTerms) {
    for (path, usual) in zip([\ServiceTerms.tier, \.geography, \.speed], Self.usual) {
      guard let word = later[keyPath: path] else { continue }
      let known = self[keyPath: path] ?? word
      isContradictory =
        isContradictory || known != word && !usual.isSuperset(of: [known, word])
      self[keyPath: path] = word
    }
  }

  /// The words for the standard price, by tier, geography and speed.
  private static let usual: [Set<String>] = [
    ["standard", "default", "auto"], ["global", "not_available"], ["standard", "normal"],
  ]

  /// Returns the price factor of these terms.
  ///
  /// - Parameter factors: The factors of a row: `tier.flex`, `geo.us`, `speed.fast` and the like.
  /// - Returns: The factor; nil if unknown.
  func factor(_ factors: [String: Double]) -> Double? {
    guard !isContradictory else { return nil }
    let named = zip([("tier", tier), ("geo", geography), ("speed", speed)], Self.usual)
    var product = 1.0
    for case ((let kind, let word?), let usual) in named where !usual.contains(word) {
      guard let factor = factors["\(kind).\(word)"] else { return nil }
      product *= factor
    }
    return product
  }
}
