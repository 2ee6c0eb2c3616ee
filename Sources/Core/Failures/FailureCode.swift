/// A code of the failure table.
///
/// Programs match codes, never texts. A new code needs all columns of the table.
public enum FailureCode: String, Codable, Sendable, CaseIterable {
  /// Wrong options or operands.
  case badUsage = "BadUsage"
  /// A line that is not a record, a missing or wrong field, or HTTP 400, 413, 422.
  case badInput = "BadInput"
  /// A missing file, gate, model or pipeline; HTTP 404, 410.
  case notFound = "NotFound"
  /// A DNS failure, a refused or reset connection, or no network.
  case networkUnavailable = "NetworkUnavailable"
  /// No response in time; HTTP 408, 504.
  case timeout = "Timeout"
  /// Any other unsuccessful HTTP status; 5xx may be retried.
  case serverError = "ServerError"
  /// A response that violates the protocol, or a model's stream that was cut off.
  case invalidResponse = "InvalidResponse"
  /// A live stream that ended without its end mark.
  case streamInterrupted = "StreamInterrupted"
  /// An SSH host that cannot be reached, for example because a VPN is down.
  case sshHostUnreachable = "SSHHostUnreachable"
  /// A host without tmux.
  case tmuxNotFound = "TmuxNotFound"
  /// A missing tmux session.
  case tmuxSessionNotFound = "TmuxSessionNotFound"
  /// A PTY that could not be opened.
  case terminalInitFailed = "TerminalInitFailed"
  /// A planner's reply in prose instead of a plan; the text is stored as a `message`.
  case noPlan = "NoPlan"
  /// A request that the model refused.
  case modelRefused = "ModelRefused"
  /// A page refused by robots.txt, the address guard or the content type; `kind` names the cause.
  case pageRefused = "PageRefused"
  /// A tool call that reported an error.
  case toolFailed = "ToolFailed"
  /// A gate that a person rejected.
  case userRejected = "UserRejected"
  /// A gate that is decided already, or a request id that was used with another body.
  case conflict = "Conflict"
  /// An agent that no process runs.
  case agentUnreachable = "AgentUnreachable"
  /// A control that is stored, but that not all agents have acknowledged.
  case notAnswered = "NotAnswered"
  /// A pipeline that another process runs.
  case busy = "Busy"
  /// An exhausted `--max-cost` or `--max-total-tokens`.
  case budgetExceeded = "BudgetExceeded"
  /// A gate that waits for a decision.
  case paused = "Paused"
  /// HTTP 429 after all retries.
  case rateLimited = "RateLimited"
  /// HTTP 529, or 503 with Retry-After.
  case overloaded = "Overloaded"
  /// A protocol version that the peer refused.
  case protocolMismatch = "ProtocolMismatch"
  /// A missing API key, or a provider's 401.
  case missingAPIKey = "MissingAPIKey"
  /// HTTP 402, or a 429 that a retry cannot resolve.
  case quotaExhausted = "QuotaExhausted"
  /// A renewable token that was rejected.
  case authExpired = "AuthExpired"
  /// HTTP 403, an untrusted device, an unsafe file mode, a missing chat key.
  case permissionDenied = "PermissionDenied"
  /// A wrong pairing code.
  case pairingCodeInvalid = "PairingCodeInvalid"
  /// An expired pairing code.
  case pairingCodeExpired = "PairingCodeExpired"
  /// A revoked device.
  case deviceRevoked = "DeviceRevoked"
  /// Two clocks that differ too much.
  case clockSkew = "ClockSkew"
  /// An SSH key that was rejected.
  case sshAuthFailed = "SSHAuthFailed"
  /// A host that requires a second factor.
  case sshSecondFactor = "SSHSecondFactor"
  /// A private key that cannot be read.
  case keyUnreadable = "KeyUnreadable"
  /// A host key that differs from the recorded key.
  case sshHostKeyMismatch = "SSHHostKeyMismatch"
  /// A wrong configuration or environment, or an unknown price under a budget.
  case badConfiguration = "BadConfiguration"
  /// An SQLite error, a full disk or a read-only file system.
  case storageFailed = "StorageFailed"
  /// SIGINT or SIGTERM.
  case interrupted = "Interrupted"
}

extension FailureCode {
  /// The columns of one row of the table.
  struct Row {
    var title: String
    var action: String
    var suggested: SuggestedAction
    var category: FailureCategory
    var retryable: Bool
    var exit: Int32

    init(
      _ title: String, action: String, _ suggested: SuggestedAction,
      _ category: FailureCategory, retryable: Bool = false, exit: Int32
    ) {
      self.title = title
      self.action = action
      self.suggested = suggested
      self.category = category
      self.retryable = retryable
      self.exit = exit
    }
  }

