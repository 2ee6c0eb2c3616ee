/// The terms under which a provider served a request, according to its response.
public struct ServiceTerms: Sendable, Hashable {
  /// The service tier, such as `standard`, `flex` or `priority`.
  public var tier: String?
  /// The geographic region of the inference, such as `us`.
  public var geography: String?
  /// The speed of the inference, such as `fast`.
  public var speed: String?
  /// `true` if the response named contradictory terms.
  ///
  /// The price is then unknown.
  private var isContradictory = false

  /// Creates terms.
  ///
  /// A term is nil if the response does not name it.
  public init(tier: String? = nil, geography: String? = nil, speed: String? = nil) {
    self.tier = tier
    self.geography = geography
    self.speed = speed
  }

  /// Adds the terms in a later report of the same response.
  ///
  /// Different words for the standard price do not contradict each other.
  public mutating func merge(_ later: ServiceTerms) {
    for (path, usual) in zip([\ServiceTerms.tier, \.geography, \.speed], Self.usual) {
      guard let word = later[keyPath: path] else { continue }
      let known = self[keyPath: path] ?? word
      isContradictory =
        isContradictory || known != word && !usual.isSuperset(of: [known, word])
      self[keyPath: path] = word
    }
  }

  /// The words for the standard price, in one set each for tiers, regions and speeds.
  private static let usual: [Set<String>] = [
    ["standard", "default", "auto"], ["global", "not_available"], ["standard", "normal"],
  ]

  /// `true` if these terms do not change the price.
  public var isUsual: Bool { factor([:]) == 1 }

  /// Returns the factor by which these terms multiply the price.
  ///
  /// - Parameter factors: The factors in a row of the catalogue, such as `tier.flex`, `geo.us` or
  ///   `speed.fast`.
  /// - Returns: The factor; nil if it is unknown.
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
