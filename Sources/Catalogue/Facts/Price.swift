public import Core
import Foundation

/// The prices of a million tokens in US dollars.
///
/// A price that is nil is unknown.
public struct Price: Sendable, Hashable {
  /// The price of input that is neither read from nor written to a cache.
  public var input: Double?
  /// The price of output, including reasoning.
  public var output: Double?
  /// The price of input read from a cache.
  public var cacheRead: Double?
  /// The price of input written to a cache.
  public var cacheWrite: Double?
  /// The price of input written to a cache that keeps it for an hour.
  ///
  /// It is nil if it equals `cacheWrite`.
  public var cacheWrite1h: Double?

  /// Creates the prices of a million tokens.
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

  /// The prices of a free model.
  public static let free = Price(
    input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0)

  /// Returns the cost in US dollars; nil if the price of some of the tokens is unknown.
  ///
  /// Cached tokens whose price is unknown are not charged as input, because that would be a guess.
  /// The sum is computed in decimal, so that it equals a bill to the last digit.
  public func cost(of usage: Usage, times factor: Double = 1) -> Double? {
    let read = max(usage.cacheReadTokens, 0)
    let write = max(usage.cacheWriteTokens, 0)
    let write1h = min(max(usage.cacheWrite1hTokens ?? 0, 0), write)
    let input = max(usage.inputTokens, 0)
    let (cached, isTooLarge) = read.addingReportingOverflow(write)
    let plain = isTooLarge ? 0 : max(input - cached, 0)
    let parts: [(tokens: Int, price: Double?)] = [
      (plain, self.input), (read, cacheRead), (write - write1h, cacheWrite),
      (write1h, cacheWrite1h ?? cacheWrite), (max(usage.outputTokens, 0), output),
    ]
    var sum = Decimal()
    for part in parts where part.tokens > 0 {
      guard let price = part.price.flatMap(Decimal.init(shortest:)) else { return nil }
      sum += Decimal(part.tokens) * price
    }
    guard let factor = Decimal(shortest: factor) else { return nil }
    let cost = Double("\(sum * factor / 1_000_000)")
    return cost?.isFinite == true ? cost : nil
  }
}

extension Decimal {
  /// Creates the decimal number that has the same shortest text as the given floating-point number.
  ///
  /// It is nil if there is no such number.
  fileprivate init?(shortest number: Double) {
    guard number.isFinite, number.magnitude < 1e30 else { return nil }
    self.init(string: "\(number)", locale: Locale(identifier: "en_US_POSIX"))
  }
}

/// The prices of requests whose input exceeds a threshold.
///
/// They apply to the whole request, including output. Tokens read from or written to a cache count
/// as input.
public struct PriceBand: Sendable, Hashable {
  /// The threshold, which is a number of input tokens that a request must exceed.
  public var aboveInputTokens: Int
  /// The prices of such a request.
  public var price: Price

  /// Creates a band from the given threshold and prices.
  public init(aboveInputTokens: Int, price: Price) {
    self.aboveInputTokens = aboveInputTokens
    self.price = price
  }
}
