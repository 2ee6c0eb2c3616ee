import Chats
import Command
import Core
import Foundation

/// The source of prompts: the operand, stdin, or both.
struct PromptInput {
  private let session: Session
  private let operand: String?
  private let readsInput: Bool

  init(_ session: Session, operand: String?, readsInput: Bool) {
    self.session = session
    self.operand = operand == "-" ? nil : operand
    self.readsInput = readsInput
  }

  /// Runs `work` on each prompt in turn.
  ///
  /// `source` is the line from which the prompt was read, if any.
  ///
  /// - Throws: `BadUsage` if there is no prompt; the errors of `work`.
  func each(
    _ work: (ChatPrompt, _ source: String?) async throws(Failure) -> Void
  ) async throws(Failure) {
    if let operand {
      return try await work(try checked(ChatPrompt(text: operand, material: try material())), nil)
    }
    guard readsInput else { throw Failure(.badUsage, "there is no prompt") }
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
    guard !isBlank || !prompt.files.isEmpty else {
      throw Failure(.badUsage, "there is no prompt")
    }
    return prompt
  }

  /// Returns the input that was piped in addition to the operand; nil if there is none.
  ///
  /// A pipe, a socket or a file is read to its end.
  private func material() throws(Failure) -> String? {
    var status = stat()
    guard readsInput, fstat(0, &status) == 0,
      [S_IFIFO, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT)
    else { return nil }
    var input = session.input()
    let text = try input.text()
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }
}
