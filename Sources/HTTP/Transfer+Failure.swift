import CCurl
import Core

extension Transfer {
  /// The failure that a result of libcurl stands for, or nil for success.
  ///
  /// Its own words are shown only where they cannot repeat what the request or the answer said.
  func failure(_ code: CURLcode) -> Failure? {
    let url = request.shownURL
    func make(
      _ failure: FailureCode, _ sentence: String, _ kind: String, cause: String? = nil
    ) -> Failure {
      Failure(
        failure, sentence, kind: kind, status: head.status, url: url,
        cause: cause ?? String(cString: curl_easy_strerror(code)))
    }
    switch code {
    case CURLE_OK:
      // A body without a head is what a final status in the hundreds leaves.
      return hasDeliveredHead ? nil : head.malformed("it never gets to its final status")
    case CURLE_URL_MALFORMAT:
      return make(.badInput, "'\(url)' is not a URL", "badURL")
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      return make(.networkUnavailable, "cannot find the host of '\(url)'", "resolve", cause: words)
    case CURLE_COULDNT_CONNECT where refusedAddress != nil && !triedAddress:
      return blockedAddress
    case CURLE_COULDNT_CONNECT:
      return make(.networkUnavailable, "cannot connect to '\(url)'", "connect", cause: words)
    case CURLE_OPERATION_TIMEDOUT:
      if handle.info(CURLINFO_PRETRANSFER_TIME_T) == 0 {
        return make(.timeout, "cannot connect to '\(url)' in time", "connectTimeout")
      }
      // Bytes came, but not fast enough: the peer is there.
      let isSlow = handle.info(CURLINFO_STARTTRANSFER_TIME_T) > 0
      return make(
        .timeout, "'\(url)' did not answer in time", isSlow ? "tooSlow" : "totalTimeout")
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE:
      return make(.networkUnavailable, "no trusted connection to '\(url)'", "tls", cause: words)
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING:
      return make(.networkUnavailable, "the connection to '\(url)' was lost", "reset")
    case CURLE_PARTIAL_FILE:
      return make(.invalidResponse, "the body of '\(url)' was cut short", "shortBody")
    case CURLE_HTTP2, CURLE_HTTP2_STREAM:
      return hasDeliveredHead
        ? make(.invalidResponse, "the body of '\(url)' was cut short", "shortBody")
        : make(.networkUnavailable, "the connection to '\(url)' was lost", "reset")
    case CURLE_BAD_CONTENT_ENCODING:
      return make(.invalidResponse, "the body of '\(url)' cannot be decoded", "decode")
    // libcurl has no room for a header line over 100 kB, and calls that no memory.
    case CURLE_OUT_OF_MEMORY
    where handle.info(CURLINFO_STARTTRANSFER_TIME_T) > 0 && !hasDeliveredHead:
      return head.malformed("its header is too large")
    case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT:
      return make(.networkUnavailable, "no memory for the request to '\(url)'", "library")
    default:
      return make(.invalidResponse, "'\(url)' did not answer with HTTP", "protocol")
    }
  }

  /// The failure for an address that the guard refused.
  var blockedAddress: Failure {
    Failure(
      .pageRefused, "'\(request.shownURL)' is not fetched: \(refusedAddress ?? "no address")",
      kind: "blockedAddress", url: request.shownURL)
  }

  /// libcurl's own words, on one line; they name a host, an address or a certificate.
  private var words: String? {
    let text = handle.lastErrorText
    // A proxy that cannot be used is named with its password.
    return text.isEmpty || text.utf8.contains(UInt8(ascii: "@"))
      ? nil : text.singleLine(maximumCharacters: 200)
  }
}
