import Command
import Core
import Events
import Fetching
import Pipelines
import Providers

extension StageRun {
  /// What runs pipelines as the options say.
  func runner(_ session: Session, _ store: Store) throws(Failure) -> PipelineRunner {
    let configuration = try session.configuration()
    let access = ModelAccess(
      configuration, keys: session.keys(configuration), environment: session.environment,
      timeouts: models.timeouts, retries: models.retries)
    let journal = EventJournal(session.directories) { session.diagnostics.say($0) }
    var services = RunServices(
      store: store, directories: session.directories, models: access,
      events: RunEvents(journal, heartbeat: heartbeat.value)
    ) { allowPrivate in
      var options = FetchOptions(userAgent: session.userAgent)
      options.allowPrivate = allowPrivate
      return PageFetcher(client: access.http, options: options)
    }
    services.streamsDeltas = stream
    services.decide = session.approval(store, seconds: wait?.value)
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
    options.setTeam(try ConfigurationFile.team(models.team))
    return options
  }
}
