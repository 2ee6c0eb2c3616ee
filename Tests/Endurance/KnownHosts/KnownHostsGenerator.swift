import Core
import Cryptography
import Foundation
import Remote
import TestSupport

/// The host that a file is asked about.
struct Host {
  var name: String
  var port: Int

  /// The name that its keys are recorded under.
  var recorded: String { port == 22 ? name : "[\(name)]:\(port)" }
}

/// The keys that lines are made of.
struct Keys {
  /// The keys that the host has, the ones that it does not have, and certificates over both.
  var own: [HostKey]
  var others: [HostKey]
  var certificates: [HostKey]
  /// Of a type that nobody knows.
  var unknown: HostKey
}

/// Makes files of known_hosts in every shape that is known to have misled a reader.
struct KnownHostsGenerator {
  let keys: Keys
  var random: SeededRandom
  /// Whether every line can be read, so that more of them than the first counts.
  private var isTidy = false

  /// Makes files of these keys.
  init(keys: Keys, random: SeededRandom) {
    self.keys = keys
    self.random = random
  }

  /// A file about a host that offers a key: most often about that host, and that key or another.
  mutating func file(_ host: Host, _ offered: HostKey) -> [UInt8] {
    isTidy = !random.chance(3)
    var bytes: [UInt8] = !isTidy && random.chance(20) ? [0xEF, 0xBB, 0xBF] : []
    let count = Int.random(in: 0...12, using: &random)
    for number in 0..<count {
      bytes += line(host, offered)
      if number < count - 1 || !random.chance(4) { bytes.append(0x0A) }
    }
    return bytes
  }

