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
    let trust = try HostTrust(asking: try session.reach(host.name, remote))
    if let known = trust.known { return try session.output.write(known) }
    guard reset else { return try session.output.write(try trust.add()) }
    let fingerprint = trust.key.fingerprint
    try Confirmation(session).request(
      word: confirm == nil ? "TRUST" : fingerprint, given: confirm, try trust.question(),
      inScripts: fingerprint)
    try session.output.write(try trust.replace())
  }
}
