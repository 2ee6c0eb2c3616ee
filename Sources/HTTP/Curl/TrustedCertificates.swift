import Foundation

/// Whom TLS trusts besides what libcurl was built to trust.
enum TrustedCertificates {
  /// The file of certificates that the environment names, in the place of libcurl's own, as curl(1)
  /// reads it: `CURL_CA_BUNDLE`, else `SSL_CERT_FILE`.
  static var file: String? {
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
      if let value = getenv(name), value.pointee != 0 { return String(cString: value) }
    }
    return nil
  }
}
