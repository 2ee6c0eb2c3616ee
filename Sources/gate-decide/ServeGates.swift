import ArgumentParser
import CodingAgents
import Command
import Core
import Foundation
import Hooks
import Synchronization

struct ServeGates: Tool {
  static let configuration = verbConfiguration(
    "serve", abstract: "Decide requests as an MCP permission tool")

  @Option(help: ArgumentHelp("Deny a request after this time, 570s by default.", valueName: "time"))
  var timeout: Seconds?
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  static func writesRecords(given arguments: [String]) -> Bool { false }

  func validate() throws {
    guard timeout.map({ $0.value > 0 }) ?? true else {
      throw ValidationError("--timeout must be above 0.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    session.reportWaiting()
    try await PermissionRun(
      session, RequestJudge(session: session, hub: hub.hub),
      seconds: timeout?.value ?? CodingAgent.claude.hooks?.deadline ?? 570
    ).run()
  }
}

/// The calls of one agent over standard input and output.
private final class PermissionRun: Sendable {
  private struct State {
    /// The interruptions of the calls that wait.
    var waiting: [JSONValue: Interruption] = [:]
    /// The tasks of the calls that are not answered yet.
    var tasks: [JSONValue: Task<Void, Never>] = [:]
  }

  private let session: Session
  private let judge: RequestJudge
  private let seconds: Double
  private let server: PermissionServer
  private let state = Mutex(State())
  private static let reading = Blocking("permission")
  /// The most calls that wait at once.
  private static let most = 32

  init(_ session: Session, _ judge: RequestJudge, seconds: Double) {
    (self.session, self.judge, self.seconds) = (session, judge, seconds)
    server = PermissionServer(
      version: session.version,
      // Claude Code sets the variable for the programs that it starts.
      sessionId: session.environment["CLAUDE_CODE_SESSION_ID"] ?? Identifier.make(),
      folder: FileManager.default.currentDirectoryPath)
  }

  /// Serves until the input ends; gates that are still open are then withdrawn.
  func run() async throws(Failure) {
    let result: Result<Void, Failure> = await Self.reading.run { Result(catching: self.readAll) }
    let tasks = state.withLock { state in
      for interruption in state.waiting.values { interruption.fire(signal: SIGTERM) }
      return Array(state.tasks.values)
    }
    for task in tasks { await task.value }
    try result.get()
  }

  private func readAll() throws(Failure) {
    var lines = LineReader(interruption: session.interruption)
    while let line = try lines.next() {
      guard line.bytes?.isEmpty != true else { continue }
      // A line that is too long is no message.
      for action in server.actions(for: line.bytes ?? []) { try perform(action) }
    }
  }

  private func perform(_ action: PermissionServer.Action) throws(Failure) {
    switch action {
    case .answer(let line): try session.output.write(lines: line + [0x0A])
    case .cancel(let id): state.withLock { $0.waiting[id] }?.fire(signal: SIGHUP)
    case .decide(let call):
      let interruption = Interruption()
      let isFree = state.withLock { state in
        guard state.waiting.count < Self.most, state.waiting[call.id] == nil else { return false }
        state.waiting[call.id] = interruption
        state.tasks[call.id] = Task { await answer(call, interruption) }
        return true
      }
      guard !isFree else { return }
      try session.output.write(
        lines: server.line(.deny("too many requests wait"), to: call) + [0x0A])
    }
  }

  private func answer(_ call: PermissionCall, _ interruption: Interruption) async {
    let timer = Task {
      try? await Task.sleep(for: .seconds(seconds + 1))
      if !Task.isCancelled { interruption.fire(signal: SIGALRM) }
    }
    var answer: HookAnswer
    do throws(Failure) {
      answer =
        try await judge.answer(to: call.request, within: seconds, interruption)
        ?? .deny(RequestJudge.late)
    } catch {
      if error.code != .interrupted { session.diagnostics.report(error) }
      answer = .deny(RequestJudge.reason(error))
    }
    timer.cancel()
    state.withLock { $0.waiting[call.id] = nil }
    defer { state.withLock { if $0.waiting[call.id] == nil { $0.tasks[call.id] = nil } } }
    // The agent no longer awaits a request that it cancelled.
    guard interruption.signal != SIGHUP else { return }
    try? session.output.write(lines: server.line(answer, to: call) + [0x0A])
  }
}
