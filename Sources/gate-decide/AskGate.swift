import ArgumentParser
import Command
import Core
import HubClient
import HubQuestions
import Watching

struct AskGate: Tool {
  static let configuration = verbConfiguration(
    "ask", abstract: "Open a gate and wait for its decision")

  @Argument(help: "The question, in one sentence.")
  var summary: String
  @Option(help: ArgumentHelp("The reason for the question.", valueName: "text"))
  var why: String?
  @Option(help: ArgumentHelp("The effect of an approval.", valueName: "text"))
  var impact: String?
  @Option(help: ArgumentHelp("The risk of an approval.", valueName: "text"))
  var risk: String?
  @Option(help: ArgumentHelp("The decision that you recommend.", valueName: "text"))
  var recommend: String?
  @Option(help: ArgumentHelp("Reject the gate after this time.", valueName: "time"))
  var timeout: Seconds?
  @Option(help: ArgumentHelp("The agent that waits.", valueName: "id"), completion: .agents)
  var agent: String?
  @Option(help: ArgumentHelp("The swarm that waits.", valueName: "id"), completion: .swarms)
  var swarm: String?
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard !summary.allSatisfy(\.isWhitespace) else {
      throw ValidationError("The summary must not be empty.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    var question = GateQuestion(summary, by: LoginName.current)
    question.context = GateContext(
      why: why, impact: impact, risk: risk, recommendedAction: recommend)
    question.agentId = agent
    question.swarmId = swarm
    question.timeout = timeout?.value
    let place = try Place(hub.hub, session)
    let links = place.links()
    try await place.steer { [question] (steerer) throws(Failure) in
      try steerer.ask(question) { (gate) throws(Failure) in
        // The exit status is the answer, whether or not anybody reads the gate.
        try session.writeIfRead { () throws(Failure) in try session.write([links.linked(gate)]) }
      }
    }
  }
}
