import Core

/// The tokens of a Codex thread so far.
struct CodexUsage: Codable, Sendable, Hashable {
  /// The model that the thread uses.
  var model: String?
  /// The service tier that the thread asks for; nil for that of the account.
  var tier: String?
  /// The number of tokens that the context holds; nil if unknown.
  private(set) var contextTokens: Int?
  /// `true` once the file has a record for each call.
  ///
  /// Totals then only repeat the records.
  var hasRecords = false
  /// The tokens of the last step of the total.
  var lastStep: Usage?
  private var total = Usage()

  /// Returns the increase of the thread's total in the given report.
  ///
  /// A total that falls was reset.
  ///
  /// - Parameters:
  ///   - info: The report.
  ///   - isBase: `true` if the total belongs to copied lines.
  /// - Returns: The increase, and the total as a word; nil if no call is to be counted.
  mutating func step(_ info: JSONObject, isBase: Bool) -> (usage: Usage, total: String)? {
    if let name = info.string("model") { model = name }
    setContext(info)
    let last = info.object("last_token_usage").flatMap { Usage(codex: $0) }
    guard let now = info.object("total_token_usage").flatMap({ Usage(codex: $0, isSum: true) })
    else {
      guard !isBase, !hasRecords, let last, !last.isEmpty else { return nil }
      return (last, "last \(Self.word(last))")
    }
    let grown = now.grown(since: total) ?? now
    total = now
    guard !isBase, !hasRecords, !grown.isEmpty else { return nil }
    return (grown, Self.word(now))
  }

  /// Sets the size of the context, if the given object states one that is plausible.
  mutating func setContext(_ object: JSONObject) {
    guard let size = object.count("model_context_window"), (1...100_000_000).contains(size) else {
      return
    }
    contextTokens = size
  }

  private static func word(_ usage: Usage) -> String {
    [
      usage.inputTokens, usage.cacheReadTokens, usage.cacheWriteTokens, usage.outputTokens,
      usage.reasoningTokens ?? 0,
    ].map(String.init).joined(separator: ".")
  }
}

/// The answers of a Codex thread, which the file does not number.
///
/// An answer consists of the items up to the report of its tokens. Its id is derived from the time
/// of its first item.
struct CodexAnswers: Codable, Sendable, Hashable {
  private var open: String?
  private var hasInput = false
  private var last = ""
  private var repeated = 0

  /// `true` if there are items whose tokens were not reported yet.
  var isOpen: Bool { open != nil }

  /// Records that something other than an answer was written.
  mutating func addInput() { hasInput = true }

  /// Returns the id of the answer to which an item belongs.
  mutating func add(_ session: SessionKey, _ at: Timestamp?) -> String {
    if let open, !hasInput { return open }
    let name = "\(session.id) \(at?.iso8601 ?? "")"
    repeated = name == last ? repeated + 1 : 0
    last = name
    let id = repeated == 0 ? name : "\(name) \(repeated)"
    (open, hasInput) = (id, false)
    return id
  }

  /// Returns the id of the answer to which a call belongs, and closes the answer.
  ///
  /// A call without items gets an answer of its own.
  mutating func close(for call: String) -> String {
    defer { (open, hasInput) = (nil, false) }
    return open ?? "call \(call)"
  }
}

/// The prompts since the last answer, each of which a file may contain twice.
struct CodexPrompts: Codable, Sendable, Hashable {
  /// The two forms in which a prompt is written.
  enum Form: String, Codable { case item, event }

  private struct Seen: Codable, Hashable {
    var form: Form
    var digest: String
  }

  private var seen: [Seen] = []

  /// Returns `true` if the given prompt was not seen yet in the other form.
  mutating func isNew(_ text: String, _ form: Form) -> Bool {
    let digest = SHA256Digest.base64(Array(text.utf8))
    if let index = seen.firstIndex(where: { $0.digest == digest && $0.form != form }) {
      seen.remove(at: index)
      return false
    }
    seen = seen.suffix(15) + [Seen(form: form, digest: digest)]
    return true
  }

  /// Forgets the prompts, because an answer follows.
  mutating func forget() { seen = [] }
}
