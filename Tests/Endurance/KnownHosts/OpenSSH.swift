import Core
import Foundation
import Processes
import Remote

/// What a verdict comes to, ours and OpenSSH's alike.
enum Outcome: String, CaseIterable {
  case trusted, unknown, changed, revoked, unreadable

  /// Whether no connection is made.
  var isRefusal: Bool { self != .trusted && self != .unknown }

  init(_ verdict: TrustVerdict) {
    self =
      switch verdict {
      case .trusted: .trusted
      case .unknown: .unknown
      case .changed: .changed
      case .revoked: .revoked
      case .unreadable: .unreadable
      }
  }
}

/// What OpenSSH's own programs say of a host's key.
struct OpenSSH {
  let environment: [String: String]

  /// The verdict that ssh comes to by the lines that `ssh-keygen -l -F` finds and can read.
  func verdict(_ host: Host, _ offered: HostKey, files: [String]) throws -> Outcome {
    let named = try found(host.recorded, files)
    let outcome = Self.outcome(named, offered)
    guard outcome == .unknown, host.port != 22 else { return outcome }
    // sshconnect.c: a name with a port that is not known is looked up without it, for trust alone.
    let bare = Self.outcome(try found(host.name, files), offered)
    return bare == .trusted ? .trusted : .unknown
  }

  /// What a connection to a server on loopback comes to, its keys looked up under a name, or under
  /// its address; nil when ssh says nothing of its key.
  func connection(
    port: Int, name: String?, algorithm: String, mode: String, files: [String]
  ) throws -> Outcome? {
    var words = [
      "ssh", "-F", "none", "-p", "\(port)", "-o", "StrictHostKeyChecking=\(mode)",
      "-o", "UserKnownHostsFile=\(files.joined(separator: " "))",
      "-o", "GlobalKnownHostsFile=/dev/null", "-o", "HostKeyAlgorithms=\(algorithm)",
      "-o", "PreferredAuthentications=none", "-o", "BatchMode=yes", "-o", "LogLevel=INFO",
      "-o", "CheckHostIP=no",
    ]
    if let name { words += ["-o", "HostKeyAlias=\(name)"] }
    words += ["nobody@127.0.0.1", "true"]
    let result = try ChildProcess.run(
      ["sh", "-c", "exec \"$@\" 2>&1", "sh"] + words, environment: .whole(environment), seconds: 300
    )
    let text = String(decoding: result.output, as: UTF8.self)
    if text.contains("REVOKED HOST KEY") { return .revoked }
    if text.contains("HOST IDENTIFICATION HAS CHANGED") { return .changed }
    if text.contains("Permanently added") { return .unknown }
    if text.contains("you have requested strict checking") { return .unknown }
    return text.contains("Permission denied (") ? .trusted : nil
  }

  private typealias Line = (isRevoked: Bool, fingerprint: String)

  private func found(_ name: String, _ files: [String]) throws -> [Line] {
    try files.flatMap { file in
      let result = try ChildProcess.run(
        ["ssh-keygen", "-l", "-F", name, "-f", file], environment: .whole(environment),
        seconds: 300,
        maximumOutput: 1 << 24)
      guard result.status < 2 else { throw Failure(.toolFailed, "ssh-keygen ended by a signal") }
      return Self.lines(result.output)
    }
  }

  /// Two lines stand for each: `# Host NAME found: line N MARKER`, `NAME TYPE FINGERPRINT COMMENT`.
  private static func lines(_ output: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var marker: Substring?
    for bytes in output.split(separator: 0x0A) {
      let words = String(decoding: bytes, as: UTF8.self)
        .split(separator: " ", omittingEmptySubsequences: false)
      if let said = marker {
        if said != "CA", words.count > 2 { lines.append((said == "REVOKED", String(words[2]))) }
        marker = nil
      } else if words.count > 5, words[0] == "#", words[1] == "Host" {
        marker = words.count > 6 ? words[6] : ""
      }
    }
    return lines
  }

  private static func outcome(_ lines: [Line], _ offered: HostKey) -> Outcome {
    let same = lines.filter { $0.fingerprint == offered.fingerprint }
    if same.contains(where: \.isRevoked) { return .revoked }
    if !same.isEmpty { return .trusted }
    return lines.contains { !$0.isRevoked } ? .changed : .unknown
  }
}
