import Core
import Foundation
import Remote
import TestSupport

/// Holds our verdicts against OpenSSH's, and counts.
struct Comparison {
  let folder: String
  let seed: UInt64
  let keys: Keys
  let reference: OpenSSH
  private var equal: [String: Int] = [:]
  private var stricter: [String: Int] = [:]
  private var otherRefusals: [String: Int] = [:]
  private(set) var faults = 0

  init(folder: String, seed: UInt64, keys: Keys, environment: [String: String]) {
    self.folder = folder
    self.seed = seed
    self.keys = keys
    reference = OpenSSH(environment: environment)
  }

  /// Asks about so many files; number N of a seed is the same on every run with the same keys.
  mutating func files(_ count: Int) throws {
    let hosts = [
      Host(name: "box.example", port: 22), Host(name: "box.example", port: 2222),
      Host(name: "10.1.2.3", port: 22), Host(name: "2001:db8::7", port: 2022),
      Host(name: "fe80::1%eth0", port: 22), Host(name: "build", port: 65535),
    ]
    for number in 0..<count {
      let (paths, offered, host) = try file(number, hosts)
      let theirs = try reference.verdict(host, offered, files: paths)
      let ours = try verdict(HostIdentity(host: host.name, port: host.port), offered, paths)
      tally(ours, theirs, "file \(number) of seed \(seed), \(host.recorded)")
    }
  }

  /// Connects to a server that has our keys, so many times in each of two modes.
  mutating func connections(_ count: Int, port: Int) throws {
    let hosts = [
      Host(name: "box.example", port: 22), Host(name: "box.example", port: 2222),
      Host(name: "127.0.0.1", port: port),
    ]
    for number in 0..<count {
      let (paths, offered, host) = try file(number + 1_000_000, hosts)
      let alias = host.port == port ? nil : host.recorded
      let identity = HostIdentity(host: host.name, port: host.port, alias: alias)
      let ours = try verdict(identity, offered, paths)
      let algorithm = offered.algorithm == "ssh-rsa" ? "rsa-sha2-512" : offered.algorithm
      for mode in ["yes", "accept-new"] {
        // It writes what it learns.
        for path in paths {
          try? FileManager.default.removeItem(atPath: path + ".used")
          try FileManager.default.copyItem(atPath: path, toPath: path + ".used")
        }
        let theirs = try reference.connection(
          port: port, name: alias, algorithm: algorithm, mode: mode,
          files: paths.map { $0 + ".used" })
        guard let theirs else {
          throw Failure(.toolFailed, "ssh said nothing that is known about file \(number)")
        }
        tally(ours, theirs, "connection \(number) of seed \(seed), \(host.recorded), \(mode)")
      }
    }
  }

  /// What was counted, a line each.
  var report: String {
    func lines(_ name: String, _ counts: [String: Int]) -> String {
      let parts = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      return "  \(name): \(counts.values.reduce(0, +)) (\(parts.joined(separator: ", ")))\n"
    }
    return lines("equal", equal) + lines("refused, for another reason", otherRefusals)
      + lines("stricter", stricter) + "  fail-open: \(faults)\n"
  }

  /// One file of the user's, and once in three times one of our own before it.
  private func file(_ number: Int, _ hosts: [Host]) throws -> ([String], HostKey, Host) {
    var generator = KnownHostsGenerator(
      keys: keys, random: SeededRandom(seed: seed &* 0x1_0000_0000 &+ UInt64(number)))
    guard let host = hosts.randomElement(using: &generator.random),
      let offered = keys.own.randomElement(using: &generator.random)
    else { throw Failure(.badUsage, "no hosts, or no keys") }
    let names = generator.random.chance(3) ? ["own", "user"] : ["user"]
    let paths = try names.map { name in
      let path = "\(folder)/\(name)"
      try Data(generator.file(host, offered)).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      return path
    }
    return (paths, offered, host)
  }

  private func verdict(
    _ host: HostIdentity, _ offered: HostKey, _ paths: [String]
  ) throws -> Outcome {
    let own = paths.count > 1 ? paths[0] : folder + "/none"
    let files = KnownHosts(store: TrustStore(path: own), others: paths.suffix(1))
    return Outcome(try files.record(of: host).verdict(on: offered))
  }

  private mutating func tally(_ ours: Outcome, _ theirs: Outcome, _ place: String) {
    let pair = "\(theirs.rawValue)>\(ours.rawValue)"
    if ours == theirs {
      equal[ours.rawValue, default: 0] += 1
    } else if ours.isRefusal, theirs.isRefusal {
      otherRefusals[pair, default: 0] += 1
    } else if ours.isRefusal || (theirs == .trusted && ours == .unknown) {
      stricter[pair, default: 0] += 1
    } else {
      faults += 1
      print("fail-open: \(place): OpenSSH \(theirs.rawValue), we \(ours.rawValue)")
    }
  }
}
