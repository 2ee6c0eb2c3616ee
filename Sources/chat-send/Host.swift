import Chats
import Command
import CompanionClient
import Core

extension HostOptions {
  /// Goes on with the chat of a host.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - chat: The chat's id there.
  ///   - model: The model to ask; nil for the chat's last.
  ///   - prompt: What is said.
  ///   - session: Where it is shown.
  ///   - tell: Is told what the host says.
  /// - Returns: The answer as it ended; with a failure where the host could not be asked, or failed.
  /// - Throws: `NotFound` for a host that is not known, what its key cannot be read for, and what
  ///   `tell` throws of the answer.
  func goOn(
    on host: String, with chat: String, model: String?, _ prompt: String, _ session: Session,
    tell: (ChatEvent) throws(Failure) -> Void
  ) async throws(Failure) -> Message {
    let book = try HostBook(session)
    guard let known = try book.host(host) else {
      throw Failure(.notFound, "there is no host '\(host)'", input: host)
    }
    let chats = HostChats(try book.peer(known, allowsHTTP: network.allowHTTP))
    let answer = await chats.answer(in: chat, of: known, to: prompt, model: model) {
      (delta) throws(Failure) in
      if delta.restart == true {
        try tell(.restart(messageId: delta.messageId ?? ""))
      } else {
        try tell(.delta(delta))
      }
    }
    try tell(.ended(answer))
    return answer
  }
}
