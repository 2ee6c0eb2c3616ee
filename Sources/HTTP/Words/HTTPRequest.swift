/// A request and the limits on its response.
///
/// Only `http` and `https` URLs are sent. TLS is always verified, by certificates or by a pinned
/// key. A redirect is an ordinary answer: following it is the caller's decision.
public struct HTTPRequest: Sendable {
  /// The absolute URL, which is not percent-encoded further.
  public var url: String
  /// The method, sent in this case.
  public var method: String
  /// The header fields, sent in this order; framing fields (`Content-Length`, `Transfer-Encoding`)
  /// are refused, since the client sets them.
  public var fields: [HTTPField]
  /// The body; it has a content type only if `fields` contain one.
  public var body: [UInt8]?
  /// The time limits.
  public var timeouts: HTTPTimeouts
  /// The maximum number of decoded body bytes; a longer body fails with kind `tooLarge`.
  ///
  /// With this limit, the transfer is never paused for a slow consumer, since memory is bounded.
  public var maximumBodyBytes: Int?
  /// The maximum number of encoded body bytes; a longer body fails with kind `tooLarge`.
  public var maximumWireBytes: Int?
  /// A guard that judges every address before a connection to it, and every reused connection.
  ///
  /// A proxy resolves the target's address itself, so the guard cannot judge it. A guarded request
  /// for which the environment names a proxy therefore fails with kind `proxy`, unless
  /// ``isTargetJudged``.
  public var addressGuard: AddressGuard?
  /// `true` if the caller has resolved and judged the target's addresses with ``HTTPProxy`` and
  /// ``HostAddresses``; a guarded request then uses the environment's proxy without the guard.
  public var isTargetJudged = false
  /// The pinned server key: the SHA-256 of its SubjectPublicKeyInfo in base64 (RFC 7469, section
  /// 2.4).
  ///
  /// It replaces the verification of certificates and names; nil for that verification.
  public var pinnedKey: String?
  /// `true` to send `.` and `..` in the path unchanged, as in an id; otherwise they are resolved
  /// (RFC 3986, section 5.2.4).
  public var keepsPath = false
  /// `true` to fail with kind `decode` if a gzip body is truncated although its framing is
  /// complete.
  public var noticesCutEncoding = false
  /// Addresses that replace those of the resolver, in the form of CURLOPT_RESOLVE
  /// (`name:port:address,address`), for tests of a hostile resolver.
  package var resolutions: [String] = []

  /// Creates a request; by default a GET without size limits.
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