  var row: Row {
    switch self {
    case .badUsage:
      Row("Wrong options or operands", action: "read --help", .dismiss, .input, exit: 64)
    case .badInput:
      Row("Bad input", action: "fix the input", .debug, .input, exit: 65)
    case .notFound:
      Row("Not found", action: "check the name or address", .dismiss, .input, exit: 66)
    case .networkUnavailable:
      Row(
        "No connection", action: "check the name and the connection", .retry, .network,
        retryable: true,
        exit: 69)
    case .timeout:
      Row("Timed out", action: "retry", .retry, .network, retryable: true, exit: 69)
    case .serverError:
      Row("Server error", action: "retry", .retry, .network, retryable: true, exit: 69)
    case .invalidResponse:
      Row(
        "Invalid response", action: "retry, and report it if it recurs", .retry, .response,
        retryable: true,
        exit: 69)
    case .streamInterrupted:
      Row(
        "The stream ended early", action: "retry", .retry, .network, retryable: true, exit: 69)
    case .sshHostUnreachable:
      Row(
        "Host unreachable", action: "check the name, port and VPN", .retry, .network,
        retryable: true,
        exit: 69)
    case .tmuxNotFound:
      Row("tmux is missing", action: "install tmux", .dismiss, .tool, exit: 69)
    case .tmuxSessionNotFound:
      Row("No such tmux session", action: "list the sessions", .dismiss, .tool, exit: 69)
    case .terminalInitFailed:
      Row("No terminal", action: "use a terminal", .retry, .tool, retryable: true, exit: 69)
    case .noPlan:
      Row("No plan in the reply", action: "rephrase the goal", .dismiss, .model, exit: 1)
    case .modelRefused:
      Row("The model declined", action: "rephrase the request", .dismiss, .model, exit: 1)
    case .pageRefused:
      Row("Page refused", action: "use another page", .dismiss, .input, exit: 1)
    case .toolFailed:
      Row("The tool failed", action: "read the tool's output", .debug, .tool, exit: 1)
    case .userRejected:
      Row("Rejected", action: "read the reason, then start again", .dismiss, .conversation, exit: 1)
    case .conflict:
      Row("Conflict", action: "check the current state", .dismiss, .conversation, exit: 1)
    case .agentUnreachable:
      Row("Agent unreachable", action: "start the agent again", .dismiss, .tool, exit: 69)
    case .notAnswered:
      Row(
        "No reply yet", action: "check with agent-stat", .retry, .tool, retryable: true,
        exit: 75)
    case .busy:
      Row("Busy", action: "wait for the other process", .retry, .storage, retryable: true, exit: 75)
    case .budgetExceeded:
      Row("Budget reached", action: "raise the budget, then resume", .settings, .model, exit: 75)
    case .paused:
      Row(
        "Waiting for approval", action: "run gate-decide, then stage-run --resume", .dismiss,
        .conversation,
        retryable: true,
        exit: 75)
    case .rateLimited:
      Row("Rate limited", action: "wait, then retry", .retry, .network, retryable: true, exit: 75)
    case .overloaded:
      Row("Overloaded", action: "retry later", .retry, .network, retryable: true, exit: 75)
    case .protocolMismatch:
      Row(
        "Protocol version refused", action: "check the address, or upgrade", .dismiss, .response,
        exit: 76)
    case .missingAPIKey:
      Row(
        "No usable API key", action: "store a valid key", .settings, .authentication, exit: 77)
    case .quotaExhausted:
      Row(
        "Quota exhausted", action: "see the provider's billing page", .settings, .authentication,
        exit: 77)
    case .authExpired:
      Row("Login expired", action: "log in or pair again", .reauth, .authentication, exit: 77)
    case .permissionDenied:
      Row(
        "Permission denied", action: "check the permissions", .settings, .authentication, exit: 77)
    case .pairingCodeInvalid:
      Row("Wrong pairing code", action: "start pairing again", .reauth, .authentication, exit: 77)
    case .pairingCodeExpired:
      Row("Pairing code expired", action: "start pairing again", .reauth, .authentication, exit: 77)
    case .deviceRevoked:
      Row("Device revoked", action: "pair again", .reauth, .authentication, exit: 77)
    case .clockSkew:
      Row("Clocks disagree", action: "set the clock", .settings, .authentication, exit: 77)
    case .sshAuthFailed:
      Row("SSH login refused", action: "check the key", .reauth, .authentication, exit: 77)
    case .sshSecondFactor:
      Row("SSH second factor needed", action: "check the key", .reauth, .authentication, exit: 77)
    case .keyUnreadable:
      Row("Key unreadable", action: "check the key", .settings, .authentication, exit: 77)
    case .sshHostKeyMismatch:
      Row(
        "Host key not trusted", action: "verify the host, then run tmux-attach trust HOST --reset",
        .reauth,
        .authentication,
        exit: 77)
    case .badConfiguration:
      Row("Bad configuration", action: "fix the configuration", .settings, .input, exit: 78)
    case .storageFailed:
      Row("Storage failed", action: "check free space and the path", .debug, .storage, exit: 74)
    case .interrupted:
      Row("Interrupted", action: "resume", .retry, .conversation, retryable: true, exit: 130)
    }
  }

  /// A heading of a few words.
  public var title: String { row.title }
  /// The user's next step, as an imperative.
  public var action: String { row.action }
  /// The action that a program showing the failure should offer.
  public var suggestedAction: SuggestedAction { row.suggested }
  /// The area the failure comes from.
  public var category: FailureCategory { row.category }
  /// `true` if the same request may succeed later.
  public var isRetryable: Bool { row.retryable }
  /// The exit status of a tool whose failures all have this code (sysexits(3)).
  ///
  /// The status of ``interrupted`` is never used, because an interrupted tool ends by the signal.
  public var exitStatus: Int32 { row.exit }
}
