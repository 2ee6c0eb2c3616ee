internal import Core

/// How much a log record matters: the protocol has four steps of each of six levels.
enum Severity {
  /// The first step of a level.
  static func number(_ level: Log.Level) -> WireSeverityNumber {
    switch level {
    case .debug: .debug
    case .info: .info
    case .warn: .warn
    case .error: .error
    case .critical: .fatal
    }
  }

  /// What the level is called there.
  static func text(_ level: Log.Level) -> String {
    level == .critical ? "FATAL" : level.rawValue.uppercased()
  }

  /// The level of a number; nil for none.
  static func level(_ number: WireSeverityNumber) -> Log.Level? {
    switch number.rawValue {
    case 1...8: .debug
    case 9...12: .info
    case 13...16: .warn
    case 17...20: .error
    case 21...24: .critical
    default: nil
    }
  }

  /// The level of a name, as loggers have it; nil for a name that is not known.
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
