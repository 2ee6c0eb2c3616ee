import Core

extension Message {
  /// The text in which a search looks: the message's own, then its tool calls and their results.
  var searchableText: String {
    var parts = [text]
    for call in toolCalls ?? [] {
      parts.append(call.name)
      call.arguments.addWords(to: &parts)
    }
    parts += (toolResults ?? []).map(\.text)
    return parts.joined(separator: "\n")
  }
}

extension JSONValue {
  /// Appends the texts and numbers in the value.
  fileprivate func addWords(to parts: inout [String]) {
    switch self {
    case .string(let text): parts.append(text)
    case .int(let number): parts.append(String(number))
    case .double(let number): parts.append(String(number))
    case .array(let values): for value in values { value.addWords(to: &parts) }
    case .object(let members):
      for member in members.sorted(by: { $0.key < $1.key }) { member.value.addWords(to: &parts) }
    case .null, .bool: break
    }
  }
}
