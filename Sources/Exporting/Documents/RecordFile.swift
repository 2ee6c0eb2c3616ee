import Core
import Foundation

/// The Markdown file of a record, before it is written.
struct RecordFile {
  /// The path template for the record.
  ///
  /// The user's template, if given, replaces it.
  let layout: PathTemplate
  /// The record's values for the fields of a path template.
  let values: [PathTemplate.Field: String]
  /// The SHA-256 of the record's id, in hexadecimal.
  ///
  /// If the record has no id, it is the SHA-256 of the file without its digest.
  let hash: String
  /// The identity of the record's file.
  let mark: FrontMatter.Mark
  /// The bytes of the whole file.
  let bytes: [UInt8]
  /// The SHA-256 of the whole file, in hexadecimal.
  let digest: String
  /// The SHA-256 of the file's content, which ``FrontMatter/Mark`` defines, in hexadecimal.
  ///
  /// Two states of a record that differ only in facts of their retrieval have the same content.
  let content: String

  /// Creates the file of a record.
  ///
  /// `id` is the member that identifies the record among the records of its type. `fields` are the
  /// fields of the front matter.
  init(
    type: String, id: (key: String, value: String?), layout: PathTemplate, instant: Timestamp?,
    values: [PathTemplate.Field: String?], body: String, fields: NoteFields,
    details: (inout FrontMatter) -> Void
  ) {
    var matter = FrontMatter()
    matter.identify(type: type, id: id)
    details(&matter)
    let body = Self.ended(body)
    let lines = matter.lines(fields)
    let plain = Array((lines + "---\n").utf8) + body
    content = FrontMatter.Mark.content(of: plain)
    bytes = Array((lines + FrontMatter.Mark.line(content) + "---\n").utf8) + body
    digest = SHA256Digest.hexadecimal(bytes)
    mark = FrontMatter.Mark(type: type, id: id, plain: plain, digest: content)
    hash = id.value.map { SHA256Digest.hexadecimal(Array($0.utf8)) } ?? content
    self.layout = layout
    var values = values.compactMapValues { $0 }
    values[.type] = type
    if let stamp = instant.map(FileName.stamp) {
      values[.instant] = stamp
      values[.date] = String(stamp.prefix(10))
      values[.time] = String(stamp.dropFirst(11))
    }
    self.values = values
  }

  /// A hash of the record's type and id.
  var identity: Int { [values[.type] ?? "", hash].hashValue }

  /// Returns the given body after an empty line.
  ///
  /// It ends with exactly one line end.
  private static func ended(_ body: String) -> [UInt8] {
    let bytes = Array(body.utf8)
    guard let last = bytes.lastIndex(where: { $0 != 0x0A && $0 != 0x0D }) else { return [] }
    return [0x0A] + bytes[...last] + [0x0A]
  }
}

extension RecordFile {
  /// Creates the file of the given artifact.
  init(_ artifact: Artifact, fields: NoteFields) {
    self.init(
      type: Artifact.type, id: ("id", artifact.id), layout: .turn, instant: artifact.createdAt,
      values: [
        .project: artifact.project, .role: artifact.role.rawValue, .title: artifact.title,
        .id: artifact.id, .kind: artifact.kind, .model: artifact.model,
      ], body: artifact.content, fields: fields
    ) { matter in
      matter.add("title", artifact.title)
      matter.add("role", artifact.role.rawValue)
      matter.add("kind", artifact.kind)
      matter.add("project", artifact.project)
      matter.add("pipelineId", artifact.pipelineId)
      matter.add("stageId", artifact.stageId)
      matter.add("model", artifact.model)
      matter.add("emptyReason", artifact.emptyReason)
      matter.add("createdAt", artifact.createdAt)
      matter.add("labels", artifact.labels)
    }
  }

  /// Creates the file of the given message.
  init(_ message: Message, fields: NoteFields) {
    self.init(
      type: Message.type, id: ("id", message.id), layout: .turn, instant: message.createdAt,
      values: [
        .project: message.project, .role: message.role, .id: message.id, .model: message.model,
        .chat: message.chatId,
      ], body: message.text, fields: fields
    ) { matter in
      matter.add("role", message.role)
      matter.add("project", message.project)
      matter.add("chatId", message.chatId)
      matter.add("model", message.model)
      matter.add("modelNamed", message.modelNamed)
      matter.add("groupId", message.groupId)
      matter.add("chosen", message.chosen)
      matter.add("attachments", message.attachments.map { .list($0.map(\.name)) })
      matter.add("stopReason", message.stopReason)
      matter.add("complete", message.complete)
      matter.add("error", message.error?.explanation)
      matter.add("usage", message.usage.map(FrontMatter.Value.usage))
      matter.add("costUSD", message.costUSD.map(FrontMatter.Value.number))
      matter.add("createdAt", message.createdAt)
      matter.add("labels", message.labels)
    }
  }
}
