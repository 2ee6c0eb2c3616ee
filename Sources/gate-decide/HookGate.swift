public import ArgumentParser
public import CodingAgents
import Command
import Core
import Foundation
import Hooks

extension CodingAgent: ExpressibleByArgument {
  /// The programs whose hooks can be answered.
  public static var allValueStrings: [String] { hooked.map(\.rawValue) }

  /// Creates the program with the given name, if its hooks can be answered.
  public init?(argument: String) {
    guard let agent = Self.hooked.first(where: { $0.rawValue == argument }) else { return nil }
    self = agent
  }
}

struct HookGate: Tool {
  /// The answer if nobody decides in time.
  enum Silence: String, ExpressibleByArgument, CaseIterable { case deny, ask }
  /// The answer if the hook fails.
  enum Fault: String, ExpressibleByArgument, CaseIterable { case closed, open }

  static let configuration = verbConfiguration(
    "hook", abstract: "Answer the hook of an agent, by rules or at a gate")

  @Option(help: ArgumentHelp("The agent; by default it is recognised.", valueName: "agent"))
  var agent: CodingAgent?
  @Option(
    help: ArgumentHelp(
      "Give up after this time, 570s by default, 55s for gemini.", valueName: "time"))
  var timeout: Seconds?
  @Option(help: ArgumentHelp("The answer if nobody decides in time.", valueName: "answer"))
  var onTimeout = Silence.deny
  @Option(
    help: ArgumentHelp("Deny if the hook fails, or leave the call to the agent.", valueName: "how"))
  var fail = Fault.closed
  @Option(
    help: ArgumentHelp("Print the settings of this agent that run the hook.", valueName: "agent"))
  var setup: CodingAgent?
  @Flag(help: "With --setup, add the settings to the agent's file.")
  var write = false
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  static func writesRecords(given arguments: [String]) -> Bool { false }

  /// Denies the request of an agent that runs the hook with wrong options, because the agent would
  /// otherwise run the tool.
  static func status(afterRefusing failure: Failure, given arguments: [String]) -> Int32? {
    guard !arguments.contains(where: { $0.hasPrefix("--setup") }), isatty(0) == 0 else {
      return nil
    }
    let pairs = zip(arguments, arguments.dropFirst() + [""])
    let named = pairs.lazy.compactMap { option, value in
      option == "--agent" ? value : option.hasPrefix("--agent=") ? String(option.dropFirst(8)) : nil
    }.first
    return HookOutput(named.flatMap { CodingAgent(argument: $0) }).refuse(failure)
  }

  func validate() throws {
    guard !write || setup != nil else { throw ValidationError("--write needs --setup.") }
    guard timeout.map({ $0.value > 0 }) ?? true else {
      throw ValidationError("--timeout must be above 0.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    if let setup { return try session.setUp(setup, writes: write) }
    await HookRun(self, session).run()
  }
}
