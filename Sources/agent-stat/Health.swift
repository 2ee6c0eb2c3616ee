import ArgumentParser
import Command
import Core
import Display
import Watching

struct ListContexts: Tool {
  static let configuration = verbConfiguration(
    "context", abstract: "List the context usage of conversations")

  @Argument(help: "The session's id.")
  var id: String?
  @Option(
    help: ArgumentHelp("Show only this swarm.", valueName: "id"), completion: .swarms)
  var swarm: String?
  @OptionGroup var options: WatchOptions
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let answer = try await session.answer(hub, watching: options.watch) {
      (outlook) throws(Failure) in
      guard let id else { return StatAnswer(try outlook.contexts(ofSwarm: swarm)) }
      return StatAnswer([try outlook.context(ofSession: id, inSwarm: swarm)])
    }
    let contexts = answer.records.compactMap { $0 as? ContextHealth }
    guard !session.output.isNDJSON, let unknown = contexts.first(where: { $0.maxTokens == nil })
    else { return }
    let model = unknown.model.map { "'\(Visible.line($0))'" } ?? "an unknown model"
    session.diagnostics.report(
      "'?' marks an unknown context window, such as that of \(model): "
        + "set 'contextTokens' of the model in config.toml")
  }
}

struct ListSkills: Tool {
  static let configuration = verbConfiguration(
    "skills", abstract: "List the failure rates of skills and tools")

  @OptionGroup var options: WatchOptions
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    try await session.answer(hub, watching: options.watch) { (outlook) throws(Failure) in
      StatAnswer(try outlook.skills(.hour))
    }
  }
}

struct ShowSkill: Tool {
  static let configuration = verbConfiguration(
    "skill", abstract: "Show the failure rates of a skill")

  @Argument(help: "The skill's id.", completion: .skills)
  var id: String
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    try await session.answer(hub) { (outlook) throws(Failure) in
      let report = try outlook.report(ofSkill: id)
      return StatAnswer(report.health, plots: CallPlots(report))
    }
  }
}

extension CallPlots {
  fileprivate init(_ report: SkillReport) {
    self.init(
      latencies: report.latencies.map { ($0.milliseconds, $0.calls) },
      series: [
        ("the last hour by minute", report.minutes.calls, report.minutes.failures),
        ("the last day by hour", report.hours.calls, report.hours.failures),
      ])
  }
}
