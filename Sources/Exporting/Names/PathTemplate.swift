public import Core
import Foundation

/// A template for the path of a record's file below the base folder.
///
/// Fields are in braces, as in `{project}/{role}-{date}.md`. The value of a field never separates
/// components, and every component is a name that all systems accept; see ``FileName``.
public struct PathTemplate: Sendable, Hashable {
  /// A value of a record that a path may contain, named by a field of the template.
  public enum Field: String, Sendable, CaseIterable {
    /// The record's project; `project` if it has none.
    case project
    /// The role of an artifact or message; `page` or `chat` for these records.
    case role
    /// The title of an artifact, a page or a chat.
    case title
    /// The record's id. For a page, it is eight digits of a hash of its URL.
    case id
    /// The record's date, such as `2026-02-25`.
    case date
    /// The record's time, such as `10-00-00Z`.
    case time
    /// The record's date and time, such as `2026-02-25T10-00-00Z`.
    case instant
    /// The kind of an artifact; `page` for a page.
    case kind
    /// A page's host.
    case host
    /// The name of a page's site; the page's host if the site's name is unknown.
    case site
    /// A page's author.
    case author
    /// The model that wrote the record.
    case model
    /// The id of the chat that the record belongs to.
    case chat
    /// The record's type.
    case type
  }

  enum Part: Sendable, Hashable {
    case literal(String)
    case field(Field)
  }

  /// For each name in the path, the parts that it consists of.
  private let components: [[Part]]
  /// The end of the last name, including the dot of the extension.
  private let suffix: String

  /// Parses the given template.
  ///
  /// If it has no extension, `.md` is appended.
  ///
  /// - Throws: `BadUsage` if the template is invalid. Its message states the reason.
  public init(_ text: String) throws(Failure) {
    guard !text.isEmpty else { throw Self.wrong(text, "it is empty") }
    if let wrong = text.unicodeScalars.first(where: { $0 != "/" && !FileName.isKept($0) }) {
      throw Self.wrong(text, "'\(Visible.text(String(wrong)))' is not allowed in file names")
    }
    var components: [[Part]] = []
    for component in text.split(separator: "/", omittingEmptySubsequences: false) {
      guard !component.isEmpty else { throw Self.wrong(text, "a component is empty") }
      guard !component.hasPrefix(".") else {
        throw Self.wrong(text, "'\(component)' begins with a dot")
      }
      components.append(try Self.parts(component, of: text))
    }
    var suffix = ".md"
    if case .literal(let end)? = components.last?.last, let dot = end.lastIndex(of: "."),
      end.index(after: dot) < end.endIndex, end[dot...].utf8.count <= 16
    {
      suffix = String(end[dot...])
      components[components.count - 1].removeLast()
      if dot > end.startIndex {
        components[components.count - 1].append(.literal(String(end[..<dot])))
      }
    }
    self.init(components, suffix)
  }

  private init(_ components: [[Part]], _ suffix: String = ".md") {
    self.components = components
    self.suffix = suffix
  }

  /// The default path of a message or an artifact, `{project}/{role}-{instant}.md`.
  static let turn = PathTemplate([
    [.field(.project)], [.field(.role), .literal("-"), .field(.instant)],
  ])
  /// The default path of a page, `{project}/page-{id}.md`.
  ///
  /// It has no instant, because the page has another one in each run.
  static let page = PathTemplate([[.field(.project)], [.literal("page-"), .field(.id)]])
  /// The default path of a chat, `{project}/chat-{instant}.md`.
  static let chat = PathTemplate([
    [.field(.project)], [.literal("chat-"), .field(.instant)],
  ])

  /// Returns the folders of a record's file, and the names that the file may have.
  ///
  /// - Parameters:
  ///   - values: The values of the record. The start of the hash replaces an empty value or a
  ///     missing instant. The text `no-FIELD` replaces any other missing value.
  ///   - hash: The SHA-256 of the record's id in hexadecimal.
  /// - Returns: The folders below the base folder, and the names. The best name is first.
  func path(_ values: [Field: String], hash: String) -> (folders: [String], names: FileNames) {
    let short = String(hash.prefix(8))
    let stems = components.map { parts in
      let stem = parts.map { part in
        switch part {
        case .literal(let text): text
        case .field(let field): Self.text(field, values[field], short, isAlone: parts.count == 1)
        }
      }.joined()
      return FileName.whole(stem.precomposedStringWithCanonicalMapping)
    }
    let folders = stems.dropLast().map { $0.isEmpty ? short : $0 }
    let stem = stems.last.flatMap { $0.isEmpty ? nil : $0 } ?? short
    return (folders, FileNames(stem: stem, hash: hash, suffix: suffix))
  }
}

extension PathTemplate {
  /// Returns the given value as a part of a name.
  ///
  /// If the value is only a part of the name, it is cut to a shorter length.
  private static func text(
    _ field: Field, _ value: String?, _ short: String, isAlone: Bool
  ) -> String {
    let limit = isAlone ? FileName.longest : 120
    let text =
      switch field {
      case .project, .role: FileName.plain(value ?? "", limit: limit)
      default: FileName.readable(value ?? "", limit: limit)
      }
    guard text.isEmpty else { return text }
    return switch field {
    case .project: "project"
    case .role: "unknown"
    case .date, .time, .instant: short
    default: value == nil ? "no-\(field.rawValue)" : short
    }
  }

  private static func parts(
    _ component: Substring, of template: String
  ) throws(Failure) -> [Part] {
    var parts: [Part] = []
    var rest = component
    while let start = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      if start > rest.startIndex { parts.append(.literal(String(rest[..<start]))) }
      guard rest[start] == "{", let end = rest[start...].firstIndex(of: "}") else {
        throw wrong(template, "a brace is unmatched")
      }
      let name = rest[rest.index(after: start)..<end]
      guard let field = Field(rawValue: String(name)) else {
        let known = Field.allCases.map(\.rawValue).joined(separator: ", ")
        throw wrong(template, "unknown field '\(name)': expected one of \(known)")
      }
      parts.append(.field(field))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.literal(String(rest))) }
    return parts
  }

  private static func wrong(_ template: String, _ reason: String) -> Failure {
    Failure(.badUsage, "--template '\(Visible.text(template))': \(reason)")
  }
}
