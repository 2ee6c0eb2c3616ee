import ArgumentParser
import Command
import Core
import Remote

struct TrustHost: Tool {
  static let configuration = verbConfiguration(
    "trust", abstract: "Record the key that a host shows")

  @OptionGroup var host: HostOperand
  @OptionGroup var remote: RemoteOptions
  @Flag(help: "Trust the key that it shows now in place of those recorded.")
  var reset = false
  @Option(
    help: ArgumentHelp(
      "The new key, where there is no terminal to ask at.", valueName: "fingerprint"))
  var confirm: String?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard reset || confirm == nil else {
      throw ValidationError("--confirm goes with --reset.")
    }
  }

  func run(_ session: Session) throws(Failure) {
    let reach = try session.reach(host.name, remote)
    guard let hop = reach.hops.last else { return }
    let identity = hop.identity
    var connector = reach.connector
    let key = try connector.hostKey(reach.hops)
    let known = connector.knownHosts(hop)
    let record = try known.record(of: identity)
    let verdict = record.verdict(on: key)
    try connector.checkPin(key, identity)
    if case .trusted(let place) = verdict {
      return try write(key, identity, .known, place.file, session)
    }
    guard reset else {
      // To record it is what was asked for; of the hosts on the way it was not.
      connector.policy = .acceptNew
      try connector.trust(key, as: identity, record, in: known.store)
      return try write(key, identity, .added, known.store.path, session)
    }
    if case .revoked = verdict, let failure = verdict.failure(host: identity, offered: key) {
      throw failure
    }
    let was = verdict.failure(host: identity, offered: key)?.explanation ?? "no key is recorded"
    try Confirmation(session).ask(
      word: confirm == nil ? "TRUST" : key.fingerprint, given: confirm,
      "\(was). From now on '\(identity.name)' is trusted with \(key.fingerprint) (\(key.algorithm)).",
      inScripts: key.fingerprint)
    let count = try known.store.reset(identity, trusting: key)
    try write(
      key, identity, count > 0 ? .replaced : .added, known.store.path, session)
  }

  private func write(
    _ key: HostKey, _ host: HostIdentity, _ status: HostKeyStatus, _ file: String,
    _ session: Session
  ) throws(Failure) {
    try session.output.write(
      HostKeyRecord(
        host: host.name, algorithm: key.algorithm, fingerprint: key.fingerprint, status: status,
        file: file))
  }
}
