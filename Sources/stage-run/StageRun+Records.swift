import Command
import Core
import Events
import Pipelines

extension StageRun {
  /// Reads the input to its end; nil, with the failures told, when a line of it is bad.
  func readPlans(_ session: Session) throws(Failure) -> FedPlans? {
    var plans = FedPlans()
    var isGood = true
    var input = session.input()
    while let item = try input.next() {
      do throws(Failure) {
        switch item {
        case .bad(let failure): throw failure
        case .record(let record):
          if try !plans.take(record) { try session.passOn(record) }
        }
      } catch {
        guard error.code == .badInput else { throw error }
        session.fail(error)
        isGood = false
      }
    }
    return isGood ? plans : nil
  }

  func writeList(_ session: Session) throws(Failure) {
    guard let store = try Store(existingIn: session.directories) else { return }
    for var pipeline in try store.pipelines(status: status.flatMap(PipelineStatus.init)) {
      // What a run costs that goes on, or was killed, is in its calls alone.
      if pipeline.status == .running {
        pipeline.costUSD = try store.spending(pipelineId: pipeline.id).costUSD
      }
      try session.output.write(pipeline)
    }
  }

  /// A pipeline with its stages, results and gates.
  func write(_ id: String, _ session: Session) throws(Failure) {
    guard let store = try Store(existingIn: session.directories),
      let plan = try store.pipeline(id)
    else { throw Failure(.notFound, "there is no pipeline '\(id)'", input: id) }
    try session.output.write(plan.pipeline)
    let artifacts = try store.artifacts(of: id)
    for stage in plan.stages {
      try session.output.write(stage)
      for artifact in artifacts where artifact.stageId == stage.id {
        try session.output.write(artifact)
      }
      if let gate = try store.gate(ofStage: stage.id) { try session.output.write(gate) }
    }
  }

  /// The options of the run that are kept with its pipelines.
  func runOptions() throws(Failure) -> RunOptions {
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

  /// Tells the event log what runs do.
  func events(_ session: Session) -> RunEvents {
    let journal = EventJournal(session.directories) { session.diagnostics.say($0) }
    return RunEvents(journal, heartbeat: heartbeat.value)
  }

  /// How results are approved: by the store alone with --wait, else at the terminal where there is
  /// one, else not in this run.
  func approval(_ session: Session, _ store: Store) -> PipelineRunner.Decide {
    let watch = GateWatch(store: store, directories: session.directories)
    if let wait {
      return { (gate, _) throws(Failure) in
        try await watch.decision(gateId: gate.gateId, seconds: wait.value)
      }
    }
    guard let terminal = ApprovalTerminal(session) else {
      return { (gate, _) throws(Failure) in try watch.decided(gate.gateId) }
    }
    return { (gate, artifact) throws(Failure) in
      let answer = try await terminal.ask(gate, artifact) { () throws(Failure) in
        try watch.decided(gate.gateId)
      }
      switch answer {
      case .closed: return nil
      case .decided(let gate): return gate
      case .approve:
        _ = try store.decide(gate: gate.gateId, .approve, reason: nil, actor: LoginName.current)
      case .reject(let reason):
        _ = try store.decide(gate: gate.gateId, .reject, reason: reason, actor: LoginName.current)
      }
      return try watch.decided(gate.gateId)
    }
  }
}
