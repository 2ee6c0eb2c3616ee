public import Core
import Foundation
import HTTP
public import MCP
import OAuth
import Terminals

/// A person at the terminal of this process, who answers the questions of tools and servers, one at
/// a time.
public final class ToolTerminal: Sendable {
  private let terminal: Descriptor
  private let interruption: Interruption
  private let openPage: @Sendable (_ page: String) -> Void
  /// The queue of questions, because there is one terminal.
  private let blocking = Blocking("tools", inOrder: true)

  /// Creates a terminal if this process can read from one without being stopped: `/dev/tty` opens,
  /// and its foreground process group is ours (tcgetpgrp(3)).
  ///
  /// - Parameters:
  ///   - interruption: Ends the wait for an answer.
  ///   - openPage: Opens a page in the person's browser.
  public init?(
    _ interruption: Interruption, open openPage: @escaping @Sendable (_ page: String) -> Void
  ) {
    terminal = Descriptor(Foundation.open("/dev/tty", O_RDWR | O_CLOEXEC))
    (self.interruption, self.openPage) = (interruption, openPage)
    guard terminal.isOpen, tcgetpgrp(terminal.number) == getpgrp() else { return nil }
  }

  /// Asks the given question.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - given: Returns the permission that another answer gave meanwhile.
  /// - Returns: The answer.
  /// - Throws: `Interrupted` if the process is interrupted.
  func ask(
    _ question: ToolQuestion, _ given: @escaping @Sendable () -> ToolPermission?
  ) async throws(Failure) -> ToolAnswer {
    try await blocking.run { [self] () throws(Failure) in
      // An answer to an earlier question may have settled this one.
      if given() != nil { return .once }
      begin("\n" + question.lines.joined(separator: "\n"))
      let choices = Self.choices(question)
      while true {
        let prompt = choices.map(\.shown).joined(separator: ", ") + "? "
        guard let text = try line(prompt) else { return .nobody }
        let word = text.lowercased()
        let found = choices.first { word == $0.word || word == String($0.word.prefix(1)) }
        if let found { return found.answer }
      }
    }
  }

  private struct Choice {
    var word: String
    var answer: ToolAnswer
    /// The word with its first letter in brackets.
    var shown: String { "[\(word.prefix(1))]\(word.dropFirst())" }
  }

  private static func choices(_ question: ToolQuestion) -> [Choice] {
    if case .server = question.subject {
      return [Choice(word: "yes", answer: .always), Choice(word: "no", answer: .no)]
    }
    let inChat = question.chatId == nil ? [] : [Choice(word: "chat", answer: .chat)]
    return [Choice(word: "once", answer: .once)] + inChat + [
      Choice(word: "always", answer: .always), Choice(word: "no", answer: .no),
      Choice(word: "stop", answer: .stop),
    ]
  }

  /// Shows the given prompt, and returns the line that the person types; nil if the terminal is
  /// closed.
  private func line(_ prompt: String) throws(Failure) -> String? {
    // Input typed before the question must not answer it.
    tcflush(terminal.number, TCIFLUSH)
    show(prompt)
    _ = try interruption.isReadable(terminal.number)
    var bytes = [UInt8](repeating: 0, count: 4096)
    // In canonical mode, read(2) returns whole lines.
    let count = read(terminal.number, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Shows the given lines, below what other programs have left on the terminal.
  private func begin(_ lines: String) { show("\(LineStart.text(of: terminal.number))\(lines)\n") }

  private func show(_ text: String) {
    // A failed write needs no handling: the next read reports the closed terminal.
    _ = terminal.write(Array(text.utf8))
  }
}

extension ToolTerminal: MCPPerson {
  /// Asks for the members of a form, one after the other.
  public func fill(
    _ message: String, _ schema: JSONValue, for server: String
  ) async -> MCPAnswer {
    let form = ServerForm(schema)
    let answer = try? await blocking.run { [self] () throws(Failure) -> MCPAnswer in
      begin("\n\(Visible.line(server)) asks: \(ApprovalGate.words(message))")
      guard try agrees("answer") else { return .decline }
      var members: [String: JSONValue] = [:]
      for field in form.fields {
        guard let value = try ask(field) else { return .cancel }
        members[field.name] = value.isEmpty ? nil : field.value(value)
      }
      return .accept(members)
    }
    return answer ?? .cancel
  }

  /// Shows an address with its host, and opens it after a yes.
  public func open(
    _ address: String, _ message: String, for server: String
  ) async -> MCPAnswer {
    let answer = try? await blocking.run { [self] () throws(Failure) -> MCPAnswer in
      let host = URLComponents(string: address)?.host ?? "an unknown host"
      begin(
        "\n\(Visible.line(server)) asks to open a page of '\(Visible.line(host))': "
          + "\(ApprovalGate.words(message))\n  \(ApprovalGate.words(address))")
      guard try agrees("open") else { return .decline }
      openPage(address)
      return .accept([:])
    }
    return answer ?? .cancel
  }

  private func agrees(_ verb: String) throws(Failure) -> Bool {
    while true {
      switch try line("[\(verb.prefix(1))]\(verb.dropFirst()), [d]ecline? ") {
      case verb, String(verb.prefix(1)): return true
      case nil, "d", "decline": return false
      default: break
      }
    }
  }

  /// Asks for one member until its value fits; an empty line stands for its preset value, or leaves
  /// out an optional member.
  private func ask(_ field: ServerForm.Field) throws(Failure) -> String? {
    while true {
      guard let text = try line("  \(field.prompt): ") else { return nil }
      if text.isEmpty, let preset = field.preset { return preset }
      if text.isEmpty, !field.isRequired { return "" }
      if !text.isEmpty, field.value(text) != nil { return text }
    }
  }
}

extension ToolTerminal {
  /// Asks the person to log in at the given server, and opens the page of the login.
  ///
  /// - Parameters:
  ///   - entry: The server.
  ///   - access: The access that the login opens.
  ///   - challenge: The fields `www-authenticate` of the refusal.
  /// - Returns: `false` if the person does not want to log in.
  /// - Throws: As ``OAuthLogin/login(challenge:with:_:)``.
  func logIn(
    at entry: ServerEntry, _ access: OAuthAccess, _ challenge: String?
  ) async throws(Failure) -> Bool {
    let isWanted = try await blocking.run { [self] () throws(Failure) in
      begin(
        "\n\(Visible.line(entry.source)) at '\(Failure.shownURL(access.resource))' requires a login"
      )
      return try agrees("login")
    }
    guard isWanted else { return false }
    let browser = OAuthBrowser.local { [self] page in
      begin("  log in at \(Visible.line(page))")
      openPage(page)
    }
    try await OAuthLogin(access, as: entry.identity).login(
      challenge: challenge, with: browser, interruption)
    return true
  }

  /// Shows the link at which a person connects the given toolkit, and waits for the person.
  ///
  /// - Returns: `true` if the person says that the toolkit is connected.
  /// - Throws: `Interrupted` if the process is interrupted.
  func connect(_ toolkit: String, _ link: String) async throws(Failure) -> Bool {
    try await blocking.run { [self] () throws(Failure) in
      begin("\nopen this page to connect '\(Visible.line(toolkit))':\n  \(Visible.line(link))")
      return try agrees("connected")
    }
  }
}
