import Core

/// A content block of an answer, in the form that must be sent back to the API.
struct AnthropicPart: Sendable {
  /// The JSON text at the start of the block.
  let start: String
  /// The index of the block's text in the answer's blocks; nil for a block without visible text.
  var place: Int?
  /// The pieces of a tool call's input received so far.
  var input = ""
  /// The members that deltas have added to the block, each as JSON.
  private var added: [String: WireText] = [:]
  private var citations: [WireText] = []

  init(start: String) {
    self.start = start
  }

  /// Stores a delta that is neither text nor input: a signature, a citation, or one of unknown
  /// type.
  mutating func store(_ delta: JSONObject) {
    let raw = RawRecord(object: delta.json)
    for name in delta.names where name != "type" {
      guard let value = raw?.json(name) else { continue }
      if name == "citation" {
        citations.append(WireText(json: value))
      } else {
        added[name] = WireText(json: value)
      }
    }
  }

  /// The arguments of a tool call.
  ///
  /// These are the received pieces. If there are none, the arguments are the input at the start of
  /// the block.
  var arguments: String {
    guard input.isEmpty else { return input }
    return RawRecord(object: start)?.json("input").flatMap { $0 == "null" ? nil : $0 } ?? "{}"
  }

  /// Returns the whole answer in the form to send back; nil if it is plain text.
  static func opaque(_ parts: [AnthropicPart], _ answer: ModelAnswer) -> Message.Opaque? {
    // The API refuses an empty text block.
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

  /// Returns the block as an unstreamed answer would contain it.
  private func whole(_ answer: ModelAnswer) -> WireText? {
    guard let raw = RawRecord(object: start), let object = JSONObject(start) else { return nil }
    var members: [String: WireText?] = [:]
    for name in object.names { members[name] = raw.json(name).map { WireText(json: $0) } }
    for (name, value) in added { members[name] = value }
    if !citations.isEmpty { members["citations"] = WireText(citations) }
    if !input.isEmpty {
      // The API takes only objects; a call with other arguments is answered with an error.
      members["input"] = JSONObject(input) == nil ? WireText(json: "{}") : WireText(json: input)
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
