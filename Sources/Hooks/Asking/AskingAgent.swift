import CodingAgents
public import Core
import Foundation
import Processes

/// The process of the agent that runs the hook, and its prompt.
public struct AskingAgent: Sendable {
  /// The modes in which an agent shows no dialog.
  private static let silentModes: Set = ["bypassPermissions", "dontAsk"]

  private let request: HookRequest
  private let table = SystemProcesses()
  private let ancestry: Ancestry
  /// The process as Claude Code registered it, and the folder of the registry; nil if it did not.
  private let registered: (entry: ClaudeRegistryEntry, root: String)?
  private let entrypoint: String?

  /// Finds the agent of the given request.
  public init(_ request: HookRequest, environment: [String: String]) {
    self.request = request
    let ancestry = Ancestry(in: table)
    self.ancestry = ancestry
    let roots =
      request.form.agent == .claude ? SessionPlaces(.claude, environment: environment).roots : []
    registered =
      ancestry.members.lazy.flatMap { member in
        roots.lazy.compactMap { root in
          ClaudeRegistryEntry(of: member.id, in: root).map { ($0, root) }
        }.filter { $0.0.identity == member && $0.0.session == request.sessionId }
      }.first
    entrypoint = registered?.entry.entrypoint ?? environment["CLAUDE_CODE_ENTRYPOINT"]
  }

  /// `true` if the agent shows a dialog at its terminal for each call that no rule decides.
  ///
  /// `claude -p` and `codex exec` show none. A Claude Code that another one started may have its
  /// entrypoint.
  public var hasDialog: Bool {
    guard !Self.silentModes.contains(request.mode ?? "") else { return false }
    if request.form.agent == .codex {
      return request.transcript.map { CodexThread($0).isInteractive } ?? false
    }
    guard request.form.agent == .claude, entrypoint == "cli" else { return false }
    let words = registered.map { table.words(of: $0.entry.identity.id) } ?? []
    return !words.contains("-p") && !words.contains("--print")
  }

  /// Waits until the request needs no decision any longer: nobody reads the hook's output, the agent
  /// has ended, or a person answered its own prompt.
  ///
  /// - Parameter interruption: The interruption that ends the wait.
  /// - Throws: `Interrupted`.
  public func waitForAnswer(_ interruption: Interruption) throws(Failure) {
    var transcript = AskedTranscript(request)
    var (wasWaiting, misses) = (registered?.entry.isWaiting ?? false, 0)
    var output = [pollfd(fd: 1, events: 0, revents: 0)]
    while true {
      transcript?.read(interruption)
      if transcript?.isAnswered ?? false { return }
      if ancestry.hasEnded(upTo: registered?.entry.identity, in: table) { return }
      if let registered {
        let now = ClaudeRegistryEntry(of: registered.entry.identity.id, in: registered.root)
        let isWaiting = now?.session == registered.entry.session && now?.isWaiting ?? false
        wasWaiting = wasWaiting || isWaiting
        // Between two prompts, the agent may state for a moment that it works.
        misses = wasWaiting && !isWaiting ? misses + 1 : 0
        if misses > 2 { return }
      }
      try interruption.wait(for: &output, within: 500)
      let events = Int32(output[0].revents)
      if events & (POLLERR | POLLHUP) != 0 { return }
      // A descriptor that is not open would end each wait at once.
      if events != 0 { output[0].fd = -1 }
    }
  }
}

/// The transcript in which the agent writes the results of its calls.
private struct AskedTranscript {
  /// The number of bytes at the end of the transcript in which the call is sought.
  private static let last: Int64 = 4 << 20
  private static let limits = SessionLimits(text: 0, result: 0, arguments: 200_000)

  private var call: AwaitedCall
  private var tail: TranscriptTail
  private var hasBegun = false

  /// Creates the transcript; nil if the request names none.
  init?(_ request: HookRequest) {
    guard let path = request.transcript, let id = request.sessionId,
      let agent = CodingAgent(rawValue: request.form.agent.rawValue)
    else { return nil }
    var file = TranscriptFile(path, SessionKey(agent, id))
    if let subagent = request.subagentId {
      guard !subagent.contains("/") else { return nil }
      file = file.ofSubagent(subagent)
    }
    tail = TranscriptTail(file, limits: Self.limits)
    call = AwaitedCall(
      of: file.session, id: request.callId, tool: request.tool, arguments: .object(request.input))
  }

  var isAnswered: Bool { call.isAnswered }

  /// Reads the new entries; a transcript that cannot be read says nothing.
  mutating func read(_ interruption: Interruption) {
    var entries: [SessionEntry] = []
    try? tail.read(interruption, fromLast: hasBegun ? nil : Self.last) { entries += $0 }
    if hasBegun { call.take(entries) } else { call.take(earlier: entries) }
    hasBegun = true
  }
}
