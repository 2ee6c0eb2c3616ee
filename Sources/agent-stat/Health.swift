import ArgumentParser
import Command
import Core
import Display
import Watching

struct ListContexts: Tool {
  static let configuration = verbConfiguration(
    "context", abstract: "List how full the contexts of conversations are")

  @Option(
    help: ArgumentHelp("Only those of one swarm.", valueName: "id"), completion: .swarms)
  var swarm: String?
  @OptionGroup var options: WatchOptions
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let answer = try await session.answer(hub, watching: options.watch) {
      (outlook) throws(Failure) in
      StatAnswer(try outlook.contexts(ofSwarm: swarm))
    }
    let contexts = answer.records.compactMap { $0 as? ContextHealth }
    guard !session.output.isNDJSON, let unknown = contexts.first(where: { $0.maxTokens == nil })
    else { return }
    let model = unknown.model.map { "'\(Visible.line($0))'" } ?? "a model that nobody told"
    session.diagnostics.report(
      "'?' stands where it is not known how much a context holds, as that of \(model): "
        + "'contextTokens' of a model in config.toml tells it")
  }
}

struct ListSkills: Tool {
  static let configuration = verbConfiguration(
    "skills", abstract: "List how the skills and tools did in the last hour")

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
    "skill", abstract: "Show how a skill did in the last hour and in the last day")

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
