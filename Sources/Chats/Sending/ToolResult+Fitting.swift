import Core
import Foundation

/// The size of results.
extension ToolResult {
  /// The largest size of a part that is neither a text nor a picture, in bytes of JSON.
  private static let largestPart = 4096

  /// Returns the result with at most `limit` Unicode scalars of text, and a note if some are
  /// missing.
  ///
  /// A result without texts gets its structured content as text. Pictures that no provider reads
  /// are named.
  func fitted(to limit: Int) -> ToolResult {
    var result = self
    let structure = structuredContent.map(\.jsonText)
    let hasText = content.contains { ToolPart($0).text != nil }
    let whole = content + (hasText ? [] : structure.map { [ToolPart.text($0)] } ?? [])
    var (left, total, pictureBytes) = (limit, 0, 0)
    result.content = whole.compactMap { value -> JSONValue? in
      let part = ToolPart(value)
      if let size = part.pictureSize, pictureBytes + size <= ToolPart.largestPicture {
        pictureBytes += size
        return value
      }
      let words = part.text ?? part.name
      let count = words.unicodeScalars.count
      total += count
      guard left > 0 else { return nil }
      defer { left = max(0, left - count) }
      if count > left { return part.with(text: String(words.unicodeScalars.prefix(left))) }
      let isSmall = part.text != nil || value.jsonText.utf8.count <= Self.largestPart
      return isSmall ? value : ToolPart.text(words)
    }
    if total > limit {
      result.content.append(
        ToolPart.text("[The result was cut: it has \(total) characters; \(limit) are shown.]"))
    }
    if structure?.utf8.count ?? 0 > limit { result.structuredContent = nil }
    return result
  }
}

extension JSONValue {
  /// The value as JSON text with sorted members.
  var jsonText: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}
