public import ArgumentParser

/// A duration in a form that people write, such as `90`, `90s`, `10m`, `2h` or `1d`.
public struct Seconds: ExpressibleByArgument, Sendable, Hashable {
  /// The number of seconds.
  public var value: Double

  /// Creates a duration of the given number of seconds.
  public init(seconds: Double) { value = seconds }

  /// Creates a duration from text such as `90`, `1.5s`, `10m`, `2h` or `1d`; nil for any other
  /// text.
  public init?(argument: String) {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    let factor = argument.last.flatMap { units[$0] }
    guard let number = Double(decimal: factor == nil ? argument : String(argument.dropLast())),
      number >= 0, number < 1e9
    else {
      ValueForms.record(argument, "a duration such as 90s, 10m, 2h, 1d")
      return nil
    }
    value = number * (factor ?? 1)
  }

  /// The duration in the form that a user would write.
  public var defaultValueDescription: String {
    guard value == value.rounded() else { return "\(value)s" }
    let isMinutes = value >= 60 && value.truncatingRemainder(dividingBy: 60) == 0
    return isMinutes ? "\(Int(value / 60))m" : "\(Int(value))s"
  }
}
