import Chats
import Command
import Core
import Foundation

/// The source of prompts: the operand, stdin, or both.
struct PromptInput {
  private let session: Session
  private let operand: String?
  private let readsInput: Bool
  /// `true` if there may be no prompt, because the chat waits for an answer.
  var mayBeAbsent = false

  init(_ session: Session, operand: String?, readsInput: Bool) {
    self.session = session
    self.operand = operand == "-" ? nil : operand
    self.readsInput = readsInput
  }

  /// `true` if an operand is the prompt.
  var hasOperand: Bool { operand != nil }

  /// Runs `work` on each prompt, with the line from which it was read, one after the other.
  ///
  /// - Throws: `BadUsage` if there is no prompt; the errors of `work`.
  func each(
    _ work: (ChatPrompt, _ source: String?) async throws(Failure) -> Void
  ) async throws(Failure) {
    if let operand {
      return try await work(try checked(ChatPrompt(text: operand, material: try material())), nil)
    }
    // At a terminal, a chat that waits for an answer needs no prompt.
    guard readsInput, !mayBeAbsent || isPiped else {
      return try await work(try checked(ChatPrompt(text: "")), nil)
    }
    if mayBeAbsent { try reportWait() }
    var input = session.input()
    guard try input.holdsRecords() else {
      return try await work(try checked(ChatPrompt(text: try input.text())), nil)
    }
    while let item = try input.next() {
      switch item {
      case .bad(let failure): session.fail(failure)
      case .record(let record) where record.type == Message.type:
        do {
          try await prompt(record, work)
        } catch  where error.code != .interrupted && error.code != .storageFailed {
          session.fail(error.at(record.source))
        }
      case .record(let record): try session.passOn(record)
      }
    }
  }

  /// Runs `work` on the given message if a user wrote it.
  ///
  /// A message of another role is passed on.
  private func prompt(
    _ record: RawRecord, _ work: (ChatPrompt, String?) async throws(Failure) -> Void
  ) async throws(Failure) {
    let message = try Message(record)
    guard message.role == "user" else { return try session.passOn(record) }
    var prompt = ChatPrompt(text: message.text, labels: message.labels)
    for file in message.attachments ?? [] {
      guard let content = file.data.flatMap({ Data(base64Encoded: $0) }) else {
        throw Failure(.badInput, "'\(file.name)' has no contents in the record", input: file.name)
      }
      prompt.files.append(try AttachedContent(name: file.name, content: Array(content)))
    }
    try await work(try checked(prompt), record.source)
  }

  private func checked(_ prompt: ChatPrompt) throws(Failure) -> ChatPrompt {
    let isBlank = (prompt.text + (prompt.material ?? "")).allSatisfy(\.isWhitespace)
    guard !isBlank || !prompt.files.isEmpty || mayBeAbsent else {
      throw Failure(.badUsage, "there is no prompt")
    }
    return prompt
  }

  /// `true` if stdin is a pipe, a socket or a file.
  private var isPiped: Bool {
    var status = stat()
    return fstat(0, &status) == 0
      && [S_IFIFO, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// Returns the input that was piped in addition to the operand; it is read to its end.
  private func material() throws(Failure) -> String? {
    guard readsInput, isPiped else { return nil }
    try reportWait()
    var input = session.input()
    let text = try input.text()
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }

  /// Reports after two seconds that the chat waits for input that it can do without.
  ///
  /// A parent that leaves its pipe open, and writes nothing, would stop the chat without a word.
  private func reportWait() throws(Failure) {
    if try !session.interruption.isReadable(0, within: 2000) {
      session.diagnostics.report("waiting for stdin; use -n")
    }
  }
}
