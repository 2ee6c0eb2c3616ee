/// A code of the failure table.
///
/// Programs match codes, never texts. A new code needs a value in every column of the table.
public enum FailureCode: String, Codable, Sendable, CaseIterable {
  /// Wrong options or operands.
  case badUsage = "BadUsage"
  /// A line that is not a record, a missing or wrong field, or HTTP status 400, 413 or 422.
  case badInput = "BadInput"
  /// A missing file, gate, model or pipeline, or HTTP status 404 or 410.
  case notFound = "NotFound"
  /// A DNS failure, a refused or reset connection, or no network.
  case networkUnavailable = "NetworkUnavailable"
  /// A response that did not arrive in time, or HTTP status 408 or 504.
  case timeout = "Timeout"
  /// Any other unsuccessful HTTP status; a request with status 5xx may be retried.
  case serverError = "ServerError"
  /// A response that violates the protocol, or a model's stream that was cut off.
  case invalidResponse = "InvalidResponse"
  /// A live stream that ended without the mark that ends a complete stream.
  case streamInterrupted = "StreamInterrupted"
  /// An SSH host that cannot be reached, for example because a VPN is down.
  case sshHostUnreachable = "SSHHostUnreachable"
  /// A host without tmux.
  case tmuxNotFound = "TmuxNotFound"
  /// A missing tmux session.
  case tmuxSessionNotFound = "TmuxSessionNotFound"
  /// A PTY that could not be opened.
  case terminalInitFailed = "TerminalInitFailed"
  /// A planner's reply that is prose instead of a plan. The reply is stored as a `message`.
  case noPlan = "NoPlan"
  /// A request that the model refused.
  case modelRefused = "ModelRefused"
  /// A page refused by robots.txt, the address guard or the content type; `kind` names the cause.
  case pageRefused = "PageRefused"
  /// A tool call that reported an error.
  case toolFailed = "ToolFailed"
  /// A gate that a person rejected.
  case userRejected = "UserRejected"
  /// A gate that is already decided, or a request id that was already used with another body.
  case conflict = "Conflict"
  /// An agent that cannot be reached, because no process runs it.
  case agentUnreachable = "AgentUnreachable"
  /// A control that was stored but that some agents have not acknowledged.
  case notAnswered = "NotAnswered"
  /// A pipeline that is already being run by another process.
  case busy = "Busy"
  /// A budget, set by `--max-cost` or `--max-total-tokens`, that is exhausted.
  case budgetExceeded = "BudgetExceeded"
  /// A gate that waits for a decision.
  case paused = "Paused"
  /// HTTP status 429, still returned after all retries.
  case rateLimited = "RateLimited"
  /// HTTP status 529, or 503 with a Retry-After header.
  case overloaded = "Overloaded"
  /// A protocol version that the peer refused.
  case protocolMismatch = "ProtocolMismatch"
  /// A missing API key, or a provider's HTTP status 401.
  case missingAPIKey = "MissingAPIKey"
  /// HTTP status 402, or a 429 that no retry can resolve.
  case quotaExhausted = "QuotaExhausted"
  /// A token that was rejected but can be renewed.
  case authExpired = "AuthExpired"
  /// HTTP status 403, an untrusted device, an unsafe file mode or a missing chat key.
  case permissionDenied = "PermissionDenied"
  /// A wrong pairing code.
  case pairingCodeInvalid = "PairingCodeInvalid"
  /// An expired pairing code.
  case pairingCodeExpired = "PairingCodeExpired"
  /// A revoked device.
  case deviceRevoked = "DeviceRevoked"
  /// A difference between two machines' clocks that is too large.
  case clockSkew = "ClockSkew"
  /// An SSH key that was rejected.
  case sshAuthFailed = "SSHAuthFailed"
  /// A host that requires a second factor.
  case sshSecondFactor = "SSHSecondFactor"
  /// A private key that cannot be read.
  case keyUnreadable = "KeyUnreadable"
  /// A host key that differs from the recorded key.
  case sshHostKeyMismatch = "SSHHostKeyMismatch"
  /// An invalid configuration or environment, or a budget for a model with an unknown price.
  case badConfiguration = "BadConfiguration"
  /// An SQLite error, a full disk or a read-only file system.
  case storageFailed = "StorageFailed"
  /// The signal SIGINT or SIGTERM.
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

  /// The kinds of failures that have a row of their own in the table.
  private static let kindsWithRow: [FailureCode: [FailureKind]] = [
    .timeout: [.wait, .idle, .total]
  ]

  /// Returns the row of failures of the given kind: a row of the kind, or the row of the code.
  func row(_ kind: FailureKind?) -> Row {
    switch (self, kind) {
    case (.timeout, .wait?):
      Row(
        "Timed out", action: "check with agent-stat", .retry, .tool, retryable: true, exit: 75)
    case (.timeout, .idle?), (.timeout, .total?):
      // The status is that of timeout(1).
      Row(
        "Timed out", action: "read the agent's last events, then retry", .retry, .tool,
        retryable: true, exit: 124)
    default: row
    }
  }

  /// A heading of a few words that names the failure.
  public var title: String { row.title }
  /// The user's next step, as an imperative.
  public var action: String { row.action }
  /// The action that a program showing the failure should offer.
  public var suggestedAction: SuggestedAction { row.suggested }
  /// The part of the program that the failure comes from.
  public var category: FailureCategory { row.category }
  /// `true` if the same request may succeed later.
  public var isRetryable: Bool { row.retryable }
  /// The exit status of a tool if all its failures have this code (sysexits(3)).
  ///
  /// The status of ``interrupted`` is never used, because the signal itself ends an interrupted
  /// tool. Some kinds have another status; see ``exitStatuses``.
  public var exitStatus: Int32 { row.exit }
  /// The exit status of the code, followed by the other statuses of its kinds, the lowest first.
  public var exitStatuses: [Int32] {
    let others = Set((Self.kindsWithRow[self] ?? []).map { row($0).exit })
    return [exitStatus] + others.subtracting([exitStatus]).sorted()
  }
}
