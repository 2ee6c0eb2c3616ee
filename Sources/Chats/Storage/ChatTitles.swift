public import Core
import GRDB
import Keys
import Storage

/// The titles of chats and projects, for shell completion.
///
/// The store is not changed. A key in a keyring is not used, because the keyring may prompt the
/// user.
public enum ChatTitles {
  /// The largest number of chats that are read.
  private static let most = 500
  /// The longest time to wait for another process, in seconds.
  private static let patience = 0.5

  /// Returns the titles of chats by chat id; none if they cannot be read.
  public static func ofChats(_ directories: Directories) -> [String: String] {
    read(directories) { try $0.chats("TRUE", atMost: most).map { ($0.id, $0.title) } }
  }

  /// Returns the names of projects by project id; none if they cannot be read.
  public static func ofProjects(_ directories: Directories) -> [String: String] {
    read(directories) { try $0.projects().map { ($0.id, $0.name) } }
  }

  private static func read(
    _ directories: Directories, _ query: (SealedTables) throws -> [(String, String?)]
  ) -> [String: String] {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(patience)
    let keys = ChatKeys(
      directories: directories,
      keys: KeyStore(directories: directories, environment: [:], command: nil))
    let path = Store.path(directories)
    guard let queue = try? DatabaseQueue(path: path, configuration: configuration),
      let titles = try? queue.read({ database -> [(String, String?)] in
        guard let named = try ChatKeys.named(database), let key = keys.inFile(named) else {
          return []
        }
        return try query(SealedTables(database: database, key: key))
      })
    else { return [:] }
    return Dictionary(titles.compactMap { id, title in title.map { (id, $0) } }) { $1 }
  }
}
