import Foundation

/// The certificates that TLS trusts instead of libcurl's default certificates.
enum TrustedCertificates {
  /// The path of the certificate file that the environment names.
  ///
  /// As for curl(1), it is the value of `CURL_CA_BUNDLE`, or of `SSL_CERT_FILE` if that is not set.
  static var file: String? {
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
      if let value = getenv(name), value.pointee != 0 { return String(cString: value) }
    }
    return nil
  }
}
