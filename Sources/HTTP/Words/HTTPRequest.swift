/// A request, with limits on its response.
///
/// Only URLs with the scheme `http` or `https` are sent. TLS is always verified, by certificates or
/// by a pinned key. A redirect is delivered like any other response, and is not followed.
public struct HTTPRequest: Sendable {
  /// The absolute URL.
  ///
  /// It must already be percent-encoded.
  public var url: String
  /// The method, which is case-sensitive.
  public var method: String
  /// The header fields, sent in this order.
  ///
  /// Framing fields (`Content-Length`, `Transfer-Encoding`) are refused, because the client sets
  /// them.
  public var fields: [HTTPField]
  /// The body.
  ///
  /// Its content type, if any, must be in ``fields``.
  public var body: [UInt8]?
  /// The time limits of the request.
  public var timeouts: HTTPTimeouts
  /// The maximum number of decoded body bytes.
  ///
  /// A longer body fails with the kind `tooLarge`. With this limit, the transfer does not pause for
  /// a slow consumer, because memory is bounded.
  public var maximumBodyBytes: Int?
  /// The maximum number of encoded body bytes.
  ///
  /// A longer body fails with the kind `tooLarge`.
  public var maximumWireBytes: Int?
  /// A guard that judges the address of each connection that the request uses, new or reused.
  ///
  /// A proxy resolves the target's address itself. If the environment names a proxy for a guarded
  /// request, the request therefore fails with the kind `proxy`, unless ``isTargetJudged``.
  public var addressGuard: AddressGuard?
  /// `true` if the caller has judged the target's addresses, which ``HostAddresses`` finds.
  ///
  /// A guarded request then uses the environment's proxy (see ``HTTPProxy``) without the guard.
  public var isTargetJudged = false
  /// The pinned key of the server: the SHA-256 of its SubjectPublicKeyInfo in base64.
  ///
  /// See RFC 7469, section 2.4. The pin replaces the verification of certificates and names. If it
  /// is nil, these are verified.
  public var pinnedKey: String?
  /// `true` to send the path segments `.` and `..` unchanged.
  ///
  /// Otherwise, they are resolved (RFC 3986, section 5.2.4).
  public var keepsPath = false
  /// `true` to fail with the kind `decode` if a gzip body is truncated but its framing is complete.
  public var noticesCutEncoding = false
  /// Addresses that replace those that the resolver returns, for tests of a hostile resolver.
  ///
  /// They have the form of CURLOPT_RESOLVE (`name:port:address,address`).
  package var resolutions: [String] = []

  /// Creates a request.
  ///
  /// By default, it is a GET without size limits.
  public init(
    url: String, method: String = "GET", fields: [HTTPField] = [], body: [UInt8]? = nil,
    timeouts: HTTPTimeouts = HTTPTimeouts(), maximumBodyBytes: Int? = nil,
    maximumWireBytes: Int? = nil, addressGuard: AddressGuard? = nil
  ) {
    self.url = url
    self.method = method
    self.fields = fields
    self.body = body
    self.timeouts = timeouts
    self.maximumBodyBytes = maximumBodyBytes
    self.maximumWireBytes = maximumWireBytes
    self.addressGuard = addressGuard
  }
}
