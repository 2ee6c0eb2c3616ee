internal import Core

/// The conversion of levels: the protocol has four steps in each of its six levels.
enum Severity {
  /// Returns the first step of a level.
  static func number(_ level: Log.Level) -> WireSeverityNumber {
    switch level {
    case .debug: .debug
    case .info: .info
    case .warn: .warn
    case .error: .error
    case .critical: .fatal
    }
  }

  /// Returns the protocol's name of a level.
  static func text(_ level: Log.Level) -> String {
    level == .critical ? "FATAL" : level.rawValue.uppercased()
  }

  /// Returns the level of a number; nil for none.
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

  /// Returns the level with a name, as loggers write it; nil for an unknown name.
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
