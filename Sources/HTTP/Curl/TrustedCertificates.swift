import Foundation

/// The certificates that TLS trusts in place of libcurl's default.
enum TrustedCertificates {
  /// The certificate file that the environment names, in `CURL_CA_BUNDLE` or else `SSL_CERT_FILE`,
  /// as for curl(1).
  static var file: String? {
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
      if let value = getenv(name), value.pointee != 0 { return String(cString: value) }
    }
    return nil
  }
}
