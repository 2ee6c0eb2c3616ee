import ArgumentParser
import Command
import Core
import Remote

struct TrustHost: Tool {
  static let configuration = verbConfiguration(
    "trust", abstract: "Record the key of a host")

  @OptionGroup var host: HostOperand
  @OptionGroup var remote: RemoteOptions
  @Flag(help: "Replace the recorded keys with the current one.")
  var reset = false
  @Option(
    help: ArgumentHelp(
      "Confirm the new key without a terminal.", valueName: "fingerprint"))
  var confirm: String?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard reset || confirm == nil else {
      throw ValidationError("--confirm needs --reset.")
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
