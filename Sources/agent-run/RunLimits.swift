import Agents
import ArgumentParser
import Command
import Core
import Watching

/// The options that end a run, let it fail, or repeat it.
struct RunLimits: ParsableArguments {
  @Option(
    help: ArgumentHelp("End a command that prints nothing for this long.", valueName: "time"))
  var idleTimeout: Seconds?
  @Option(help: ArgumentHelp("End a command that runs for this long.", valueName: "time"))
  var totalTimeout: Seconds?
  @Option(
    help: ArgumentHelp(
      "Fail if an agent reports these: denials, tool-errors.", valueName: "faults"),
    completion: .list(["denials", "tool-errors", "denials,tool-errors"]), transform: Self.faults)
  var failOn: Set<RunFault>?
  @Option(
    help: ArgumentHelp(
      "Wait at most this long for the reset of a usage limit, and run again.", valueName: "time"))
  var againAfterLimit: Seconds?

  /// Returns the faults in the given list, whose words are separated by commas.
  static func faults(_ list: String) throws -> Set<RunFault> {
    let words = list.split(separator: ",", omittingEmptySubsequences: false)
    return Set(
      try words.map { word in
        guard let fault = RunFault(rawValue: String(word)) else {
          let known = RunFault.allCases.map(\.rawValue).joined(separator: ", ")
          throw ValidationError("'\(word)' is unknown: expected \(known).")
        }
        return fault
      })
  }

  /// Rejects times of 0, which would end every command at once.
  func check() throws {
    for (name, time) in [("idle", idleTimeout), ("total", totalTimeout)] {
      guard time.map({ $0.value > 0 }) ?? true else {
        throw ValidationError("--\(name)-timeout must be more than 0.")
      }
    }
  }

  /// Sets the options of a run; the given steerer finds the gates at which the agent waits.
  func apply(to options: inout AgentRunner.Options, _ steerer: any Steerer) {
    options.idleTimeout = idleTimeout?.value
    options.totalTimeout = totalTimeout?.value
    options.failOn = failOn ?? []
    options.limitWait = againAfterLimit?.value
    options.isWaiting = { [id = options.identity.agentId] in
      // If the gates cannot be read, the agent may wait at one of them.
      guard let gates = try? steerer.gates(withDecided: false) else { return true }
      return gates.contains { $0.agentId == id }
    }
  }
}
