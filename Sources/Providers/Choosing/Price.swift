public import Core

/// What a model's tokens cost, in US dollars a million; nil is unknown.
public struct Price: Sendable, Hashable {
  /// Input that no cache is involved in.
  public var input: Double?
  /// Output, reasoning included.
  public var output: Double?
  /// Input read from a cache.
  public var cacheRead: Double?
  /// Input written to a cache.
  public var cacheWrite: Double?
  /// Input written to a cache for an hour; nil where it costs as `cacheWrite`.
  public var cacheWrite1h: Double?

  /// Creates a price.
  public init(
    input: Double? = nil, output: Double? = nil, cacheRead: Double? = nil,
    cacheWrite: Double? = nil, cacheWrite1h: Double? = nil
  ) {
    self.input = input
    self.output = output
    self.cacheRead = cacheRead
    self.cacheWrite = cacheWrite
    self.cacheWrite1h = cacheWrite1h
  }

  /// What nothing costs.
  public static let free = Price(
    input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0)

  /// The cost in US dollars; nil when there are tokens of a kind whose price is unknown.
  ///
  /// Cached tokens without a price of their own are not charged at the input's: the sum would be a
  /// guess that looks like a fact.
  public func cost(of usage: Usage) -> Double? {
    let read = max(usage.cacheReadTokens, 0)
    let write = max(usage.cacheWriteTokens, 0)
    let write1h = min(max(usage.cacheWrite1hTokens ?? 0, 0), write)
    // Doubles, so that absurd counts of a peer cannot overflow.
    let plain = max(Double(usage.inputTokens) - Double(read) - Double(write), 0)
    let parts: [(tokens: Double, price: Double?)] = [
      (plain, input), (Double(read), cacheRead), (Double(write - write1h), cacheWrite),
      (Double(write1h), cacheWrite1h ?? cacheWrite), (Double(max(usage.outputTokens, 0)), output),
    ]
    var sum = 0.0
    for part in parts where part.tokens > 0 {
      guard let price = part.price else { return nil }
      sum += part.tokens * price
    }
    return sum / 1_000_000
  }
}
