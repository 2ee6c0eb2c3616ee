import Command
import CompanionClient
import Core

extension HostOptions {
  /// The chats of the host that is named; nil where none is.
  ///
  /// - Throws: `NotFound`, and as `HostBook.peer`.
  func chats(_ session: Session) throws(Failure) -> HostChats? {
    guard let host else { return nil }
    let book = try HostBook(session)
    return try book.host(host).map { (host) throws(Failure) in
      HostChats(try book.peer(host, allowsHTTP: network.allowHTTP))
    }
  }
}
