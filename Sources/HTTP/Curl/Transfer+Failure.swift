import Core

extension Transfer {
  /// Returns the failure that corresponds to the given error of libcurl; nil if there is no error.
  ///
  /// libcurl's message is included only if it cannot contain parts of the request or the response.
  func failure(_ error: CurlError?) -> Failure? {
    let url = request.shownURL
    func make(
      _ failure: FailureCode, _ sentence: String, _ kind: FailureKind, cause: String? = nil,
      nextStep: String? = nil
    ) -> Failure {
      Failure(
        failure, sentence, kind: kind, status: head.status, url: url,
        cause: cause ?? error?.sentence, nextStep: nextStep)
    }
    switch error?.kind {
    case nil:
      // A transfer ends without a head if its only statuses were interim ones.
      return hasDeliveredHead ? nil : head.malformed("it has no final status")
    case .badURL:
      return make(.badInput, "'\(url)' is not a URL", .badURL)
    case .hostNotFound:
      return make(.networkUnavailable, "cannot find the host of '\(url)'", .resolve, cause: words)
    case .notConnected where refusedAddress != nil && !triedAddress:
      return blockedAddress
    case .notConnected:
      return make(.networkUnavailable, "cannot connect to '\(url)'", .connect, cause: words)
    case .timedOut:
      if handle.value(.ready) == 0 {
        return make(.timeout, "cannot connect to '\(url)' in time", .connectTimeout)
      }
      // If bytes arrived, the peer is reachable but slow.
      let isSlow = handle.value(.firstByte) > 0
      return make(
        .timeout, "'\(url)' did not answer in time", isSlow ? .tooSlow : .totalTimeout)
    case .notVerified:
      return make(
        .networkUnavailable, "cannot trust the certificate of '\(url)'", .tls, cause: words,
        nextStep: "set CURL_CA_BUNDLE=FILE to trust your own")
    case .notTrusted:
      return make(
        .networkUnavailable, "cannot make a TLS connection to '\(url)'", .tls, cause: words)
    case .lost:
      return make(.networkUnavailable, "the connection to '\(url)' was lost", .reset)
    // libcurl also reports a head that is cut after the field with the body's length as cut short.
    case .cutShort:
      return hasDeliveredHead
        ? make(.invalidResponse, "the body of '\(url)' was cut short", .shortBody)
        : make(.networkUnavailable, "the connection to '\(url)' was lost", .reset)
    case .notDecoded:
      return make(.invalidResponse, "the body of '\(url)' cannot be decoded", .decode)
    // libcurl reports a header line of more than 100 kB as an allocation failure.
    case .noMemory where handle.value(.firstByte) > 0 && !hasDeliveredHead:
      return head.malformed("its header is too large")
    case .noMemory, .notStarted:
      return make(.networkUnavailable, "no memory for the request to '\(url)'", .library)
    case .other:
      return make(.invalidResponse, "the response from '\(url)' is not HTTP", .`protocol`)
    }
  }

  /// The failure that reports an address that the guard refused.
  var blockedAddress: Failure {
    Failure(blocked: request.shownURL, because: refusedAddress ?? "no address")
  }

  /// libcurl's message on one line; nil if there is none to show.
  ///
  /// The message names a host, an address or a certificate.
  private var words: String? {
    let text = handle.lastErrorText
    // A message about an invalid proxy contains its password.
    return text.isEmpty || text.utf8.contains(UInt8(ascii: "@"))
      ? nil : text.singleLine(maximumCharacters: 200)
  }
}
