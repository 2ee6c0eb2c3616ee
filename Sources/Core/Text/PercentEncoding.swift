extension String {
  /// The text with all bytes except unreserved characters percent-encoded (RFC 3986, section 2.3).
  ///
  /// The result can be a part of a URL.
  public var percentEncoded: String {
    utf8.map { byte in
      byte.isLetter || byte.isDigit || "-._~".utf8.contains(byte)
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16).uppercased()
    }.joined()
  }
}
