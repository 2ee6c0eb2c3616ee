/// The parts of a URL that are used in comparisons.
///
/// The URL is split without validation.
struct URLParts {
  /// The host and the port, without userinfo; empty if the URL has no `://`.
  var hostAndPort: Substring

  /// Splits the given URL at the delimiters of RFC 3986.
  ///
  /// As in libcurl, bytes are compared.
  init(_ url: String) {
    guard let mark = url.firstRange(of: "://") else {
      hostAndPort = ""
      return
    }
    let authority = url[mark.upperBound...].utf8.prefix { !"/?#\\".utf8.contains($0) }
    // The last `@` counts, because a password may contain an `@`.
    let start = authority.lastIndex(of: UInt8(ascii: "@")).map { authority.index(after: $0) }
    hostAndPort = Substring(authority[(start ?? authority.startIndex)...])
  }
}
