public import Core

extension FailureKind {
  /// A server that did not start or ended before its first answer.
  public static let notStarted = Self(rawValue: "notStarted")
  /// A server of a revision other than the one that was spoken.
  public static let otherEra = Self(rawValue: "otherEra")
  /// A redirect that is not followed.
  public static let redirected = Self(rawValue: "redirected")
  /// A session that the server has ended.
  public static let sessionGone = Self(rawValue: "sessionGone")
  /// A call that may have run, and whose answer was lost.
  public static let unknownOutcome = Self(rawValue: "unknownOutcome")
  /// An unknown tool, or arguments that the server refused before the call (-32602).
  public static let invalidParams = Self(rawValue: "invalidParams")
  /// A method that the server does not have (-32601).
  public static let methodNotFound = Self(rawValue: "methodNotFound")
  /// A request that the server could not read (-32700, -32600).
  public static let invalidRequest = Self(rawValue: "invalidRequest")
  /// A fault inside the server (-32603).
  public static let internalError = Self(rawValue: "internalError")
  /// Header fields that contradict the body (-32020).
  public static let headerMismatch = Self(rawValue: "headerMismatch")
  /// A capability that the client did not declare (-32021).
  public static let missingCapability = Self(rawValue: "missingCapability")
}
