extension Numbers {
  /// Returns a price in US dollars per million tokens, without a sign: `4`, `0.25`; `?` if unknown.
  public static func perMillion(_ dollars: Double?) -> String {
    guard let dollars else { return "?" }
    return dollars == dollars.rounded() && dollars.magnitude < 1e9
      ? "\(Int(dollars))" : "\(dollars)"
  }
}
