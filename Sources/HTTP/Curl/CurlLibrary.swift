import CCurl
import Foundation

/// The functions of libcurl that need no handle: initialisation, error codes and URL parsing.
enum CurlLibrary {
  /// Loads libcurl and initialises it for all threads (curl_global_init(3)).
  ///
  /// - Returns: `true` if libcurl can be used.
  static func start() -> Bool {
    guard ccurl_library() != nil else { return false }
    preserveTLSStateAtExit()
    return curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
  }

  /// Returns the host of the given URL in punycode; nil if the URL is invalid.
  ///
  /// It is read by curl_url_get(3) with CURLU_PUNYCODE.
  static func host(ofURL url: String) -> String? {
    guard ccurl_library() != nil, let handle = curl_url() else { return nil }
    defer { curl_url_cleanup(handle) }
    guard curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK else { return nil }
    var text: UnsafeMutablePointer<CChar>?
    let flags = UInt32(CURLU_PUNYCODE)
    guard ccurl_url_get(handle, CURLUPART_HOST, &text, flags) == CURLUE_OK, let text else {
      return nil
    }
    defer { curl_free(text) }
    return String(cString: text)
  }

  /// Prevents OpenSSL, if libcurl uses it, from freeing its state when the process exits.
  ///
  /// The network thread may still be in a TLS call when OpenSSL's exit handler frees the state.
  /// Only the first call of OPENSSL_init_crypto(3) can prevent the handler. The function is found
  /// by dlsym(3), because libcurl may use another TLS library.
  private static func preserveTLSStateAtExit() {
    typealias Initialise = @convention(c) (UInt64, UnsafeRawPointer?) -> Int32
    let noExitHandler: UInt64 = 0x0008_0000
    guard let symbol = dlsym(ccurl_library(), "OPENSSL_init_crypto") else { return }
    // If the call fails, the exit handler stays, as without the call.
    _ = unsafeBitCast(symbol, to: Initialise.self)(noExitHandler, nil)
  }
}

/// An error that libcurl reported.
struct CurlError: Error {
  /// The kinds of error that the client distinguishes.
  enum Kind: Sendable {
    case badURL, hostNotFound, notConnected, timedOut, notVerified, notTrusted, lost, cutShort
    case notDecoded, noMemory, notStarted, other
  }

  var kind: Kind
  /// The error message that libcurl provides.
  var sentence: String

  /// The error that reports a failed memory allocation.
  static var noMemory: CurlError { CurlError(.noMemory, CURLE_OUT_OF_MEMORY) }
  /// The error that reports a timeout.
  static var timedOut: CurlError { CurlError(.timedOut, CURLE_OPERATION_TIMEDOUT) }

  /// Creates the error for the given result of an easy handle; nil for success.
  init?(_ code: CURLcode) {
    guard code != CURLE_OK else { return nil }
    self.init(Self.kind(code), code)
  }

  /// Creates the error for the given result of a multi handle; nil for success.
  ///
  /// A multi handle fails only if memory or file descriptors run out.
  init?(_ code: CURLMcode) {
    guard code != CURLM_OK else { return nil }
    kind = .noMemory
    sentence = String(cString: curl_multi_strerror(code))
  }

  private init(_ kind: Kind, _ code: CURLcode) {
    self.kind = kind
    sentence = String(cString: curl_easy_strerror(code))
  }

  private static func kind(_ code: CURLcode) -> Kind {
    switch code {
    case CURLE_URL_MALFORMAT: .badURL
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .hostNotFound
    case CURLE_COULDNT_CONNECT: .notConnected
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_PEER_FAILED_VERIFICATION: .notVerified
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      .notTrusted
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING: .lost
    case CURLE_PARTIAL_FILE, CURLE_HTTP2, CURLE_HTTP2_STREAM: .cutShort
    case CURLE_BAD_CONTENT_ENCODING: .notDecoded
    case CURLE_OUT_OF_MEMORY: .noMemory
    case CURLE_FAILED_INIT: .notStarted
    default: .other
    }
  }
}
