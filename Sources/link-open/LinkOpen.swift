import ArgumentParser
import Command
import Core
import Foundation
import HubClient
import Keys
import Links
import Processes
import Providers
import Tokens

@main
struct LinkOpen: Tool {
  static let configuration = toolConfiguration(
    "link-open", abstract: "Open an ayna: link, once you agree",
    discussion: """
      Examples:
        link-open 'ayna://add-model?name=my-model&provider=openai'
        link-open 'ayna://chat?model=sonnet&prompt=Hello' --yes
        link-open https://hub.example.org/page/gates/01933b1c-…
        link-open - < link.txt
      """)

  @Argument(help: "The link or pairing QR text; '-' reads it from stdin.")
  var link: String
  /// Surplus operands.
  ///
  /// They are not repeated in messages, because one may be a link with a key.
  @Argument(help: .private)
  var rest: [String] = []
  @Flag(help: "Do not ask, except before a key is stored.")
  var yes = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard rest.isEmpty else { throw ValidationError("There is more than one link.") }
  }

  func run(_ session: Session) async throws(Failure) {
    let text = try text(session)
    guard !text.hasPrefix("{") else { return try await session.pair(by: text, isAgreed: yes) }
    guard !Self.isPage(text) else { return try session.showPage(text) }
    let link = try AynaLink(text)
    let configuration = try session.configuration()
    let listing = session.listing(configuration)
    let plan = LinkPlan(link, isKnown: listing.knows) { configuration.models[$0] != nil }
    if let added = plan.added { try added.settings.check(added.name) }
    for line in plan.lines { session.diagnostics.report(line, asWritten: true) }
    if !yes { try Confirmation(session).agree("This is what the link asks for.", option: "--yes") }
    try session.add(plan)
    if let chat = plan.chat { try session.run(chat) }
  }

  private static func isPage(_ text: String) -> Bool {
    ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
  }

  private func text(_ session: Session) throws(Failure) -> String {
    guard link == "-" else { return link }
    var input = session.input()
    let text = try input.text()
    return text.hasPrefix("{") ? text : String(text.prefix { !$0.isNewline })
  }
}

extension Session {
  /// Shows the subject of the page to which the given link leads.
  fileprivate func showPage(_ link: String) throws(Failure) {
    var own = [try Place(nil, isHere: true, self).links()]
    if let hub = try OwnHub.existing(in: directories) {
      own.append(WebLinks().withPage(at: hub.url))
    }
    let hubs = try configuration().hubs.compactMapValues { try? HubChoice(url: $0).url }
    let subject = try SubjectLink(link, own: own, hubs: hubs)
    if subject.isOwn { unsetenv(Place.variable) }
    try run(subject.command)
  }

  /// Runs the given command of the tools, and makes this process end as the command does.
  fileprivate func run(_ command: [String]) throws(Failure) {
    end(as: try TerminalCommand.run([OwnTool.path(command[0])] + command.dropFirst()))
  }

  /// Returns the list of known models.
  fileprivate func listing(_ configuration: Settings) -> ModelListing {
    ModelListing(
      ModelAccess(
        configuration, directories, keys: keys(configuration), environment: environment,
        timeouts: (nil, nil, nil), retries: nil
      ).directory)
  }

  /// Stores the model and the key that the given plan adds, and writes the model's record.
  fileprivate func add(_ plan: LinkPlan) throws(Failure) {
    guard let added = plan.added else { return }
    try addedModels.add(added.name, added.settings)
    if let secret = plan.secret, let name = added.settings.key { try store(secret, as: name) }
    try write([try listing(try configuration()).record(added.name)])
  }

  /// Stores the given key from a link, if the user agrees at the terminal.
  fileprivate func store(_ secret: String, as name: String) throws(Failure) {
    do throws(Failure) {
      try Confirmation(self).agree("Store the key that came with the link?", option: nil)
    } catch {
      guard error.kind == .notConfirmed else { throw error }
      return diagnostics.report("the key was not stored: \(error.explanation)")
    }
    let source = try keys(try configuration()).set(name, to: secret)
    diagnostics.report("the key is stored as '\(name)' (\(source.rawValue))")
  }
}
