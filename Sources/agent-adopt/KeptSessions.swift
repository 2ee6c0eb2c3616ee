import Chats
import Command
import Core
import Sessions

/// The store of chats that receives the text of sessions.
struct KeptSessions {
  private let session: Session
  private let chats: ChatStore

  /// Opens the store.
  ///
  /// - Throws: The failures of the store and of its key.
  init(_ session: Session) throws(Failure) {
    self.session = session
    chats = try ChatStore(session.directories, keys: session.keys(try session.configuration()))
  }

  /// Stores the text of the given sources; known messages are skipped.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  func store(_ sources: [SessionSource]) throws(Failure) {
    guard !sources.isEmpty else { return }
    // An end of the process does not cut the text off.
    var sessions = SessionImport(
      into: chats, environment: session.environment, interruption: Interruption())
    try sessions.run(sources) { session.report(.sentence($0.explanation)) }
  }
}
