/// A frame of the answer to `POST /companion/chats/{chatId}/continue`.
public enum AnswerFrame: HubWord {
  /// A piece of the answer, with the answer's id if the host sends it.
  case delta(id: String?, text: String)
  /// A restart of the answer.
  ///
  /// All earlier pieces are void, and the answer begins again with the given id.
  case restart(id: String?)
  /// The complete answer, as the host has stored it.
  case message(CompanionMessage)
  /// The failure that ended the answer: its explanation, its next step and its code.
  case error(String?, action: String?, code: String?)
  /// A frame of a type that only newer hosts know.
  case unknown

  private enum CodingKeys: String, CodingKey { case type, id, text, error, action, code }

  /// Decodes a frame.
  ///
  /// Members may be missing, except in a `message` frame.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) -> String? { try? members.decode(String.self, forKey: key) }
    switch text(.type) {
    case "delta": self = .delta(id: text(.id), text: text(.text) ?? "")
    case "restart": self = .restart(id: text(.id))
    case "message": self = .message(try CompanionMessage(from: decoder))
    case "error": self = .error(text(.error), action: text(.action), code: text(.code))
    default: self = .unknown
    }
  }

  /// Encodes the frame, including its type.
  public func encode(to encoder: any Encoder) throws {
    if case .message(let message) = self { try message.encode(to: encoder) }
    var members = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .delta(let id, let text):
      try members.encode("delta", forKey: .type)
      try members.encodeIfPresent(id, forKey: .id)
      try members.encode(text, forKey: .text)
    case .restart(let id):
      try members.encode("restart", forKey: .type)
      try members.encodeIfPresent(id, forKey: .id)
    case .message: try members.encode("message", forKey: .type)
    case .error(let error, let action, let code):
      try members.encode("error", forKey: .type)
      try members.encodeIfPresent(error, forKey: .error)
      try members.encodeIfPresent(action, forKey: .action)
      try members.encodeIfPresent(code, forKey: .code)
    case .unknown: break
    }
  }
}
