public import Core

/// The fields of a file's front matter.
///
/// Every file also has the type of its record, and its id or URL, by which the file is found again.
public enum NoteFields: Sendable, Hashable {
  /// All fields; for a page, the few that a reader needs.
  case usual
  /// All fields.
  case all
  /// The given fields, in their order.
  case chosen([String])

  /// The names of all fields, in the order of the files.
  public static let names = [
    "title", "author", "publishedAt", "modifiedAt", "language", "siteName", "description",
    "pageType", "role", "kind", "project", "projectId", "system", "models", "messages",
    "nextCursor", "pipelineId", "stageId", "chatId", "model", "modelNamed", "groupId", "chosen",
    "attachments", "stopReason", "complete", "error", "usage", "costUSD", "path", "finalURL",
    "canonicalURL", "redirects", "status", "contentType", "charset", "characters",
    "totalCharacters", "truncated", "partial", "hidden", "removed", "emptyReason", "bytes",
    "sha256", "fetchedAt", "createdAt", "lastUpdatedAt", "labels",
  ]

  /// The members that every file has, which may be named among the fields.
  private static let identity = ["type", "id", "url"]

  /// Parses a list of fields with commas between them, or `all`.
  ///
  /// - Throws: `BadUsage` if a field is unknown or missing.
  public init(_ text: String) throws(Failure) {
    let fields = text.split(separator: ",", omittingEmptySubsequences: false).map { field in
      String(field.drop { $0 == " " })
    }
    if fields == ["all"] {
      self = .all
      return
    }
    for field in fields where !(Self.names + Self.identity).contains(field) {
      throw Failure(
        .badUsage,
        "--fields '\(Visible.text(text))': unknown field '\(Visible.text(field))': "
          + "expected all, or some of \(Self.names.joined(separator: ", "))")
    }
    self = .chosen(fields)
  }

  /// The fields of a page's file.
  ///
  /// Without a choice, they are those that tell a reader what the page is, and what of it is
  /// missing.
  var ofPage: NoteFields {
    guard self == .usual else { return self }
    return .chosen([
      "title", "author", "publishedAt", "siteName", "description", "project", "truncated",
      "partial", "emptyReason", "fetchedAt", "labels",
    ])
  }

  /// Returns those of the given entries that are fields of the front matter, except the named
  /// ones, which it already has.
  func chosen<Value>(
    from entries: [(key: String, value: Value)], named: [String]
  ) -> [(key: String, value: Value)] {
    guard case .chosen(let fields) = self else { return entries }
    var left = entries.filter { !named.contains($0.key) }
    return fields.compactMap { field in
      left.firstIndex { $0.key == field }.map { left.remove(at: $0) }
    }
  }
}
