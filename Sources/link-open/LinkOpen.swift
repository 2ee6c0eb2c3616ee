import ArgumentParser
import Command
import Core
import Keys
import Links
import Processes
import Providers

@main
struct LinkOpen: Tool {
  static let configuration = toolConfiguration(
    "link-open", abstract: "Open an ayna: link, once you agree",
    discussion: """
      Examples:
        link-open 'ayna://add-model?name=my-model&provider=openai'
        link-open 'ayna://chat?model=sonnet&prompt=Hello' --yes
      """)

  @Argument(help: "The link, or what a QR code of pairing says; '-' reads it from stdin.")
  var link: String
  /// What is too many is not repeated: it may be a link with a key.
  @Argument(help: .private)
  var rest: [String] = []
  @Flag(help: "Do it without asking; a key is not stored then.")
  var yes = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard rest.isEmpty else { throw ValidationError("There is more than one link.") }
  }

  func run(_ session: Session) async throws(Failure) {
    let text = try text(session)
    guard !text.hasPrefix("{") else { return try await session.pair(by: text, isAgreed: yes) }
    let link = try AynaLink(text)
    let configuration = try session.configuration()
    let listing = session.listing(configuration)
    let plan = LinkPlan(link, isKnown: listing.knows) { configuration.models[$0] != nil }
    if let added = plan.added { try added.settings.check(added.name) }
    for line in plan.lines { session.diagnostics.report(line) }
    if !yes { try Confirmation(session).agree("This is what the link asks for.", option: "--yes") }
    try session.add(plan)
    guard let chat = plan.chat else { return }
    session.end(as: try TerminalCommand.run([OwnTool.path(chat[0])] + chat.dropFirst()))
  }

  private func text(_ session: Session) throws(Failure) -> String {
    guard link == "-" else { return link }
    var input = session.input()
    let text = try input.text()
    return text.hasPrefix("{") ? text : String(text.prefix { !$0.isNewline })
  }
}

extension Session {
  /// What is known of models.
  fileprivate func listing(_ configuration: Settings) -> ModelListing {
    ModelListing(
      ModelAccess(
        configuration, directories, keys: keys(configuration), environment: environment,
        timeouts: (nil, nil, nil), retries: nil
      ).directory)
  }

  /// Stores the model that a link adds, and its key, and writes the model's record.
  fileprivate func add(_ plan: LinkPlan) throws(Failure) {
    guard let added = plan.added else { return }
    try addedModels.add(added.name, added.settings)
    if let secret = plan.secret, let name = added.settings.key { try store(secret, as: name) }
    try write([try listing(try configuration()).record(added.name)])
  }

  /// Stores a key that came with a link, if a person at a terminal agrees to it.
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
