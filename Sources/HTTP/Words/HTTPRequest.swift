/// A request and the limits on its response.
///
/// Only `http` and `https` URLs are sent. TLS is always verified, by certificates or by a pinned
/// key. A redirect is delivered like any other response, and not followed.
public struct HTTPRequest: Sendable {
  /// The absolute URL, which must already be percent-encoded.
  public var url: String
  /// The method, which is case-sensitive.
  public var method: String
  /// The header fields, sent in this order.
  ///
  /// Framing fields (`Content-Length`, `Transfer-Encoding`) are refused, because the client sets
  /// them.
  public var fields: [HTTPField]
  /// The body; its content type, if any, must be in ``fields``.
  public var body: [UInt8]?
  /// The time limits.
  public var timeouts: HTTPTimeouts
  /// The maximum number of decoded body bytes; a longer body fails with kind `tooLarge`.
  ///
  /// With this limit, the transfer is not paused for a slow consumer, because memory is bounded.
  public var maximumBodyBytes: Int?
  /// The maximum number of encoded body bytes; a longer body fails with kind `tooLarge`.
  public var maximumWireBytes: Int?
  /// A guard that judges the address of every new connection and of every reused connection.
  ///
  /// If the environment names a proxy for a guarded request, the request fails with kind `proxy`
  /// unless ``isTargetJudged``, because the proxy resolves the target's address itself.
  public var addressGuard: AddressGuard?
  /// `true` if the caller has judged the target's addresses, as found with ``HostAddresses``.
  ///
  /// A guarded request then uses the environment's proxy (see ``HTTPProxy``) without the guard.
  public var isTargetJudged = false
  /// The pinned server key: the SHA-256 of its SubjectPublicKeyInfo in base64 (RFC 7469, section
  /// 2.4).
  ///
  /// The pin replaces the verification of certificates and names; nil to verify those.
  public var pinnedKey: String?
  /// `true` to send the segments `.` and `..` of the path unchanged, and not resolved (RFC 3986,
  /// section 5.2.4).
  public var keepsPath = false
  /// `true` to fail with kind `decode` if a gzip body is truncated although its framing is
  /// complete.
  public var noticesCutEncoding = false
  /// Addresses that replace those of the resolver, in the form of CURLOPT_RESOLVE
  /// (`name:port:address,address`), for tests of a hostile resolver.
  package var resolutions: [String] = []

  /// Creates a request, by default a GET without size limits.
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
