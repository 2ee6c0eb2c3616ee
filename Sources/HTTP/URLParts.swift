/// The parts of a URL that are shown or compared, cut without judging them.
struct URLParts {
  var scheme: Substring
  var hostAndPort: Substring
  var path: Substring

  /// Cuts at the marks of RFC 3986; what is missing is empty.
  init(_ url: String) {
    let bare = url[..<(url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex)]
    guard let mark = bare.firstRange(of: "://") else {
      scheme = ""
      hostAndPort = ""
      path = bare
      return
    }
    scheme = bare[..<mark.lowerBound]
    let rest = bare[mark.upperBound...]
    let end = rest.firstIndex { $0 == "/" || $0 == "\\" } ?? rest.endIndex
    let authority = rest[..<end]
    // The last `@`: a password may hold one.
    hostAndPort =
      authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    path = rest[end...]
  }
}
