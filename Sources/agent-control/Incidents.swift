import ArgumentParser
import Command
import Core
import HubClient
import HubQuestions
import Watching

/// The kind of items that can be closed and reopened.
///
/// Incidents are the only one.
enum IncidentTarget: String, ExpressibleByArgument, CaseIterable { case incident }

/// The options for a change to incidents: its reason, and the ID of the request.
struct IncidentOptions: ParsableArguments {
  @Option(help: "The reason, for the audit log.")
  var reason: String?
  @Option(help: ArgumentHelp("Idempotency key: a repeated request acts once.", valueName: "id"))
  var requestId: String?
  @OptionGroup var hub: HubOptions

  /// Rejects a request ID if several incidents are named.
  func check(_ ids: [String]) throws {
    guard requestId == nil || ids.count == 1 else {
      throw ValidationError("--request-id allows one incident only.")
    }
  }
}

struct CloseIncident: Tool {
  static let configuration = verbConfiguration("close", abstract: "Close incidents")

  @Argument(help: "The kind of target.")
  var target: IncidentTarget
  @Argument(help: "The incidents' ids.", completion: .openIncidents)
  var ids: [String]
  @OptionGroup var options: IncidentOptions
  @OptionGroup var common: CommonOptions

  func validate() throws { try options.check(ids) }

  func run(_ session: Session) async throws(Failure) {
    try await session.change(ids, options) { (steerer, id, by) throws(Failure) in
      try steerer.close(incident: id, by: by)
    }
  }
}

struct ReopenIncident: Tool {
  static let configuration = verbConfiguration(
    "reopen", abstract: "Reopen closed incidents")

  @Argument(help: "The kind of target.")
  var target: IncidentTarget
  @Argument(help: "The incidents' ids.", completion: .incidents)
  var ids: [String]
  @OptionGroup var options: IncidentOptions
  @OptionGroup var common: CommonOptions

  func validate() throws { try options.check(ids) }

  func run(_ session: Session) async throws(Failure) {
    try await session.change(ids, options) { (steerer, id, by) throws(Failure) in
      try steerer.reopen(incident: id, by: by)
    }
  }
}

extension Session {
  /// Applies `change` to the given incidents one by one, and reports each failure.
  fileprivate func change(
    _ ids: [String], _ options: IncidentOptions,
    _ change:
      @escaping @Sendable (any Steerer, String, Steering.Request) throws(Failure) -> Incident
  ) async throws(Failure) {
    try await Place(options.hub.hub, self).steer { (steerer) throws(Failure) in
      for id in ids {
        do throws(Failure) {
          let request = Steering.Request(id: options.requestId, reason: options.reason)
          try self.output.write(try change(steerer, id, request))
        } catch {
          guard ids.count > 1 else { throw error }
          try self.goOn(after: error)
        }
      }
    }
  }
}
