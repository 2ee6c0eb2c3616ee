internal import CSSH

/// The owner of a libssh key (ssh_key_new(3)).
struct KeyHandle: ~Copyable {
  private let pointer: OpaquePointer

  /// Takes ownership of the key that the given libssh call creates; returns nil if the call fails.
  init?(_ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) {
    var made: OpaquePointer?
    guard make(&made) == SSH_OK, let made else { return nil }
    pointer = made
  }

  /// Parses the given private key; returns nil if that fails.
  ///
  /// The user is never asked for a passphrase.
  init?(text: String, passphrase: String?) {
    let refuses:
      @convention(c) (
        UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int, Int32, Int32,
        UnsafeMutableRawPointer?
      ) -> Int32 = { _, _, _, _, _, _ in -1 }
    self.init { ssh_pki_import_privkey_base64(text, passphrase, refuses, nil, $0) }
  }

  /// Creates a public key; returns nil if libssh does not know the type of the given key.
  init?(_ key: HostKey) {
    self.init {
      ssh_pki_import_pubkey_base64(key.base64, ssh_key_type_from_name(key.algorithm), $0)
    }
  }

  deinit { ssh_key_free(pointer) }

  /// `true` for an Ed25519 key.
  var isEd25519: Bool { ssh_key_type(pointer) == SSH_KEYTYPE_ED25519 }

  /// The public half in base64; nil if there is none.
  var publicHalf: String? { Self.text { ssh_pki_export_pubkey_base64(pointer, $0) } }

  /// The text of a private key file without a passphrase; nil for a public key.
  var privateText: String? {
    Self.text { ssh_pki_export_privkey_base64(pointer, nil, nil, nil, $0) }
  }

  /// Passes the key to the given libssh call.
  func lend<Result>(to call: (OpaquePointer) -> Result) -> Result { call(pointer) }

  private static func text(
    _ export: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard export(&text) == SSH_OK, let text else { return nil }
    defer { ssh_string_free_char(text) }
    return String(cString: text)
  }
}
