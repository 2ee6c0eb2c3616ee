import Core
import Foundation
import Remote

// Judges host keys, and keeps them, for Tests/Endurance/known-hosts.sh.
//
//   known-hosts-judge files FOLDER COUNT SEED           holds verdicts against ssh-keygen's
//   known-hosts-judge connections FOLDER COUNT SEED PORT   and against a connection's
//   known-hosts-judge add FILE HOST PORT KEY            records a key in a store of ours
//   known-hosts-judge reset FILE HOST PORT [KEY]        forgets a host, and records another key
//
// FOLDER holds what ssh-keygen made: own-*.pub, the keys of the host, other-*.pub, and certificates.
// Exits 1 when a verdict is laxer than OpenSSH's, or a change is refused.

let environment = ProcessInfo.processInfo.environment

/// The keys in the files of a folder whose names are so.
func keys(_ folder: String, _ isWanted: (String) -> Bool) throws -> [HostKey] {
  let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  return try names.filter(isWanted).compactMap { try key("\(folder)/\($0)") }
}

/// The key in a file.
func key(_ path: String) throws -> HostKey? {
  let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
  let words = text.split(whereSeparator: \.isWhitespace)
  return words.count > 1 ? HostKey(base64: words[1].utf8) : nil
}

/// A key of a type that is to come.
func unknownKey() throws -> HostKey {
  let name = "ssh-mldsa65"
  let blob = [0, 0, 0, UInt8(name.utf8.count)] + Array(name.utf8) + [0, 0, 0, 4, 1, 2, 3, 4]
  guard let key = HostKey(blob: blob) else { throw Failure(.badUsage, "no key") }
  return key
}

func compare(_ words: [String]) throws -> Int32 {
  guard words.count >= 4, let count = Int(words[2]), let seed = UInt64(words[3]) else {
    throw Failure(.badUsage, "usage: files|connections FOLDER COUNT SEED [PORT]")
  }
  let known = Keys(
    own: try keys(words[1]) {
      $0.hasPrefix("own-") && !$0.contains("-cert") && $0.hasSuffix(".pub")
    },
    others: try keys(words[1]) {
      $0.hasPrefix("other-") && !$0.contains("-cert") && $0.hasSuffix(".pub")
    },
    certificates: try keys(words[1]) { $0.hasSuffix("-cert.pub") }, unknown: try unknownKey())
  var comparison = Comparison(
    folder: words[1], seed: seed, keys: known, environment: environment)
  if words[0] == "files" {
    try comparison.files(count)
  } else {
    try comparison.connections(count, port: words.count > 4 ? Int(words[4]) ?? 22 : 22)
  }
  print("\(count) \(words[0]) of seed \(seed):\n\(comparison.report)", terminator: "")
  return comparison.faults == 0 ? 0 : 1
}

func change(_ words: [String]) throws -> Int32 {
  guard words.count >= 4, let port = Int(words[3]) else {
    throw Failure(.badUsage, "usage: add|reset FILE HOST PORT [KEY]")
  }
  let store = TrustStore(path: words[1])
  let host = HostIdentity(host: words[2], port: port)
  let key = try words.count > 4 ? key(words[4]) : nil
  if words[0] == "reset" {
    print(try store.reset(host, trusting: key))
  } else if let key {
    print(try store.add(key, for: host))
  }
  return 0
}

do {
  let words = Array(CommandLine.arguments.dropFirst())
  switch words.first {
  case "files", "connections": exit(try compare(words))
  case "add", "reset": exit(try change(words))
  default: throw Failure(.badUsage, "usage: known-hosts-judge files|connections|add|reset …")
  }
} catch let failure as Failure {
  print("\(failure.code.rawValue): \(failure.explanation)")
  exit(1)
}