  private mutating func line(_ host: Host, _ offered: HostKey) -> [UInt8] {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return Array(pick(["", " ", "\t", "\r", "#", "# a comment", " \t# x", "@", "@ "]).utf8)
    case 1 where !isTidy: return (0..<60).map { _ in UInt8.random(in: 11...255, using: &random) }
    default: break
    }
    var fields = [names(host), key(offered)]
    let separator = pick([" ", " ", " ", "\t", "  ", " \t"])
    if random.chance(8) { fields[0] = marker() + (isTidy ? " " : separator) + fields[0] }
    var line = pick(["", "", "", "", " ", "\t "])
    line += fields.joined(separator: separator)
    line += pick(["", "", "", " me@here", "\r", " x\r", "\t", " # x"])
    if random.chance(60) { line += " " + String(repeating: "long ", count: 2000) }
    var bytes = Array(line.utf8)
    if isTidy { return bytes }
    if random.chance(30), !bytes.isEmpty {
      bytes.insert(0, at: Int.random(in: 0...bytes.count, using: &random))
    }
    if random.chance(60), !bytes.isEmpty {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
        in: 11...255, using: &random)
    }
    return bytes
  }

  private mutating func marker() -> String {
    let usual = ["@revoked", "@revoked", "@cert-authority"]
    guard !isTidy else { return pick(usual) }
    return pick([
      "@revoked", "@revoked", "@cert-authority", "@revoked\t",
      "@Revoked", "@other", "@revoked @revoked", "@cert-authority @revoked",
    ])
  }

  private mutating func names(_ host: Host) -> String {
    let name = host.recorded
    let last = String(name.dropLast())
    switch Int.random(in: 0..<34, using: &random) {
    case 0..<10: return name
    case 10: return name.uppercased()
    case 11: return "other,\(name),third.example"
    case 12: return "*"
    case 13: return last + "?"
    case 14: return "*" + name.dropFirst(3)
    case 15: return pick(["[*]:\(host.port)", "[\(host.name)]:*", "*.example", "10.*", "*:*"])
    case 16: return "!\(name),*"
    case 17: return "*,!\(name)"
    case 18: return "!other,\(last)*"
    case 19, 20, 21: return hash(name)
    case 22: return hash("other.example")
    case 23: return hash(name) + pick([",other", "\r", "=", "|"])
    case 24: return pick(["|1|AAAA|AAAA", "|2|x|y", "|", "|1|", "|1|\(name)|", "||\(name)"])
    case 25, 26: return host.name
    case 27: return pick([last, name + "2", "other.example", "x" + name])
    case 28: return name + "," + String(repeating: "x", count: pick([1000, 1022, 1023, 5000]))
    case 29: return String(repeating: "x", count: 9000)
    case 30: return pick([",,\(name)", "\(name),", "!,\(name)", "!!\(name),*", ","])
    case 31: return pick(["[\(host.name)]:22", "[\(host.name)]", "[\(host.name)]:2"])
    case 32: return hash(host.name)
    default: return String(repeating: "*", count: 30) + "e*"
    }
  }

  private mutating func key(_ offered: HostKey) -> String {
    let key =
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4: offered
      case 4: random.one(of: keys.own, else: offered)
      case 5, 6, 7: random.one(of: keys.others, else: offered)
      case 8: random.one(of: keys.certificates, else: offered)
      default: keys.unknown
      }
    let (type, text) = (key.algorithm, key.base64)
    guard !isTidy else { return "\(type) \(text)" }
    switch Int.random(in: 0..<40, using: &random) {
    case 0: return "\(type) \(text.dropLast(5))*\(text.suffix(4))"
    case 1: return "\(type) \(text.dropLast(1))"
    case 2: return "\(type) \(text)="
    case 3: return "\(type) \(text.dropLast(8))"
    case 4: return "\(type) \(text.prefix(20))\r\u{B}\(text.dropFirst(20))"
    case 5: return "\(pick(["rsa-sha2-256", "rsa-sha2-512", "ssh-ed25519", "ssh-mldsa65"])) \(text)"
    case 6: return "\(type.uppercased()) \(text)"
    case 7: return pick(["1024 35 1234567890", type, "\(type) ", "", "# x", "\(type) #\(text)"])
    case 8: return "\(type) \(base64(key.blob + [0]))"
    case 9: return "\(type) \(base64(padded(key)))"
    case 10: return "\(type) \(loose(text))"
    case 11: return text
    case 12: return "\(type) \(base64(renamed(key, "rsa-sha2-512")))"
    case 13: return "rsa-sha2-512 \(base64(renamed(key, "rsa-sha2-512")))"
    case 14: return "\(type) \(base64(renamed(key, type.uppercased())))"
    default: return "\(type) \(text)"
    }
  }

  /// The key under another name for its algorithm.
  private func renamed(_ key: HostKey, _ name: String) -> [UInt8] {
    string(Array(name.utf8)) + key.blob.dropFirst(4 + key.algorithm.utf8.count)
  }

  /// An RSA key with more zeros before its second number than it needs.
  private func padded(_ key: HostKey) -> [UInt8] {
    let start = key.algorithm.utf8.count + 4 + 7
    guard key.algorithm == "ssh-rsa", key.blob.count > start + 4 else { return key.blob }
    return Array(key.blob[..<start]) + string([0, 0, 0] + key.blob[(start + 4)...])
  }

  private func string(_ bytes: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) } + bytes
  }

  /// The text with bits in its last digit that stand for nothing, where it has such bits.
  private func loose(_ text: String) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let padding = text.suffix(while: { $0 == "=" })
    guard !padding.isEmpty, let last = text.dropLast(padding.count).last,
      let place = digits.firstIndex(of: last)
    else { return text }
    return text.dropLast(padding.count + 1) + String(digits[place | 1]) + padding
  }

  private mutating func hash(_ name: String) -> String {
    let salt = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
    let code = try? LibCrypto.code(.sha1, of: Array(name.lowercased().utf8), key: salt)
    return "|1|\(base64(salt))|\(base64(code ?? []))"
  }

  private func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }
}

extension String {
  /// The longest end of the text whose characters are all so.
  fileprivate func suffix(while isWanted: (Character) -> Bool) -> Substring {
    Substring(String(reversed().prefix(while: isWanted).reversed()))
  }
}
