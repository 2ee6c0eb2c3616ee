/// A token count that another program reported.
public enum TokenCount: Sendable, Hashable {
  /// A missing or null count.
  case absent
  /// A plausible count.
  case number(Int)
  /// A value that cannot be a count: a text, a fraction, or a number that is negative or absurdly
  /// large.
  case impossible

  /// The largest plausible number of tokens: ten times the largest existing context.
  public static let largest = 100_000_000

  /// Creates the count of the given number; nil stands for a value that is no whole number.
  public init(_ number: Int?, atMost most: Int = largest) {
    self = number.flatMap { (0...most).contains($0) ? .number($0) : nil } ?? .impossible
  }

  /// Merges the given report of the same count.
  ///
  /// The higher count is used. An impossible count is never replaced.
  public mutating func raise(to other: TokenCount) {
    switch (self, other) {
    case (.number(let known), .number(let number)): self = .number(max(known, number))
    case (_, .absent), (.impossible, _): break
    case (.absent, _), (_, .impossible): self = other
    }
  }

  /// The number of tokens; nil if the count is absent or impossible.
  public var value: Int? {
    guard case .number(let number) = self else { return nil }
    return number
  }
}

extension JSONObject {
  /// Returns the token count in the member with the given name.
  public func tokens(_ name: String, atMost most: Int = TokenCount.largest) -> TokenCount {
    has(name) ? TokenCount(integer(name), atMost: most) : .absent
  }
}

extension Usage {
  /// Creates the usage of one call or of several from counts that another program reported.
  ///
  /// It is nil if the input or the output is absent, or if a count is impossible. Other counts may
  /// be absent.
  ///
  /// - Parameters:
  ///   - input: The input; it includes cached tokens if `isInputUncached` is `false`.
  ///   - output: The output; it includes reasoning if `isOutputAnswer` is `false`.
  ///   - read: The tokens that were read from a cache.
  ///   - written: The tokens that were written to a cache.
  ///   - hour: The tokens that were written to a cache that keeps them for an hour.
  ///   - reasoning: The tokens of reasoning.
  ///   - isInputUncached: `true` if the input excludes cached tokens.
  ///   - isOutputAnswer: `true` if the output excludes reasoning.
  public init?(
    input: TokenCount, output: TokenCount, read: TokenCount = .absent,
    written: TokenCount = .absent, hour: TokenCount = .absent, reasoning: TokenCount = .absent,
    isInputUncached: Bool = false, isOutputAnswer: Bool = false
  ) {
    guard let input = input.value, let output = output.value,
      ![read, written, hour, reasoning].contains(.impossible)
    else { return nil }
    let (cached, kept) = (read.value ?? 0, written.value ?? 0)
    self.init(
      inputTokens: input + (isInputUncached ? cached + kept : 0),
      outputTokens: output + (isOutputAnswer ? reasoning.value ?? 0 : 0),
      cacheReadTokens: cached, cacheWriteTokens: kept,
      cacheWrite1hTokens: hour.value.flatMap { $0 > 0 ? $0 : nil },
      reasoningTokens: reasoning.value)
  }
}
