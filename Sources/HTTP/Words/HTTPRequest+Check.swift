import Core

extension HTTPRequest {
  /// The URL without userinfo, query and fragment, which may contain secrets.
  public var shownURL: String { Failure.shownURL(url) }

  /// Returns the reason why this request must not be sent; nil if it may be sent.
  func refusal() -> Failure? {
    urlRefusal() ?? fieldRefusal() ?? proxyRefusal()
  }

  private func urlRefusal() -> Failure? {
    let bytes = url.utf8
    guard !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == 0x5C }) else {
      return badURL("it contains a space, a control character or a backslash")
    }
    guard let colon = bytes.firstIndex(of: 0x3A) else { return badURL("it has no scheme") }
    let scheme = url[..<colon]
    guard let first = scheme.utf8.first, first.isLetter,
      scheme.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) })
    else { return badURL("it has no scheme") }
    guard ["http", "https"].contains(scheme.lowercased()) else {
      return Failure(
        .pageRefused, "the scheme '\(scheme)' is neither http nor https", kind: .blockedScheme,
        url: shownURL)
    }
    // libcurl accepts `http:host` and `http:///host`, which RFC 3986 does not.
    let rest = url[colon...].dropFirst()
    guard rest.hasPrefix("//"), let host = rest.dropFirst(2).utf8.first,
      !"/?#".utf8.contains(host)
    else { return badURL("it has no host") }
    return nil
  }

  private func badURL(_ reason: String) -> Failure {
    Failure(.badInput, "'\(shownURL)' is not a URL: \(reason)", kind: .badURL, url: shownURL)
  }

  private func fieldRefusal() -> Failure? {
    guard isToken(method) else {
      return Failure(.badInput, "the HTTP method is not a token", kind: .badHeader, url: shownURL)
    }
    for field in fields {
      guard isToken(field.name) else {
        return Failure(
          .badInput, "the name of an HTTP field is not a token", kind: .badHeader, url: shownURL)
      }
      // The value is not shown, because it may be a secret.
      guard !field.value.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else {
        return Failure(
          .badInput, "the HTTP field '\(field.name)' contains a control character",
          kind: .badHeader,
          url: shownURL)
      }
      guard !field.isNamed("content-length"), !field.isNamed("transfer-encoding") else {
        return Failure(
          .badInput, "the HTTP field '\(field.name)' is set by the client", kind: .badHeader,
          url: shownURL)
      }
    }
    return nil
  }

  private func proxyRefusal() -> Failure? {
    guard addressGuard != nil, !isTargetJudged, HTTPProxy.isUsed(for: url) else { return nil }
    return Failure(
      .pageRefused, "'\(shownURL)' is not fetched: its address cannot be checked behind a proxy",
      kind: .proxy, url: shownURL)
  }
}

/// Returns `true` if the given text is a token (RFC 9110, section 5.6.2).
///
/// Field names and methods must be tokens.
private func isToken(_ text: String) -> Bool {
  !text.isEmpty
    && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
}
