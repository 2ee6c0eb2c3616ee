/// The parts of a URL that are compared, cut without judging them.
struct URLParts {
  /// What stands between the scheme or the userinfo and the path; empty of what has no `://`.
  var hostAndPort: Substring

  /// Cuts at the marks of RFC 3986, by bytes as libcurl does.
  init(_ url: String) {
    guard let mark = url.firstRange(of: "://") else {
      hostAndPort = ""
      return
    }
    let authority = url[mark.upperBound...].utf8.prefix { !"/?#\\".utf8.contains($0) }
    // The last `@`: a password may hold one.
    let start = authority.lastIndex(of: UInt8(ascii: "@")).map { authority.index(after: $0) }
    hostAndPort = Substring(authority[(start ?? authority.startIndex)...])
  }
}
