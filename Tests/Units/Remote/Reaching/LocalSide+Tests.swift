import Core
import Keys
import TestSupport

@testable import Remote

extension LocalSide {
  /// That of a test: nobody is asked, and nothing but the test's folder is looked at.
  static func ofTest(
    _ home: Home, passphrase: String? = nil, report: @escaping (String) -> Void = { _ in }
  ) -> LocalSide {
    // No session bus, and no secret-tool: the machine's own keyring stays out of it.
    let store = KeyStore(
      directories: home.directories,
      environment: ["PATH": "/nowhere", "XDG_RUNTIME_DIR": home.path], command: nil)
    return LocalSide(
      user: LocalUser(home: home.path, name: "me"), directories: home.directories,
      interruption: Interruption(),
      storedKeys: { () throws(Failure) in StoredKeys(store, home.directories) },
      passphrase: { (_) throws(Failure) in passphrase }, report: report)
  }
}
