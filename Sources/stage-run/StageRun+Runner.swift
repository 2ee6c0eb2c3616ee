import Command
import Core
import Events
import Fetching
import HubClient
import Pipelines
import Providers
import Stages
import Storage

extension StageRun {
  /// What runs pipelines as the options say.
  ///
  /// - Parameters:
  ///   - session: The tool's.
  ///   - store: Where the pipelines are.
  ///   - sink: Where it is told what they do.
  ///   - place: Where that is, where people steer and decide.
  /// - Returns: The runner.
  /// - Throws: `BadConfiguration`, `BadUsage`.
  func runner(
    _ session: Session, _ store: Store, telling sink: any EventSink, _ place: Place
  ) throws(Failure) -> PipelineRunner {
    let configuration = try session.configuration()
    let access = ModelAccess(
      configuration, session.directories, keys: session.keys(configuration),
      environment: session.environment,
      timeouts: models.timeouts, retries: models.retries)
    var services = RunServices(
      store: store, directories: session.directories, models: access,
      events: RunEvents(sink, heartbeat: heartbeat.value), note: session.report
    ) { allowPrivate in
      var options = FetchOptions(userAgent: session.userAgent)
      options.allowPrivate = allowPrivate
      return PageFetcher(client: access.http, options: options)
    }
    services.streamsDeltas = stream
    services.tellsThinking = stream || !session.output.isNDJSON
    services.decide = session.approval(store, place, seconds: wait?.value)
    try services.join(place, store)
    let told = StreamedAnswers(asText: stream && !session.output.isNDJSON)
    services.emit = { [output = session.output] (record) throws(Failure) in
      for record in told.records(record) { try output.write(record) }
    }
    return PipelineRunner(services, options: try runOptions())
  }

  /// The options of the run that are kept with its pipelines.
  private func runOptions() throws(Failure) -> RunOptions {
    var options = RunOptions()
    options.yolo = yolo ? true : nil
    options.maxCost = maxCost
    options.maxTotalTokens = maxTotalTokens
    options.gateTimeout = gateTimeout?.value
    options.allowPrivate = allowPrivate ? true : nil
    options.model = models.model
    options.effort = models.effort
    options.setTeam(try ConfigurationFile.team(models.team))
    return options
  }
}

extension RunServices {
  /// Lets people decide about results, and steer runs, where the place is.
  ///
  /// - Throws: As `Place.gates`.
  fileprivate mutating func join(_ place: Place, _ store: Store) throws(Failure) {
    let (gates, here) = (try place.gates(store), decide)
    decide = { (gate, artifact) async throws(Failure) in
      try await place.refreshGate(gate.gateId, in: store)
      guard let gates else { return try await here(gate, artifact) }
      return try await gates.decision(gateId: gate.gateId) { () async throws(Failure) in
        try await here(gate, artifact)
      }
    }
    steer = place.hub.map { (hub) -> Steer in
      { (runners, outcome) in
        let controls = HubControls(hub, runners, gates: gates, note: place.note) {
          (controls, asked) in
          controls.answer(asked, outcome(asked))
        }
        return {
          await gates?.sendDecisions()
          await Blocking("stage-run.hub").run { controls.close(within: 3) }
        }
      }
    }
  }
}
