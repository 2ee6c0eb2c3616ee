public import Core

extension PriceChange {
  /// The changed prices, each with its old and new value.
  ///
  /// Examples are `in 3 → 30` and `over 200k: out 15 → 20`.
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

  /// The changes of those prices for which a table has no column.
  var minorMoves: [String] {
    baseMoves.filter { !$0.hasPrefix("in ") && !$0.hasPrefix("out ") } + bandMoves
  }

  private static func moves(_ before: [Double?]?, _ after: [Double?]) -> [String] {
    let before = before ?? after.map { _ in nil }
    return zip(names, zip(before, after)).compactMap { name, pair in
      pair.0 == pair.1 ? nil : "\(name) \(move(pair.0, pair.1))"
    }
  }

  /// Returns the old and the new price.
  ///
  /// Only the new price is returned if it is unchanged or if there was no old one.
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

  /// Returns the prices of requests with more than `limit` input tokens.
  fileprivate func amounts(above limit: Int) -> [Double?] {
    let band = bands?.filter { $0.aboveInputTokens <= limit }
      .max { $0.aboveInputTokens < $1.aboveInputTokens }
    return band?.amounts ?? base
  }
}

extension ModelRecord.Band {
  /// The prices of input, output, cache reads, cache writes, and cache writes kept for an hour.
  var amounts: [Double?] {
    [
      inputPricePerMillion, outputPricePerMillion, cacheReadPricePerMillion,
      cacheWritePricePerMillion, cacheWrite1hPricePerMillion,
    ]
  }
}
