/// A URI reference without its fragment, resolved against a base address.
///
/// See RFC 3986, section 5.2.
struct SchemaAddress: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  /// Returns the address that the given reference, relative to this address, has without its
  /// fragment.
  func joined(_ reference: String) -> SchemaAddress {
    let (own, its) = (Parts(text), Parts(reference))
    if its.scheme != nil { return SchemaAddress(its.text(path: Self.withoutDots(its.path))) }
    var parts = its
    parts.scheme = own.scheme
    if its.authority != nil { return SchemaAddress(parts.text(path: Self.withoutDots(its.path))) }
    parts.authority = own.authority
    if its.path.isEmpty {
      parts.query = its.query ?? own.query
      return SchemaAddress(parts.text(path: own.path))
    }
    if its.path.hasPrefix("/") {
      return SchemaAddress(parts.text(path: Self.withoutDots(its.path)))
    }
    let folder = own.path.lastIndex(of: "/").map { own.path[...$0] }
    let merged = folder.map(String.init) ?? (own.authority == nil ? "" : "/")
    return SchemaAddress(parts.text(path: Self.withoutDots(merged + its.path)))
  }

  private static func withoutDots(_ path: String) -> String {
    var result: [Substring] = []
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, step) in steps.enumerated() {
      let isLast = index == steps.count - 1
      if step == ".." {
        if let last = result.last, !last.isEmpty || result.count > 1 { result.removeLast() }
        if isLast { result.append("") }
      } else if step == "." {
        if isLast { result.append("") }
      } else {
        result.append(step)
      }
    }
    return result.joined(separator: "/")
  }

  /// The components of a URI reference, split by the expression in appendix B of RFC 3986.
  private struct Parts {
    var scheme: Substring?
    var authority: Substring?
    var path: String
    var query: Substring?

    init(_ reference: String) {
      var rest = reference.prefix { $0 != "#" }
      if let colon = rest.firstIndex(where: { ":/?".contains($0) }), rest[colon] == ":" {
        scheme = rest[..<colon]
        rest = rest[rest.index(after: colon)...]
      }
      if rest.hasPrefix("//") {
        rest = rest.dropFirst(2)
        let name = rest.prefix { !"/?".contains($0) }
        authority = name
        rest = rest[name.endIndex...]
      }
      path = String(rest.prefix { $0 != "?" })
      query = rest.firstIndex(of: "?").map { rest[rest.index(after: $0)...] }
    }

    func text(path: String) -> String {
      (scheme.map { "\($0):" } ?? "") + (authority.map { "//\($0)" } ?? "") + path
        + (query.map { "?\($0)" } ?? "")
    }
  }
}
