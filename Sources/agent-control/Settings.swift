public import ArgumentParser
import Command
public import Core
import HubClient
import HubQuestions
import Watching

struct SetThreshold: Tool {
  static let configuration = verbConfiguration(
    "threshold", abstract: "Set from where on something is the matter")

  @Argument(
    help: "What: \(Threshold.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
  var kind: Threshold.Kind
  @Argument(
    help: "For which swarm, session, skill, agent, gate or incident; 'all' for all others.",
    completion: .thresholdTargets)
  var id: String
  @Argument(help: "The number.", transform: Double.decimal)
  var value: Double
  @Option(help: "Why, for the audit.")
  var reason: String?
  @Option(help: ArgumentHelp("Names the request: repeated, it acts once.", valueName: "id"))
  var requestId: String?
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard kind.allows(value) else {
      throw ValidationError(
        kind.unit == "part"
          ? "The value must be from 0 to 1." : "The value must be a number of \(kind.unit).")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let request = Steering.Request(id: requestId, reason: reason)
    let id = id == "all" ? nil : id
    let threshold = try await Place(hub.hub, session).steer { (steerer) throws(Failure) in
      try steerer.set(kind, for: id, to: value, by: request)
    }
    try session.output.write(threshold)
  }
}

extension Threshold.Kind: ExpressibleByArgument {}
