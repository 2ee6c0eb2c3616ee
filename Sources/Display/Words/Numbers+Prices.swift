extension Numbers {
  /// Returns the given US dollars per million tokens without a `$`: `4`, `0.25`; `?` if unknown.
  public static func perMillion(_ dollars: Double?) -> String {
    guard let dollars else { return "?" }
    return dollars == dollars.rounded() && dollars.magnitude < 1e9
      ? "\(Int(dollars))" : "\(dollars)"
  }
}
