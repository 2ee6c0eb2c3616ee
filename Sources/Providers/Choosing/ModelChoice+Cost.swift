import Catalogue
import Core

extension ModelChoice {
  /// Returns the cost of an answer in US dollars; nil if it is unknown.
  ///
  /// If the answer names a model that is dearer than the chosen one, the price of that model is
  /// charged and reported. If that model's price is unknown, so is the cost. Names that belong to
  /// no known family say nothing, because servers name their models as they like.
  ///
  /// - Parameters:
  ///   - usage: The tokens of the answer.
  ///   - answered: The model that the answer names; nil if the answer is incomplete.
  ///   - day: The day of the request.
  ///   - terms: The terms that the response names.
  /// - Returns: The cost.
  func cost(
    of usage: Usage, answeredBy answered: String?, on day: Day, terms: ServiceTerms
  ) -> Double? {
    let own = prices?.cost(of: usage, on: day, terms: terms)
    // Prices that the user configured apply to the server, whatever its answers name.
    guard let own, prices?.entry(on: day)?.asOf != nil,
      let last = answered?.split(separator: "/").last, last != model
    else { return own }
    let named = String(last)
    guard let family = catalogue.provider(ofName: named) else { return own }
    let others = [named, Self.undated(named)].lazy.compactMap { name in
      catalogue.facts(family.provider, name, on: day).prices?
        .cost(of: usage, on: day, terms: terms)
    }
    let shown = Visible.line(String(named.prefix(100)))
    guard let other = others.first else {
      guard Self.undated(named) != Self.undated(model) else { return own }
      report(.once("'\(shown)' answered in place of '\(name)': its price is unknown"))
      return nil
    }
    guard other > own else { return own }
    report(.once("'\(shown)' answered in place of '\(name)': charging its higher price"))
    return other
  }

  /// Returns the given name without the mark of a version, such as a date.
  private static func undated(_ name: String) -> String {
    var parts = name.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count > 1, parts.last == "latest" { parts.removeLast() }
    // A date has up to three parts, as in `2026-11-23`, or one of up to eight digits.
    if parts.count > 3, parts.suffix(3).map(\.count) == [4, 2, 2],
      parts.suffix(3).joined().utf8.allSatisfy(\.isDigit)
    {
      parts.removeLast(3)
    } else if parts.count > 1, let last = parts.last, [3, 4, 8].contains(last.count),
      last.utf8.allSatisfy(\.isDigit)
    {
      parts.removeLast()
    }
    return parts.joined(separator: "-")
  }
}
