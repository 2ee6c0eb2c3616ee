extension Numbers {
  /// Returns the given price in US dollars per million tokens, such as `4` or `0.25`.
  ///
  /// The text has no `$`. It is `?` if the price is unknown.
  public static func perMillion(_ dollars: Double?) -> String {
    guard let dollars else { return "?" }
    return dollars == dollars.rounded() && dollars.magnitude < 1e9
      ? "\(Int(dollars))" : "\(dollars)"
  }
}
