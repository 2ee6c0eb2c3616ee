internal import Core

/// The conversion between our log levels and the protocol's severity numbers.
///
/// Each level of the protocol has four numbers.
enum Severity {
  /// Returns the first severity number of the given level.
  static func number(_ level: Log.Level) -> WireSeverity {
    switch level {
    case .debug: WireSeverity(rawValue: 5)
    case .info: WireSeverity(rawValue: 9)
    case .warn: WireSeverity(rawValue: 13)
    case .error: WireSeverity(rawValue: 17)
    case .critical: WireSeverity(rawValue: 21)
    }
  }

  /// Returns the protocol's name of the given level.
  static func text(_ level: Log.Level) -> String {
    level == .critical ? "FATAL" : level.rawValue.uppercased()
  }

  /// Returns the level that the given severity number belongs to; nil if it is unspecified.
  static func level(_ number: WireSeverity) -> Log.Level? {
    switch number.rawValue {
    case 1...8: .debug
    case 9...12: .info
    case 13...16: .warn
    case 17...20: .error
    case 21...24: .critical
    default: nil
    }
  }

  /// Returns the level with the given name, as loggers write it; nil if the name is unknown.
  static func level(named text: String) -> Log.Level? {
    switch text.lowercased() {
    case "trace", "verbose", "debug", "fine", "finer", "finest": .debug
    case "info", "information", "informational", "notice": .info
    case "warn", "warning": .warn
    case "error", "err", "severe": .error
    case "fatal", "critical", "crit", "alert", "emergency", "emerg", "panic": .critical
    default: nil
    }
  }
}
