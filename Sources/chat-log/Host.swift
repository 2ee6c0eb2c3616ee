import Command
import CompanionClient
import Core

extension HostOptions {
  /// Returns the chats of the named host; nil if none is named.
  ///
  /// - Throws: `NotFound`, and the errors of `HostBook.peer`.
  func chats(_ session: Session) throws(Failure) -> HostChats? {
    guard let host else { return nil }
    let book = try HostBook(session)
    return try book.host(host).map { (host) throws(Failure) in
      HostChats(try book.peer(host, allowsHTTP: network.allowHTTP))
    }
  }
}
