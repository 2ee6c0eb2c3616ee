public import ArgumentParser
import Command
public import Core
import HubClient
import HubQuestions
import Watching

struct SetThreshold: Tool {
  static let configuration = verbConfiguration(
    "threshold", abstract: "Set a threshold for alerts")

  @Argument(help: "The kind of threshold.")
  var kind: Threshold.Kind
  @Argument(
    help: "A swarm, session, skill, agent, gate or incident, or 'all' for the default.",
    completion: .thresholdTargets)
  var id: String
  @Argument(help: "The new value.", transform: Double.decimal)
  var value: Double
  @Option(help: "Act when the value is reached: pause the swarm.")
  var then: Threshold.Action?
  @Option(help: "The reason, for the audit log.")
  var reason: String?
  @Option(help: ArgumentHelp("Idempotency key: a repeated request acts once.", valueName: "id"))
  var requestId: String?
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard kind.allows(value) else {
      throw ValidationError(
        kind.unit == "part"
          ? "The value must be from 0 to 1." : "The value must be a number of \(kind.unit).")
    }
    guard then == nil || kind.allowsAction else {
      throw ValidationError("--then is for swarmCost and swarmAgents only.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let request = Steering.Request(id: requestId, reason: reason)
    let id = id == "all" ? nil : id
    let threshold = try await Place(hub.hub, session).steer { (steerer) throws(Failure) in
      try steerer.set(kind, for: id, to: value, then: then, by: request)
    }
    try session.output.write(threshold)
  }
}

extension Threshold.Kind: ExpressibleByArgument {}

extension Threshold.Action: ExpressibleByArgument {}
