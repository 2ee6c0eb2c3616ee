import Core

/// A record as the file it becomes.
struct Document {
  /// The project's folder.
  let folder: String
  /// The names it may have, best first.
  let names: [String]
  /// The bytes that a file which holds the same record begins with; nil when the record has no id.
  let mark: [UInt8]?
  /// The whole file.
  let bytes: [UInt8]

  /// Puts a document together; `id` is the member that tells the record from all others of its
  /// type, `name` what the file's name begins with.
  fileprivate init(
    type: String, id: (key: String, value: String?), project: String?, name: String,
    instant: Timestamp?, body: String, details: (inout FrontMatter) -> Void
  ) {
    var matter = FrontMatter()
    matter.add("type", type)
    matter.add(id.key, id.value)
    mark = id.value.map { _ in Array(matter.lines.utf8) }
    details(&matter)
    bytes = Array(matter.text.utf8) + Self.ended(body)
    folder = FileName.safe(project ?? "", limit: 200, fallback: "project")
    let hash = SHA256Digest.hexadecimal(id.value.map { Array($0.utf8) } ?? bytes)
    let stem = instant.map { name + "-" + FileName.stamp($0) }
    names = [stem, "\(stem ?? name)-\(hash.prefix(8))", "\(stem ?? name)-\(hash)"]
      .compactMap { $0.map { $0 + ".md" } }
  }

  /// The body behind an empty line, with one line end at its end.
  private static func ended(_ body: String) -> [UInt8] {
    let bytes = Array(body.utf8)
    guard let last = bytes.lastIndex(where: { $0 != 0x0A && $0 != 0x0D }) else { return [] }
    return [0x0A] + bytes[...last] + [0x0A]
  }

  /// Room for the instant and a whole hash behind it in the 255 bytes of a file's name.
  fileprivate static func role(_ role: String) -> String {
    FileName.safe(role, limit: 120, fallback: "unknown")
  }
}

extension Document {
  /// The file of an artifact.
  init(_ artifact: Artifact) {
    self.init(
      type: Artifact.type, id: ("id", artifact.id), project: artifact.project,
      name: Self.role(artifact.role.rawValue), instant: artifact.createdAt, body: artifact.content
    ) { matter in
      matter.add("title", artifact.title)
      matter.add("role", artifact.role.rawValue)
      matter.add("kind", artifact.kind)
      matter.add("project", artifact.project)
      matter.add("pipelineId", artifact.pipelineId)
      matter.add("stageId", artifact.stageId)
      matter.add("model", artifact.model)
      matter.add("createdAt", artifact.createdAt)
      matter.add("labels", artifact.labels)
    }
  }

  /// The file of a message.
  init(_ message: Message) {
    self.init(
      type: Message.type, id: ("id", message.id), project: message.project,
      name: Self.role(message.role), instant: message.createdAt, body: message.text
    ) { matter in
      matter.add("role", message.role)
      matter.add("project", message.project)
      matter.add("chatId", message.chatId)
      matter.add("model", message.model)
      matter.add("stopReason", message.stopReason)
      matter.add("complete", message.complete)
      matter.add("usage", message.usage.map(Self.counts))
      matter.add("costUSD", message.costUSD.map(FrontMatter.Value.number))
      matter.add("createdAt", message.createdAt)
      matter.add("labels", message.labels)
    }
  }

  /// The file of a page; its address tells it from others read in the same second.
  init(_ page: Page) {
    let markdown = page.markdown.flatMap { $0.isEmpty ? nil : $0 }
    self.init(
      type: Page.type, id: ("url", page.url), project: page.project,
      name: "page-" + SHA256Digest.hexadecimal(Array(page.url.utf8)).prefix(8),
      instant: page.fetchedAt, body: markdown ?? page.text.map(PlainText.markdown) ?? ""
    ) { matter in
      Self.describe(page, &matter)
    }
  }

  private static func describe(_ page: Page, _ matter: inout FrontMatter) {
    matter.add("title", page.title)
    matter.add("author", page.author)
    matter.add("publishedAt", page.publishedAt)
    matter.add("modifiedAt", page.modifiedAt)
    matter.add("language", page.language)
    matter.add("siteName", page.siteName)
    matter.add("description", page.description)
    matter.add("pageType", page.pageType)
    matter.add("project", page.project)
    matter.add("path", page.path)
    matter.add("finalURL", page.finalURL)
    matter.add("canonicalURL", page.canonicalURL)
    matter.add("redirects", page.redirects.map(FrontMatter.Value.list))
    matter.add("status", page.status)
    matter.add("contentType", page.contentType)
    matter.add("charset", page.charset)
    matter.add("characters", page.characters)
    matter.add("totalCharacters", page.totalCharacters)
    matter.add("truncated", page.truncated)
    matter.add("partial", page.partial)
    matter.add("hidden", page.hidden)
    matter.add("removed", page.removed)
    matter.add("emptyReason", page.emptyReason)
    matter.add("bytes", page.bytes)
    matter.add("sha256", page.sha256)
    matter.add("fetchedAt", page.fetchedAt)
    matter.add("labels", page.labels)
  }

  private static func counts(_ usage: Usage) -> FrontMatter.Value {
    let counts: [(String, Int?)] = [
      ("inputTokens", usage.inputTokens), ("outputTokens", usage.outputTokens),
      ("cacheReadTokens", usage.cacheReadTokens), ("cacheWriteTokens", usage.cacheWriteTokens),
      ("cacheWrite1hTokens", usage.cacheWrite1hTokens),
      ("reasoningTokens", usage.reasoningTokens),
    ]
    return .map(counts.compactMap { name, count in count.map { (name, .integer($0)) } })
  }
}
