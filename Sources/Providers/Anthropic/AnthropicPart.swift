import Core

/// A content block of an answer, as much of it as must go back unchanged.
struct AnthropicPart: Sendable {
  /// The JSON text that it started with.
  let start: String
  /// Where its words are among the answer's blocks; nil for one that is for the server or for nobody.
  var place: Int?
  /// What came of its input.
  var input = ""
  /// Members that deltas set, each as JSON.
  private var told: [String: WireText] = [:]
  private var citations: [WireText] = []

  init(start: String) {
    self.start = start
  }

  /// Takes a delta that is neither text nor input: a signature, a citation, or what is not known here.
  mutating func take(_ delta: JSONObject) {
    let raw = RawRecord(object: delta.json)
    for name in delta.names where name != "type" {
      guard let value = raw?.json(name) else { continue }
      if name == "citation" {
        citations.append(WireText(json: value))
      } else {
        told[name] = WireText(json: value)
      }
    }
  }

  /// The arguments of a call: the pieces, else what it started with.
  var arguments: String {
    guard input.isEmpty else { return input }
    return RawRecord(object: start)?.json("input").flatMap { $0 == "null" ? nil : $0 } ?? "{}"
  }

  /// The whole answer as it has to go back; nil where its words are all there is to it, and where it
  /// was cut within a call.
  static func opaque(_ parts: [AnthropicPart], _ answer: ModelAnswer) -> Message.Opaque? {
    // One that says nothing is refused where it comes back.
    let parts = parts.filter { !$0.isEmptyText(answer) }
    let texts = parts.map { $0.whole(answer) }
    guard parts.contains(where: { $0.type != "text" || !$0.citations.isEmpty }),
      !texts.contains(nil)
    else { return nil }
    return Message.Opaque(api: AnthropicBody.api, content: WireText(texts.compactMap(\.self)).json)
  }

  private func isEmptyText(_ answer: ModelAnswer) -> Bool {
    guard let place, case .text(let text) = answer.blocks[place] else { return false }
    return text.isEmpty
  }

  private var type: String? { RawRecord(object: start)?.string("type") }

  /// The block as it would be in an answer that was not streamed.
  private func whole(_ answer: ModelAnswer) -> WireText? {
    guard let raw = RawRecord(object: start), let object = JSONObject(start) else { return nil }
    var members: [String: WireText?] = [:]
    for name in object.names { members[name] = raw.json(name).map { WireText(json: $0) } }
    for (name, value) in told { members[name] = value }
    if !citations.isEmpty { members["citations"] = WireText(citations) }
    if !input.isEmpty {
      guard JSONObject(input) != nil else { return nil }
      members["input"] = WireText(json: input)
    }
    if let place {
      switch answer.blocks[place] {
      case .text(let text): members["text"] = WireText(text)
      case .reasoning(let text): members["thinking"] = WireText(text)
      case .toolCall: break
      }
    }
    return WireText(members)
  }
}
