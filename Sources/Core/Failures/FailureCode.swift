/// The failure table's codes: the name that is written, what it means, and what follows from it.
///
/// Codes are matched, texts never. A new failure joins here with all of its columns.
public enum FailureCode: String, Codable, Sendable, CaseIterable {
  /// Options or operands are wrong.
  case badUsage = "BadUsage"
  /// A line is not a record, a field is missing or wrong, or HTTP 400, 413, 422.
  case badInput = "BadInput"
  /// No such file, gate, model, pipeline; HTTP 404, 410.
  case notFound = "NotFound"
  /// DNS, refused, reset, offline.
  case networkUnavailable = "NetworkUnavailable"
  /// No answer in time; HTTP 408, 504.
  case timeout = "Timeout"
  /// Any other status that is not success; 5xx may be retried.
  case serverError = "ServerError"
  /// The peer answered what it should not; a model's stream was cut.
  case invalidResponse = "InvalidResponse"
  /// A live stream ended without its end mark.
  case streamInterrupted = "StreamInterrupted"
  /// The SSH host cannot be reached, a VPN that is down included.
  case sshHostUnreachable = "SSHHostUnreachable"
  /// No tmux on the host.
  case tmuxNotFound = "TmuxNotFound"
  /// The tmux session does not exist.
  case tmuxSessionNotFound = "TmuxSessionNotFound"
  /// No PTY could be opened.
  case terminalInitFailed = "TerminalInitFailed"
  /// The CEO answered in prose; its text is kept as a `message`.
  case noPlan = "NoPlan"
  /// The model declined.
  case modelRefused = "ModelRefused"
  /// robots.txt, the address guard or the content type; `kind` says which.
  case pageRefused = "PageRefused"
  /// A called tool reported an error.
  case toolFailed = "ToolFailed"
  /// A person rejected a gate.
  case userRejected = "UserRejected"
  /// Decided already, or the same request with another body.
  case conflict = "Conflict"
  /// No process runs the agent any more.
  case agentUnreachable = "AgentUnreachable"
  /// A control is kept, and not all agents have answered it.
  case notAnswered = "NotAnswered"
  /// Another process runs this pipeline.
  case busy = "Busy"
  /// `--max-cost` or `--max-total-tokens` is reached.
  case budgetExceeded = "BudgetExceeded"
  /// A gate waits for a decision.
  case paused = "Paused"
  /// HTTP 429 after the retries.
  case rateLimited = "RateLimited"
  /// HTTP 529, or 503 with Retry-After.
  case overloaded = "Overloaded"
  /// The peer refused the protocol's version.
  case protocolMismatch = "ProtocolMismatch"
  /// None was found, or the provider answered 401.
  case missingAPIKey = "MissingAPIKey"
  /// HTTP 402, or a 429 that no waiting heals.
  case quotaExhausted = "QuotaExhausted"
  /// A renewable token was not accepted.
  case authExpired = "AuthExpired"
  /// HTTP 403, an untrusted device, an unsafe file mode, a missing chat key.
  case permissionDenied = "PermissionDenied"
  /// The pairing code is wrong.
  case pairingCodeInvalid = "PairingCodeInvalid"
  /// The pairing code is too old.
  case pairingCodeExpired = "PairingCodeExpired"
  /// The device's trust was withdrawn.
  case deviceRevoked = "DeviceRevoked"
  /// The two clocks are too far apart.
  case clockSkew = "ClockSkew"
  /// The SSH key was not accepted.
  case sshAuthFailed = "SSHAuthFailed"
  /// The host asks for a second factor.
  case sshSecondFactor = "SSHSecondFactor"
  /// The private key cannot be read.
  case keyUnreadable = "KeyUnreadable"
  /// The host key is not the one known.
  case sshHostKeyMismatch = "SSHHostKeyMismatch"
  /// The configuration or the environment is wrong, or a price is unknown under a budget.
  case badConfiguration = "BadConfiguration"
  /// SQLite, a full disk, a read-only place.
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
  /// What the user does next, as an imperative.
  public var action: String { row.action }
  /// What a program that shows the failure should offer.
  public var suggestedAction: SuggestedAction { row.suggested }
  /// The part of the world the failure comes from.
  public var category: FailureCategory { row.category }
  /// Whether the same request may succeed later.
  public var isRetryable: Bool { row.retryable }
  /// The exit status of a tool whose only failures have this code, by sysexits(3).
  ///
  /// ``interrupted`` never reaches it: that tool dies by the signal.
  public var exitStatus: Int32 { row.exit }
}
