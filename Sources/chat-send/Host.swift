import Chats
import Command
import CompanionClient
import Core
import HubWords

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
    let peer = try book.peer(known, allowsHTTP: network.allowHTTP)
    var answer = Message(role: "assistant", text: "").with {
      ($0.chatId, $0.model, $0.complete) = (chat, model, false)
    }
    do throws(Failure) {
      let chats = HostChats(peer)
      let asked = try await chats.continuation(of: chat, on: known, prompt, model: model)
      func take(_ saying: CompanionPeer.Saying) throws(Failure) {
        switch saying {
        case .delta(let text, let id):
          answer.text += text
          answer.id = id ?? answer.id
          try tell(.delta(Delta(model: model ?? "", text: text).with { $0.messageId = id }))
        case .restart:
          answer.text = ""
          if let id = answer.id { try tell(.restart(messageId: id)) }
        case .message(let message):
          (answer.id, answer.text) = (message.id, message.text)
          answer.createdAt = Timestamp(iso8601: message.createdAt)
        case .done: answer.complete = answer.id != nil || !answer.text.isEmpty
        }
      }
      do throws(Failure) {
        try await peer.goOn(with: chat, asked, tell: take)
      } catch {
        let whole = try await chats.whole(chat, after: error)
        answer.chatId = whole
        try await peer.goOn(with: whole, asked, tell: take)
      }
      if answer.complete != true {
        answer.error = Failure(.streamInterrupted, "the host ended its answer without a message")
      }
    } catch {
      answer.error = error
    }
    try tell(.ended(answer))
    return answer
  }
}
