public import Core

/// A link to a page about an incident, a gate, a trace, a conversation, an agent or a swarm.
///
/// The record of the page can also be shown by one of the tools.
public struct SubjectLink: Sendable, Hashable {
  /// The command that shows the subject: the tool's name and its arguments.
  public let command: [String]
  /// `true` if the subject is of this machine, whatever hub the environment names.
  public let isOwn: Bool

  /// Finds the subject of the given link.
  ///
  /// - Parameters:
  ///   - url: The link.
  ///   - own: The links to the pages of this machine.
  ///   - hubs: The URLs of other hubs, by their local names.
  /// - Throws: `BadUsage` if the link leads to no known page.
  public init(_ url: String, own: [WebLinks], hubs: [String: String]) throws(Failure) {
    let own = own.lazy.compactMap { $0.subject(of: url) }.first
    isOwn = own != nil
    if let own {
      command = Self.command(own, at: nil)
      return
    }
    for (name, base) in hubs.sorted(by: { $0.key < $1.key }) {
      guard let subject = WebLinks().withPage(at: base).subject(of: url) else { continue }
      command = Self.command(subject, at: name)
      return
    }
    throw Failure(
      .badUsage,
      "the link must begin with 'ayna://', or lead to a page of this machine or of a known hub",
      kind: .link, nextStep: "add the hub's URL to config.toml, or open the link in a browser")
  }

  private static func command(
    _ subject: (kind: WebLinks.Kind, id: String), at hub: String?
  ) -> [String] {
    let words =
      switch subject.kind {
      case .gate: ["gate-decide", "show"]
      case .session: ["agent-stat", "context"]
      case .trace: ["stream-tail"]
      case .incident, .agent, .swarm: ["agent-stat", subject.kind.rawValue]
      }
    let place = hub.map { ["--hub=\($0)"] } ?? []
    // The operand may begin with a dash.
    let operand = subject.kind == .trace ? ["--match=\(subject.id)"] : ["--", subject.id]
    return words + place + operand
  }
}
