import Command
import CompanionClient
import Core

extension HostOptions {
  /// Returns the chats of the host that the options name; nil if they name none.
  ///
  /// - Throws: `NotFound` if there is no such host; the errors of `HostBook.peer(_:allowsHTTP:)`.
  func chats(_ session: Session) throws(Failure) -> HostChats? {
    guard let host else { return nil }
    let book = try HostBook(session)
    return try book.host(host).map { (host) throws(Failure) in
      HostChats(try book.peer(host, allowsHTTP: network.allowHTTP))
    }
  }
}
