public import Core
import HubWords

extension HostChats {
  /// Continues the given chat of the host.
  ///
  /// - Parameters:
  ///   - chat: The chat's id at the host, or a part of it.
  ///   - host: The host.
  ///   - prompt: The prompt.
  ///   - model: The model; nil for the model that the chat last used.
  ///   - report: Receives the answer in pieces. A piece with `restart` voids all pieces before it.
  /// - Returns: The answer. It contains a failure if the request or the host failed, or if `report`
  ///   threw.
  public func answer(
    in chat: String, of host: PairedHost, to prompt: String, model: String?,
    report: (Delta) throws(Failure) -> Void
  ) async -> Message {
    var answer = Message(role: "assistant", text: "").with {
      ($0.chatId, $0.model, $0.complete) = (chat, model, false)
    }
    do throws(Failure) {
      let asked = try await continuation(of: chat, on: host, prompt, model: model)
      func receive(_ frame: AnswerFrame) throws(Failure) {
        if let delta = answer.receive(frame) { try report(delta) }
      }
      do throws(Failure) {
        try await peer.goOn(with: chat, asked, receive: receive)
      } catch {
        let whole = try await whole(chat, after: error)
        answer.chatId = whole
        try await peer.goOn(with: whole, asked, receive: receive)
      }
      answer.complete = answer.id != nil || !answer.text.isEmpty
      if answer.complete != true {
        answer.error = Failure(.streamInterrupted, "the host ended its answer without a message")
      }
    } catch {
      answer.error = error
    }
    return answer
  }
}

extension Message {
  /// Applies the given frame to the answer.
  ///
  /// - Returns: The piece of the answer in the frame; nil if it has none.
  fileprivate mutating func receive(_ frame: AnswerFrame) -> Delta? {
    switch frame {
    case .delta(let id, let more):
      text += more
      self.id = id ?? self.id
      return Delta(model: model ?? "", text: more).with { $0.messageId = id }
    case .restart:
      text = ""
      return id.map { id in
        Delta(model: "", text: "").with { ($0.messageId, $0.restart) = (id, true) }
      }
    case .message(let message):
      (id, text) = (message.id, message.text)
      createdAt = Timestamp(iso8601: message.createdAt)
      return nil
    case .error, .unknown: return nil
    }
  }
}
