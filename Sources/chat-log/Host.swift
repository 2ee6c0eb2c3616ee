import ArgumentParser
import Command
import CompanionClient
import Core

/// A host whose chats are meant in place of those here.
struct HostOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The chats of a host that was paired with.", valueName: "host"),
    completion: .hosts)
  var host: String?
  @Flag(
    name: .customLong("allow-http"),
    help: "Send HTTP in the clear to addresses of the whole world, too.")
  var allowHTTP = false

  func validate() throws {
    guard host != nil || !allowHTTP else { throw ValidationError("--allow-http needs --host.") }
  }

  /// The chats of the host that is named; nil where none is.
  ///
  /// - Throws: `NotFound`, and as `HostBook.peer`.
  func chats(_ session: Session) throws(Failure) -> HostChats? {
    guard let host else { return nil }
    let configuration = try session.configuration()
    let book = HostBook(
      session.directories, keys: session.keys(configuration), configured: configuration.hosts)
    return try book.host(host).map { (host) throws(Failure) in
      HostChats(try book.peer(host, allowsHTTP: allowHTTP))
    }
  }
}
