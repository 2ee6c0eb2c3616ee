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
  ///   - peer: The hub where that is, where people steer and decide; nil for this machine.
  /// - Returns: The runner.
  /// - Throws: `BadConfiguration`, `BadUsage`.
  func runner(
    _ session: Session, _ store: Store, telling sink: any EventSink, _ peer: HubPeer?
  ) throws(Failure) -> PipelineRunner {
    let configuration = try session.configuration()
    let access = ModelAccess(
      configuration, session.directories, keys: session.keys(configuration),
      environment: session.environment,
      timeouts: models.timeouts, retries: models.retries)
    var services = RunServices(
      store: store, directories: session.directories, models: access,
      events: RunEvents(sink, heartbeat: heartbeat.value)
    ) { allowPrivate in
      var options = FetchOptions(userAgent: session.userAgent)
      options.allowPrivate = allowPrivate
      return PageFetcher(client: access.http, options: options)
    }
    services.streamsDeltas = stream
    services.tellsThinking = stream || !session.output.isNDJSON
    services.decide = session.approval(store, seconds: wait?.value)
    if let peer {
      services.join(peer, store) { [diagnostics = session.diagnostics] in diagnostics.say($0) }
    }
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
  /// Lets people steer runs from a hub, and decide there about results.
  fileprivate mutating func join(
    _ peer: HubPeer, _ store: Store, note: @escaping EventJournal.Note
  ) {
    let (gates, here) = (HubGates(peer, store: store), decide)
    decide = { (gate, artifact) async throws(Failure) in
      try await gates.decision(gateId: gate.gateId) { () async throws(Failure) in
        try await here(gate, artifact)
      }
    }
    steer = { runners, outcome in
      let controls = HubControls(peer, runners, note: note) { controls, asked in
        controls.answer(asked, outcome(asked))
      }
      return { await Blocking("stage-run.hub").run { controls.close(within: 3) } }
    }
  }
}
