import Core
import Foundation

/// The search for the private keys that are tried at a host.
///
/// Each file is read once, and its passphrase is requested at most once.
final class KeySearch {
  /// The key files that the user named.
  private let named: [String]
  private let here: LocalSide
  private var files: [String: LoginKey] = [:]
  private var opened: [String: PrivateKey] = [:]
  private var stored: [LoginKey]?
  private var mayAsk = true

  /// The default key files, in the order in which they are tried.
  private static let usual = ["id_ed25519", "id_ecdsa", "id_rsa"]

  init(named: [String], here: LocalSide) {
    self.named = named
    self.here = here
  }

  /// Disables passphrase prompts permanently.
  func stopAsking() { mayAsk = false }

  /// Returns the keys to try at the given hop.
  ///
  /// - Throws: The errors of ``keys(in:agent:leavesOutOthers:)``.
  func keys(for hop: Hop) throws(Failure) -> [LoginKey] {
    try keys(in: hop.identityFiles, agent: hop.agent, leavesOutOthers: hop.leavesOutOthers)
  }

  /// Returns the keys to try, without duplicates.
  ///
  /// They are in this order: keys that the user named, keys that the configuration names, stored
  /// keys, default keys that the agent holds, other keys of the agent, and other default keys.
  ///
  /// - Parameters:
  ///   - files: The key files that the user or the configuration names for the host.
  ///   - path: The path of the agent's socket; empty for no agent, nil for the agent in the
  ///     environment.
  ///   - leavesOutOthers: `true` to use only those keys of the agent that are also in files.
  /// - Returns: The keys that could be read.
  /// - Throws: `KeyUnreadable` if a named key cannot be used, except a missing file that only the
  ///   configuration names; `Interrupted` if the process is to end.
  func keys(
    in files: [String], agent path: String? = nil, leavesOutOthers: Bool = false
  ) throws(Failure) -> [LoginKey] {
    let agent = SSHAgent(
      path: path ?? here.user.environment["SSH_AUTH_SOCK"] ?? "", interruption: here.interruption)
    let held = try agent.identities() ?? []
    var keys: [LoginKey] = []
    func add(_ others: [LoginKey]) {
      for key in others where !keys.contains(where: { $0.isSame(as: key) }) { keys.append(key) }
    }
    for path in files {
      do throws(Failure) {
        add([try key(path, agent, held)])
      } catch {
        // A configuration may name files that are not on this machine.
        guard !named.contains(path), error.kind == .noFile else { throw error }
      }
    }
    guard named.isEmpty else { return keys }
    add(try storedKeys())
    let usual = files.isEmpty ? try usualKeys(agent, held) : []
    add(usual.filter(\.isAgents))
    if !leavesOutOthers {
      add(held.map { LoginKey($0.comment, $0.key, .agent(agent, $0.key)) })
    }
    add(usual)
    return keys
  }

  private func usualKeys(
    _ agent: SSHAgent, _ held: [SSHAgent.Identity]
  ) throws(Failure) -> [LoginKey] {
    var keys: [LoginKey] = []
    for name in Self.usual {
      do throws(Failure) {
        keys.append(try key("\(here.user.home)/.ssh/\(name)", agent, held))
      } catch {
        guard error.code == .keyUnreadable else { throw error }
        // Another key may work.
        if error.kind != .noFile { here.report(error.sentence) }
      }
    }
    return keys
  }

  private func storedKeys() throws(Failure) -> [LoginKey] {
    if let stored { return stored }
    let store = try here.storedKeys()
    var keys: [LoginKey] = []
    for name in store.names {
      do throws(Failure) {
        keys.append(try LoginKey(try store.key(name)))
      } catch {
        // Another key may work.
        here.report(error.sentence)
      }
    }
    stored = keys
    return keys
  }

  /// Returns the key in the file at the given path.
  ///
  /// If the file is encrypted and the agent holds the key, the agent signs with it.
  private func key(
    _ path: String, _ agent: SSHAgent, _ held: [SSHAgent.Identity]
  ) throws(Failure) -> LoginKey {
    let found: LoginKey
    if let known = files[path] {
      found = known
    } else {
      found = try read(path, held)
    }
    files[path] = found
    guard case .file = found.holder, opened[path] == nil, let publicKey = found.publicKey,
      held.contains(where: { $0.key == publicKey })
    else { return found }
    return LoginKey(found.name, publicKey, .agent(agent, publicKey))
  }

  private func read(_ path: String, _ held: [SSHAgent.Identity]) throws(Failure) -> LoginKey {
    if let key = KeyFile.publicKey(inFile: path), held.contains(where: { $0.key == key }) {
      // Only the agent holds the private half.
      return LoginKey(path, key, .file { () throws(Failure) in throw PrivateKey.gone(path) })
    }
    let file = try KeyFile(path)
    guard file.isEncrypted else {
      return try LoginKey(try PrivateKey(file: file) { () throws(Failure) in nil })
    }
    return LoginKey(path, file.publicKey, .file { () throws(Failure) in try self.open(file) })
  }

  private func open(_ file: KeyFile) throws(Failure) -> PrivateKey {
    if let key = opened[file.path] { return key }
    let key = try PrivateKey(file: file) { () throws(Failure) in
      mayAsk ? try here.passphrase(file.path) : nil
    }
    opened[file.path] = key
    return key
  }
}
