import Core
import Providers

/// The conversion of a chat's messages to the turns of a request.
struct ChatTurns {
  /// A function that returns the bytes of a file attached to an earlier turn; nil if there are
  /// none.
  let content: (AttachedFile) throws(Failure) -> [UInt8]?

  /// Returns the given messages as turns, in order.
  ///
  /// - Parameter messages: The messages. Interrupted answers, answers at the beginning, and calls
  ///   without a result are omitted.
  /// - Returns: The turns.
  /// - Throws: `NotFound` if the bytes of a file are not stored.
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
      // A provider refuses a tool call without a result.
      let opaque = message.toolCalls == nil ? message.opaque : nil
      turns.append(ModelRequest.Turn(role: message.role, parts: parts, opaque: opaque))
    }
    // An answer whose prompt was deleted cannot begin a conversation.
    return Array(turns.drop { $0.role == "assistant" })
  }
}
