public import Core
public import Events

/// The choices of a run about its tools.
public struct ToolOptions: Sendable {
  /// The patterns of `--allow`.
  public var allow: [String] = []
  /// `true` to ask a person at the terminal, if there is one.
  public var asksPerson = true
  /// `true` to use only tools that their sources mark as read-only.
  public var isReadOnly = false
  /// Opens a page in the person's browser, for questions of servers and for logins.
  public var openPage: @Sendable (_ page: String) -> Void = { _ in }
  /// The patterns of the configuration that allow calls; nil for those of `[tools]`.
  public var configured: [String]?
  /// The receiver of each state of a gate; nil to open no gates.
  public var gate: (@Sendable (ApprovalGate) -> Void)?
  /// The file of `--mcp-config`: its name, and its content.
  public var configuration: (name: String, bytes: [UInt8])?
  /// The version of this program, which servers are told.
  public var version = ""
  /// The number of retries of failed requests; nil for the usual numbers.
  public var retries: Int?
  /// The log to which a span of each sent call is written; nil for none.
  public var journal: EventJournal?

  /// Creates the default choices.
  public init() {}
}
