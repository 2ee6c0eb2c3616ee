/// The parts of a URL that are compared, split without validation.
struct URLParts {
  /// The part between the scheme or the userinfo and the path; empty if the URL has no `://`.
  var hostAndPort: Substring

  /// Splits a URL at the delimiters of RFC 3986, by bytes as libcurl does.
  init(_ url: String) {
    guard let mark = url.firstRange(of: "://") else {
      hostAndPort = ""
      return
    }
    let authority = url[mark.upperBound...].utf8.prefix { !"/?#\\".utf8.contains($0) }
    // The last `@` counts, since a password may contain one.
    let start = authority.lastIndex(of: UInt8(ascii: "@")).map { authority.index(after: $0) }
    hostAndPort = Substring(authority[(start ?? authority.startIndex)...])
  }
}
