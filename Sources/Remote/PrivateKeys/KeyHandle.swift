internal import CSSH

/// The one owner of a key of libssh (ssh_key_new(3)).
struct KeyHandle: ~Copyable {
  private let pointer: OpaquePointer

  /// Owns the key that a call of libssh makes; nil where it makes none.
  init?(_ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) {
    var made: OpaquePointer?
    guard make(&made) == SSH_OK, let made else { return nil }
    pointer = made
  }

  /// The private key of a text, read without asking anybody: libssh would ask at the terminal.
  init?(text: String, passphrase: String?) {
    let refuses:
      @convention(c) (
        UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int, Int32, Int32,
        UnsafeMutableRawPointer?
      ) -> Int32 = { _, _, _, _, _, _ in -1 }
    self.init { ssh_pki_import_privkey_base64(text, passphrase, refuses, nil, $0) }
  }

  /// A public key; nil for one of a type that libssh does not know.
  init?(_ key: HostKey) {
    self.init {
      ssh_pki_import_pubkey_base64(key.base64, ssh_key_type_from_name(key.algorithm), $0)
    }
  }

  deinit { ssh_key_free(pointer) }

  /// Whether it is an Ed25519 key.
  var isEd25519: Bool { ssh_key_type(pointer) == SSH_KEYTYPE_ED25519 }

  /// The public half in base64; nil where there is none.
  var publicHalf: String? { Self.text { ssh_pki_export_pubkey_base64(pointer, $0) } }

  /// The text of a private key's file, without a passphrase; nil for a key that is only public.
  var privateText: String? {
    Self.text { ssh_pki_export_privkey_base64(pointer, nil, nil, nil, $0) }
  }

  /// Lends the key to a call of libssh.
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
