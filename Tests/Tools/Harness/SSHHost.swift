import Foundation
import TestSupport

/// A host for SSH: OpenSSH's own server on a port of 127.0.0.1, with keys and a tmux of its own.
final class SSHHost: Sendable {
  struct DidNotStart: Error, CustomStringConvertible {
    var description: String
  }

  let scratch: Scratch
  /// The name of its folder.
  let name: String
  let port: Int
  let server: Child

  /// Starts the host.
  ///
  /// - Parameters:
  ///   - scratch: The place of its files.
  ///   - name: The name of its folder; hosts of one name have the same users' keys.
  ///   - hostKey: The file of its key in the folder, created if it does not exist.
  ///   - port: The port; by default any that is free.
  ///   - settings: More lines for sshd_config(5).
  /// - Throws: ``DidNotStart``.
  init(
    _ scratch: Scratch, _ name: String = "host", hostKey: String = "host_key", port: Int? = nil,
    settings: [String] = []
  ) async throws {
    self.scratch = scratch
    self.name = name
    let folder = scratch.path(name)
    // As root, OpenSSH's server changes its root to this folder, which a distribution creates at
    // boot.
    if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
    for key in ["user_key", "\(name)/\(hostKey)"]
    where !FileManager.default.fileExists(atPath: scratch.path(key)) {
      try FileManager.default.createDirectory(
        atPath: folder + "/tmux", withIntermediateDirectories: true)
      try await scratch.shell("ssh-keygen -q -t ed25519 -N '' -f '\(scratch.path(key))'")
    }
    scratch.set("TMUX_TMPDIR", folder + "/tmux")
    var last = ""
    for attempt in 0..<10 {
      let port = port ?? Self.freePort()
      let configuration = [
        "Port \(port)", "ListenAddress 127.0.0.1", "HostKey \(folder)/\(hostKey)",
        "AuthorizedKeysFile \(scratch.path("user_key.pub"))", "PidFile none", "UsePAM no",
        "StrictModes no", "LogLevel VERBOSE", "SetEnv TMUX_TMPDIR=\(folder)/tmux",
      ]
      let log = "\(name)/sshd.\(hostKey).\(attempt)"
      try scratch.write(
        "\(name)/sshd_config", (settings + configuration).joined(separator: "\n") + "\n")
      let child = try Child(
        ["/usr/sbin/sshd", "-D", "-e", "-f", folder + "/sshd_config"],
        environment: ["PATH": "/usr/sbin:/usr/bin:/bin"], folder: folder,
        streams: [0: .read("/dev/null"), 1: .append("/dev/null"), 2: .append(scratch.path(log))])
      scratch.keep(child)
      try await scratch.until("sshd listens or has ended") {
        last = scratch.read(log)
        return last.contains("Server listening") || last.contains("fatal")
          || last.contains("Cannot bind") || child.hasEnded
      }
      if last.contains("Server listening") {
        (self.port, server) = (port, child)
        return
      }
    }
    throw DidNotStart(description: last)
  }

  /// The name for tools.
  var address: String { "\(NSUserName())@127.0.0.1:\(port)" }

  /// The option of tmux-attach for a machine on which a login takes longer than by default.
  static let patience = "--timeout 250s"

  /// The name for tools on a shell's command line, with that option.
  var patientAddress: String { "\(address) \(Self.patience)" }

  /// The name under which its keys are recorded.
  var recordedName: String { "[127.0.0.1]:\(port)" }

  /// Returns the SHA-256 of a key file, as OpenSSH prints it.
  func fingerprint(_ file: String = "host_key") async throws -> String {
    let run = try await scratch.shell("ssh-keygen -l -f '\(scratch.path(name))/\(file).pub'")
    return run.output.split(separator: " ").dropFirst().first.map(String.init) ?? ""
  }

  /// The processes that serve one connection each.
  var connections: [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { name in
      guard let id = pid_t(name),
        let bytes = FileManager.default.contents(atPath: "/proc/\(id)/stat")
      else { return nil }
      let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?
        .split(separator: " ")
      return fields.map { $0.count > 1 && $0[1] == "\(server.id)" } == true ? id : nil
    }
  }

  /// Returns a port that nobody listens on now.
  ///
  /// The system gives it to no other program by itself, so that a server may end and return to it.
  static func freePort() -> Int {
    while true {
      #if os(Linux)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #endif
      defer { close(descriptor) }
      let port = UInt16.random(in: 20_000..<32_000)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let isFree = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      if isFree { return Int(port) }
    }
  }
}
