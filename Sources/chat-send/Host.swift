import Chats
import Command
import CompanionClient
import Core

extension HostOptions {
  /// Continues the chat of a host.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - chat: The chat's ID there.
  ///   - model: The model; nil for the chat's last.
  ///   - prompt: The prompt.
  ///   - session: The session that shows the answer.
  ///   - tell: A closure that receives the host's events.
  /// - Returns: The complete answer; it has a failure if the host could not be reached, or failed.
  /// - Throws: `NotFound` for an unknown host, the errors of reading its key, and the errors of
  ///   `tell`.
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
