public import Core

extension PriceChange {
  /// The changed prices, each with the old and the new value: `in 3 → 30`, `over 200k: out 15 →
  /// 20`.
  public var moves: [String] { baseMoves + bandMoves }

  private static let names = ["in", "out", "cache read", "cache write", "cache 1h"]

  private var baseMoves: [String] { Self.moves(before?.base, after.base) }

  private var bandMoves: [String] {
    let limits = ((before?.bands ?? []) + (after.bands ?? [])).map(\.aboveInputTokens)
    return Set(limits).sorted().compactMap { limit in
      let moves = Self.moves(before?.amounts(above: limit), after.amounts(above: limit))
      return moves.isEmpty
        ? nil : "over \(Numbers.short(limit)): \(moves.joined(separator: ", "))"
    }
  }

  /// The changes that have no column of their own.
  var minorMoves: [String] {
    baseMoves.filter { !$0.hasPrefix("in ") && !$0.hasPrefix("out ") } + bandMoves
  }

  private static func moves(_ before: [Double?]?, _ after: [Double?]) -> [String] {
    let before = before ?? after.map { _ in nil }
    return zip(names, zip(before, after)).compactMap { name, pair in
      pair.0 == pair.1 ? nil : "\(name) \(move(pair.0, pair.1))"
    }
  }

  /// Returns an old and a new price; one price if it did not change, or if it is new.
  static func move(_ before: Double?, _ after: Double?) -> String {
    guard let before, before != after else { return Numbers.perMillion(after) }
    return "\(Numbers.perMillion(before)) → \(Numbers.perMillion(after))"
  }
}

extension PriceChange.Prices {
  fileprivate var base: [Double?] {
    [
      inputPricePerMillion, outputPricePerMillion, cacheReadPricePerMillion,
      cacheWritePricePerMillion, cacheWrite1hPricePerMillion,
    ]
  }

  /// Returns the prices of requests whose input exceeds a number of tokens.
  fileprivate func amounts(above limit: Int) -> [Double?] {
    let band = bands?.filter { $0.aboveInputTokens <= limit }
      .max { $0.aboveInputTokens < $1.aboveInputTokens }
    return band?.amounts ?? base
  }
}

extension ModelRecord.Band {
  /// The prices: input, output, read from a cache, written to a cache, and written for an hour.
  var amounts: [Double?] {
    [
      inputPricePerMillion, outputPricePerMillion, cacheReadPricePerMillion,
      cacheWritePricePerMillion, cacheWrite1hPricePerMillion,
    ]
  }
}
