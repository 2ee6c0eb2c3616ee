/// The terms under which a provider served a request, as its answer names them.
public struct ServiceTerms: Sendable, Hashable {
  /// The service tier, such as `standard`, `flex` or `priority`.
  public var tier: String?
  /// The geography of inference, such as `us`.
  public var geography: String?
  /// The speed, such as `fast`.
  public var speed: String?

  /// Creates terms; nil means that the answer does not name them.
  public init(tier: String? = nil, geography: String? = nil, speed: String? = nil) {
    self.tier = tier
    self.geography = geography
    self.speed = speed
  }

  /// Looks up what these terms do to a price.
  ///
  /// - Parameter factors: The factors of a row: `tier.flex`, `geo.us`, `speed.fast` and the like.
  /// - Returns: The factor of the price; nil if nobody knows it.
  func factor(_ factors: [String: Double]) -> Double? {
    let named: [(kind: String, word: String?, usual: Set<String>)] = [
      ("tier", tier, ["standard", "default", "auto"]),
      ("geo", geography, ["global", "not_available"]), ("speed", speed, ["standard", "normal"]),
    ]
    var product = 1.0
    for case (let kind, let word?, let usual) in named where !usual.contains(word) {
      guard let factor = factors["\(kind).\(word)"] else { return nil }
      product *= factor
    }
    return product
  }
}
