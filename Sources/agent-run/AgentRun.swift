import Agents
import ArgumentParser
import Command
import Core
import HubClient
import Processes
import Watching

@main
struct AgentRun: Tool {
  static let configuration = toolConfiguration(
    "agent-run", abstract: "Run any command as a watched, steerable agent",
    discussion: """
      Examples:
        agent-run --swarm review --agent linter ./lint-everything.sh
        agent-run --swarm review claude -p 'review this' --output-format stream-json --verbose
        agent-control pause agent linter --reason 'runaway cost'
      """)
  static let handledSignals = AgentRunner.takenSignals

  static func arranged(_ arguments: [String]) -> [String] {
    commandApart(
      arguments,
      valued: [
        "--swarm", "--agent", "--task", "--heartbeat", "--hub", "--spool", "--color",
        "--generate-completion-script",
      ])
  }

  @Option(
    help: ArgumentHelp("The swarm that the agent is part of.", valueName: "name"),
    completion: .swarms)
  var swarm: String?
  @Option(
    help: ArgumentHelp("The agent's id, else one is made.", valueName: "name"),
    completion: .agents)
  var agent: String?
  @Option(help: ArgumentHelp("What the agent does, else the command's name.", valueName: "text"))
  var task: String?
  @Option(
    help: ArgumentHelp("How often it is told that the agent runs: 15s, 1m.", valueName: "time"))
  var heartbeat = Seconds(seconds: 15)
  @OptionGroup var hub: HubOptions
  @Option(
    help: ArgumentHelp(
      "So many bytes of events wait on disk for a hub at most.", valueName: "bytes",
      visibility: .hidden))
  var spool = HubOutbox.usualLimit
  @OptionGroup var common: CommonOptions
  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("The command and its arguments; '--' may go before.", valueName: "command"))
  var command: [String] = []

  func validate() throws {
    guard agent != "", swarm != "" else { throw ValidationError("Names must not be empty.") }
    guard (0.1...3600).contains(heartbeat.value) else {
      throw ValidationError("--heartbeat must be between 0.1s and 1h.")
    }
    guard spool >= 0 else { throw ValidationError("--spool must not be negative.") }
  }

  /// Stdout is the command's.
  static func writesRecords(given arguments: [String]) -> Bool { false }

  func run(_ session: Session) throws(Failure) {
    // Not before the options are known to be right: one that is none is what is wrong then.
    guard !command.isEmpty else {
      throw Failure(.badUsage, "there is no command to run: agent-run [OPTIONS] COMMAND ...")
    }
    Secrets.registerVariables(session.environment)
    let runner = AgentRunner(
      try options(session), session.directories, note: session.report,
      report: { session.diagnostics.report($0) })
    do throws(Failure) {
      let ending = try runner.run { (handle) throws(Failure) in
        session.signals.listen(handle)
        // One that came before would have ended the command, too.
        if session.interruption.signal != nil { throw session.interruption.failure }
      }
      session.end(as: ending)
    } catch {
      session.fail(error)
      if let ending = ProcessEnding(ofCommand: error) { session.end(as: ending) }
    }
  }

  /// Returns the options of the run, with the context sizes that the configuration gives.
  private func options(_ session: Session) throws(Failure) -> AgentRunner.Options {
    let identity = AgentIdentity(
      agentId: agent ?? Identifier.make(), swarmId: swarm,
      task: task ?? AgentIdentity.task(of: command),
      terminal: LocalTerminals.session(session.environment))
    var options = AgentRunner.Options(
      identity: identity, heartbeat: heartbeat.value, argumentCount: command.count)
    options.hub = try Place(hub.hub, session).hub
    options.spoolBytes = spool
    do throws(Failure) {
      let configuration = try session.configuration()
      options.contexts = configuration.models.compactMapValues(\.contextTokens)
    } catch {
      // The command is none of the configuration's business.
      session.diagnostics.report("going on without the configuration: \(error.explanation)")
    }
    return options
  }
}
