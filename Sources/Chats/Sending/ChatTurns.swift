import Core
import Providers

/// Turns of a chat as a model is sent them.
struct ChatTurns {
  /// Finds the bytes of a file of an earlier turn.
  let content: (AttachedFile) throws(Failure) -> [UInt8]?

  /// The turns of messages, in order.
  ///
  /// - Parameter messages: What was said; answers that were cut, answers at the beginning, and calls that
  ///   nobody answered, are no part of what goes on.
  /// - Returns: The turns.
  /// - Throws: `NotFound` where the bytes of a file are not kept.
  func turns(_ messages: [Message]) throws(Failure) -> [ModelRequest.Turn] {
    var turns: [ModelRequest.Turn] = []
    for message in messages where ["user", "assistant"].contains(message.role) {
      var parts: [RequestPart] = message.text.isEmpty ? [] : [.text(message.text)]
      for file in message.attachments ?? [] {
        guard let bytes = try content(file) else {
          throw Failure(
            .notFound, "the contents of '\(file.name)' are not stored here", input: file.name)
        }
        parts.append(AttachedContent(file: file, content: bytes).part)
      }
      guard !parts.isEmpty else { continue }
      // A provider refuses a call that no result follows.
      let opaque = message.toolCalls == nil ? message.opaque : nil
      turns.append(ModelRequest.Turn(role: message.role, parts: parts, opaque: opaque))
    }
    // An answer whose prompt was deleted cannot begin a conversation.
    return Array(turns.drop { $0.role == "assistant" })
  }
}
