import ArgumentParser
import Command
import Core
import Events
import HubQuestions
import Storage
import Watching

/// What can be closed and opened again.
enum IncidentTarget: String, ExpressibleByArgument, CaseIterable { case incident }

/// Why incidents are changed, and by which request.
struct IncidentOptions: ParsableArguments {
  @Option(help: "Why, for the audit.")
  var reason: String?
  @Option(help: ArgumentHelp("Names the request: repeated, it acts once.", valueName: "id"))
  var requestId: String?
  @OptionGroup var hub: HubOptions

  /// Refuses one name for several requests.
  func check(_ ids: [String]) throws {
    guard requestId == nil || ids.count == 1 else {
      throw ValidationError("A request has one incident: leave --request-id out.")
    }
  }
}

struct CloseIncident: Tool {
  static let configuration = verbConfiguration("close", abstract: "Close incidents")

  @Argument(help: "'incident'.")
  var target: IncidentTarget
  @Argument(help: "Their ids.", completion: .openIncidents)
  var ids: [String]
  @OptionGroup var options: IncidentOptions
  @OptionGroup var common: CommonOptions

  func validate() throws { try options.check(ids) }

  func run(_ session: Session) async throws(Failure) {
    try await session.change(
      ids, options, { (hub, id, by) throws(Failure) in try hub.close(incident: id, by: by) },
      here: { (steering, id, by) throws(Failure) in try steering.close(incident: id, by: by) })
  }
}

struct ReopenIncident: Tool {
  static let configuration = verbConfiguration(
    "reopen", abstract: "Open closed incidents again")

  @Argument(help: "'incident'.")
  var target: IncidentTarget
  @Argument(help: "Their ids.", completion: .incidents)
  var ids: [String]
  @OptionGroup var options: IncidentOptions
  @OptionGroup var common: CommonOptions

  func validate() throws { try options.check(ids) }

  func run(_ session: Session) async throws(Failure) {
    try await session.change(
      ids, options, { (hub, id, by) throws(Failure) in try hub.reopen(incident: id, by: by) },
      here: { (steering, id, by) throws(Failure) in try steering.reopen(incident: id, by: by) })
  }
}

extension Session {
  /// Changes incidents one by one, on a hub or here, and reports each that cannot be changed.
  fileprivate func change(
    _ ids: [String], _ options: IncidentOptions,
    _ there:
      @escaping @Sendable (HubSteering, String, Steering.Request) throws(Failure) -> Incident,
    here: (Steering, String, Steering.Request) throws(Failure) -> Incident
  ) async throws(Failure) {
    var steering: Steering?
    for id in ids {
      let request = Steering.Request(id: options.requestId, reason: options.reason)
      do throws(Failure) {
        if let asked = try await self.steering(
          options.hub, { (hub) throws(Failure) in try there(hub, id, request) })
        {
          try output.write(asked)
          continue
        }
        let known: Steering
        if let steering { known = steering } else { known = try steeringHere() }
        steering = known
        try output.write(try here(known, id, request))
      } catch {
        guard ids.count > 1 else { throw error }
        try goOn(after: error)
      }
    }
  }

  private func steeringHere() throws(Failure) -> Steering {
    let store = try Store(directories)
    try Watcher(store: store, journal: EventJournal(opening: directories)).catchUp()
    return Steering(store: store, limits: try configuration().limits)
  }
}
