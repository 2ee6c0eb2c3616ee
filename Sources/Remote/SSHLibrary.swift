internal import CSSH

/// The SSH library that connections are made with: libssh.
public enum SSHLibrary {
  /// Its version, such as `0.10.6/openssl/zlib` (ssh_version(3)).
  public static var version: String {
    ssh_version(0).map { String(cString: $0) } ?? ""
  }
}
