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
  /// Returns the runner of pipelines, configured by the options.
  ///
  /// - Parameters:
  ///   - session: The session of the tool.
  ///   - store: The store that contains the pipelines.
  ///   - sink: The sink for events.
  ///   - place: The place, such as a hub, where people steer runs and decide gates.
  /// - Returns: The runner.
  /// - Throws: `BadConfiguration` if the configuration is invalid; `BadUsage` if an option is
  ///   invalid.
  func runner(
    _ session: Session, _ store: Store, recordingTo sink: any EventSink, _ place: Place
  ) throws(Failure) -> PipelineRunner {
    let configuration = try session.configuration()
    let access = ModelAccess(
      configuration, session.directories, keys: session.keys(configuration),
      environment: session.environment,
      timeouts: models.timeouts, retries: models.retries)
    var services = RunServices(
      store: store, directories: session.directories, models: access,
      events: RunEvents(sink, heartbeat: heartbeat.value), report: session.report
    ) { allowPrivate in
      var options = FetchOptions(userAgent: session.userAgent)
      options.allowPrivate = allowPrivate
      return PageFetcher(client: access.http, options: options)
    }
    services.streamsDeltas = stream
    services.tellsThinking = stream || !session.output.isNDJSON
    services.decide = session.approval(store, place, seconds: wait?.value)
    try services.join(place, store)
    let answers = StreamedAnswers(asText: stream && !session.output.isNDJSON)
    services.emit = { [output = session.output] (record) throws(Failure) in
      for record in answers.records(record) { try output.write(record) }
    }
    return PipelineRunner(services, options: try runOptions())
  }

  /// Returns the options that are stored with the pipelines.
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
  /// Connects gates and steering to the given place.
  ///
  /// - Throws: The errors of `Place.gates`.
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
        let controls = HubControls(hub, runners, gates: gates, report: place.report) {
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
