#if canImport(Security)
  import Core
  import Foundation
  import Security

  /// The user's Keychain, which stores secrets as generic passwords (SecItemAdd,
  /// SecItemCopyMatching).
  struct Keyring {
    init(environment: [String: String], report: NoticeHandler) {}

    /// `true` if the keyring can store secrets.
    var isAvailable: Bool { true }

    func secret(service: String, account: String) -> String? {
      var query = item(service, account)
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var found: CFTypeRef?
      guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess,
        let data = found as? Data
      else { return nil }
      return String(data: data, encoding: .utf8)
    }

    func store(_ secret: String, service: String, account: String) -> Bool {
      var query = item(service, account)
      SecItemDelete(query as CFDictionary)
      query[kSecValueData] = Data(secret.utf8)
      return SecItemAdd(query as CFDictionary, nil) == errSecSuccess
    }

    func remove(service: String, account: String) -> Bool {
      SecItemDelete(item(service, account) as CFDictionary) == errSecSuccess
    }

    private func item(_ service: String, _ account: String) -> [CFString: Any] {
      [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
      ]
    }
  }
#endif
