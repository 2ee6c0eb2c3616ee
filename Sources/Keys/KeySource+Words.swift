public import Core

extension KeySource {
  /// The words for the place.
  public var words: String {
    switch self {
    case .environment: "the environment"
    case .credentials: "a credential of systemd"
    case .command: "'key_command'"
    case .keyring: "the keyring"
    case .file: "the sealed file"
    }
  }
}
