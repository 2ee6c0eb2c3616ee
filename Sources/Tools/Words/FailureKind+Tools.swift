public import Core

extension FailureKind {
  /// A call of a tool that nobody allowed.
  public static let notAllowed = Self(rawValue: "notAllowed")
  /// A server from another program's file that nobody agreed to.
  public static let notAgreed = Self(rawValue: "notAgreed")
  /// A call that did not run because a person stopped all further calls.
  public static let stopped = Self(rawValue: "stopped")
  /// A name that several tools have.
  public static let ambiguous = Self(rawValue: "ambiguous")
  /// An account that a person has not connected yet.
  public static let notConnected = Self(rawValue: "notConnected")
  /// A session that the server does not know any longer.
  static let sessionGone = Self(rawValue: "sessionGone")
  /// A tool whose schema differs from the expected schema.
  public static let otherSchema = Self(rawValue: "otherSchema")
}
