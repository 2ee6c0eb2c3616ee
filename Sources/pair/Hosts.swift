import ArgumentParser
import Command
import CompanionClient
import Core
import HubWords

extension Session {
  /// Returns the host to contact.
  ///
  /// It is the host that `word` names. Without a name, it is the last one used, or else the hub on
  /// this machine.
  func peer(
    _ word: String?, _ network: NetworkOptions
  ) throws(Failure) -> (host: PairedHost, peer: CompanionPeer) {
    let book = try HostBook(self)
    let known = try book.host(word)
    if let known, known.deviceId != nil || !HubReach.isHere(known.url) {
      return (known, try book.peer(known, allowsHTTP: network.allowHTTP))
    }
    let own = try book.own(known?.url)
    return (known ?? PairedHost(name: HostBook.name(of: own.url), url: own.url), own)
  }
}

struct ListHosts: Tool {
  static let configuration = verbConfiguration(
    "hosts", abstract: "List known hosts")

  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.write(try HostBook(session).hosts())
  }
}

struct ForgetHost: Tool {
  static let configuration = verbConfiguration("forget", abstract: "Forget a host")

  @Argument(help: "The host's name.", completion: .hosts)
  var name: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try HostBook(session).forget(name)
    if session.isOnTerminal { session.diagnostics.report("forgotten: \(Visible.line(name))") }
  }
}
