import Foundation

/// The certificates that TLS trusts in place of libcurl's own.
enum TrustedCertificates {
  /// The file of certificates named in the environment, by the variables of curl(1):
  /// `CURL_CA_BUNDLE`, otherwise `SSL_CERT_FILE`.
  static var file: String? {
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
      if let value = getenv(name), value.pointee != 0 { return String(cString: value) }
    }
    return nil
  }
}
