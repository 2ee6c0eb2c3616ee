import Chats
import Command
import CompanionClient
import Core

extension HostOptions {
  /// Sends a prompt to a chat on the host with the given name.
  ///
  /// - Parameters:
  ///   - host: The name of the host.
  ///   - chat: The ID of the chat on the host.
  ///   - model: The name of the model; nil for the last model of the chat.
  ///   - prompt: The prompt.
  ///   - session: The session that shows the answer.
  ///   - tell: Receives the events that the host reports.
  /// - Returns: The answer. It contains a failure if the host could not be reached or reported one.
  /// - Throws: `NotFound` if the host is unknown; the errors of reading its key; the errors of
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
    // An error of writing is thrown after the answer's own failure was reported.
    try? tell(.ended(answer))
    return answer
  }
}
