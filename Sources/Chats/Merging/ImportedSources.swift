import CodingAgents
public import Core
import Foundation
import GRDB

/// The sources that earlier imports read whole, which are read again only after a change.
///
/// A change is one of the source's files, or of the chats that were made of it.
public struct ImportedSources {
  private struct Entry: Codable {
    var state: String
    /// The marks of the chats, by id.
    var chats: [String: String]
    /// The time of the last import that met the source, in milliseconds since 1970.
    var seenAt: Int64
  }

  private struct Content: Codable {
    var version: String
    var sources: [String: Entry]
  }

  /// The time in seconds after which a source that no import met is forgotten.
  private static let longest = 60.0 * 86_400

  private let path: String
  private var content: Content
  private var new: [String: (state: String, chats: [String])] = [:]

  /// Reads what earlier imports stored.
  ///
  /// - Parameters:
  ///   - directories: The folders of the user.
  ///   - version: The version of the tool. Another version may understand more of a source, so it
  ///     reads all sources again.
  public init(_ directories: Directories, version: String) {
    path = directories.cache + "/imported.json"
    let stored = (try? PrivateFile.read(path)).flatMap {
      try? JSONDecoder().decode(Content.self, from: Data($0))
    }
    content = Content(version: version, sources: [:])
    if let stored, stored.version == version { content = stored }
  }

  private static func key(_ agent: CodingAgent, _ source: SessionSource) -> String {
    SHA256Digest.hexadecimal(Array("\(agent.rawValue) \(source.path)".utf8))
  }

  /// Returns `true` if the source was imported in the given state, and its chats are unchanged.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  mutating func contains(
    _ source: SessionSource, of agent: CodingAgent, in state: String, _ chats: ChatStore
  ) throws(Failure) -> Bool {
    let key = Self.key(agent, source)
    guard let entry = content.sources[key], entry.state == state,
      try chats.marks(of: Array(entry.chats.keys)) == entry.chats
    else { return false }
    content.sources[key]?.seenAt = Timestamp.now.milliseconds
    return true
  }

  /// Records that the source was read in the given state, and became the given chats.
  mutating func add(
    _ source: SessionSource, of agent: CodingAgent, in state: String, as chats: [String]
  ) {
    new[Self.key(agent, source)] = (state, chats)
  }

  /// Stores the sources.
  ///
  /// It is called after all sources were read, because they may take messages from each other.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  mutating func save(_ chats: ChatStore) throws(Failure) {
    let now = Timestamp.now
    for (key, source) in new {
      // Without a chat of its own, a source depends on those of others.
      let marks = source.chats.isEmpty ? nil : try chats.marks(of: source.chats)
      content.sources[key] = marks.map {
        Entry(state: source.state, chats: $0, seenAt: now.milliseconds)
      }
    }
    new = [:]
    content.sources = content.sources.filter {
      now.seconds(since: Timestamp(milliseconds: $0.value.seenAt)) < Self.longest
    }
    guard let data = try? JSONEncoder().encode(content) else { return }
    // If the file cannot be written, the next import only takes longer.
    try? Directories.make((path as NSString).deletingLastPathComponent)
    try? PrivateFile.write(Array(data), to: path)
  }
}

extension ChatStore {
  /// Returns the last change of each of the given chats, and the number and length of its messages.
  ///
  /// - Returns: The marks by id; nil if a chat does not exist.
  /// - Throws: `StorageFailed` if the store cannot be read.
  fileprivate func marks(of ids: [String]) throws(Failure) -> [String: String]? {
    try read { tables in
      let query = try tables.database.cachedStatement(
        sql: """
          SELECT updatedAt || ' ' || (
            SELECT count(*) || ' ' || total(length(sealed)) FROM turn WHERE chatId = chat.id)
          FROM chat WHERE id = ?
          """)
      var marks: [String: String] = [:]
      for id in ids {
        guard let mark = try String.fetchOne(query, arguments: [id]) else { return nil }
        marks[id] = mark
      }
      return marks
    }
  }
}
