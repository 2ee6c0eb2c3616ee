import Core
import Foundation

/// The private keys that are tried at a host.
struct KeySearch {
  /// The files that the user named.
  let named: [String]
  let here: LocalSide

  /// The keys, in order: those named, those of the configuration, the stored ones, and where there are
  /// none, the usual file.
  ///
  /// - Parameter files: The files that are named for the host, by the user or by the configuration.
  /// - Returns: The keys that could be read.
  /// - Throws: `KeyUnreadable`, but for a file of the configuration that is not there.
  func keys(in files: [String]) throws(Failure) -> [PrivateKey] {
    var keys: [PrivateKey] = []
    for path in files {
      do throws(Failure) {
        keys.append(try key(path))
      } catch {
        // A configuration may name files that are not on this machine.
        guard !named.contains(path), error.kind == .noFile else { throw error }
      }
    }
    guard named.isEmpty else { return keys }
    keys += try storedKeys()
    let usual = here.user.home + "/.ssh/id_ed25519"
    if keys.isEmpty, access(usual, F_OK) == 0 { keys.append(try key(usual)) }
    return keys
  }

  private func storedKeys() throws(Failure) -> [PrivateKey] {
    let stored = try here.storedKeys()
    var keys: [PrivateKey] = []
    for name in stored.names {
      do throws(Failure) {
        keys.append(try stored.key(name))
      } catch {
        // Others may do.
        here.note(error.explanation)
      }
    }
    return keys
  }

  private func key(_ path: String) throws(Failure) -> PrivateKey {
    try PrivateKey(path: path) { () throws(Failure) in try here.passphrase(path) }
  }
}
