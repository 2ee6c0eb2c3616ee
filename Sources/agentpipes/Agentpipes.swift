import ArgumentParser
import Checkup
import Command
import Core
import Foundation

@main
struct Agentpipes: ToolGroup {
  static let configuration = toolConfiguration(
    "agentpipes", abstract: "Show what is set up here, and the next step",
    discussion: """
      Examples:
        agentpipes
        agentpipes doctor
        agentpipes help stage-run
      """,
    subcommands: [ShowState.self, Examine.self], usual: ShowState.self)

  /// The tools that the first argument may name.
  static var otherTools: [String] { ListedTools.abstracts.map(\.tool) }

  /// Runs the tool that the first argument names, or else this tool.
  ///
  /// After `help`, the second argument may name a tool, whose help is then shown.
  static func main() {
    var words = Array(OwnArguments.words.dropFirst())
    if words.first == "help", words.count > 1, otherTools.contains(words[1]) {
      words = words.dropFirst() + ["--help"]
    }
    if let tool = words.first, otherTools.contains(tool) {
      var arguments = words.map { strdup($0) } + [nil]
      // It returns only if there is no such tool; the parser then refuses the word.
      execvp(OwnTool.path(tool), &arguments)
    }
    launch()
  }
}

struct ShowState: Tool {
  static let configuration = verbConfiguration(
    "state", abstract: "Show the tools, what is set up here, and the next step")

  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let checks = Checkup(session).state()
    if !session.output.isNDJSON {
      try session.output.write(text: ListedTools.text + "\n")
    }
    try session.write(checks)
    guard !session.output.isNDJSON else { return }
    try session.output.write(text: "\nnext: \(Checkup.nextStep(after: checks))\n")
  }
}

struct Examine: Tool {
  static let configuration = verbConfiguration(
    "doctor", abstract: "Check what usually goes wrong, and report how to fix it")

  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let checks = await Checkup(session).examine()
    let wrong = checks.filter { $0.status == .wrong }
    let failure = wrong.first.map { first in
      Failure(
        .badConfiguration, "\(wrong.count) of \(checks.count) checks failed: \(first.summary)",
        kind: .checks, input: first.name, nextStep: first.nextStep)
    }
    try session.end(with: failure) { () throws(Failure) in try session.write(checks) }
  }
}

extension FailureKind {
  /// The kind of a failure that reports failed checks.
  static let checks = Self(rawValue: "checks")
}
