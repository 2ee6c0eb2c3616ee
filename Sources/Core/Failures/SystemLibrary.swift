internal import CLoading

/// A library of the system that a tool loads when it first calls it (dlopen(3)).
public enum SystemLibrary: String, Sendable, CaseIterable {
  case crypto = "libcrypto"
  case curl = "libcurl"
  case pq = "libpq"
  case qrencode = "libqrencode"
  case ssh = "libssh"
  case xml = "libxml2"

  /// `true` if the library can be loaded.
  public var isAvailable: Bool { loading_open(file) != nil }

  /// `true` if most installations work without the library.
  public var isOptional: Bool { self == .pq }

  /// The commands that install the library on Debian, Fedora and Arch.
  public var installation: String {
    let (debian, fedora, arch) = packages
    return "apt-get install \(debian) (Fedora: dnf install \(fedora), Arch: pacman -S \(arch))"
  }

  /// Checks that the library can be loaded.
  ///
  /// - Throws: `ToolFailed` of the kind `library`.
  public func require() throws(Failure) {
    guard !isAvailable else { return }
    throw Failure(
      .toolFailed, "\(rawValue) is missing", kind: .library, nextStep: "run \(installation)")
  }

  private var file: loading_library {
    switch self {
    case .crypto: LOADING_CRYPTO
    case .curl: LOADING_CURL
    case .pq: LOADING_PQ
    case .qrencode: LOADING_QRENCODE
    case .ssh: LOADING_SSH
    case .xml: LOADING_XML
    }
  }

  private var packages: (debian: String, fedora: String, arch: String) {
    switch self {
    case .crypto: ("libssl3", "openssl-libs", "openssl")
    case .curl: ("libcurl4", "libcurl", "curl")
    case .pq: ("libpq5", "libpq", "postgresql-libs")
    case .qrencode: ("libqrencode4", "qrencode-libs", "qrencode")
    case .ssh: ("libssh-4", "libssh", "libssh")
    case .xml: ("libxml2", "libxml2", "libxml2-legacy")
    }
  }
}
