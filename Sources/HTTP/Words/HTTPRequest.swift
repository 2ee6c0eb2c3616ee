/// One request: what is sent, and the bounds on what may come back.
///
/// Only `http` and `https` URLs are sent, TLS is always verified, by certificates or by a key that is
/// known, and a redirect is an answer like
/// any other: following it is the caller's decision.
public struct HTTPRequest: Sendable {
  /// The absolute URL; nothing in it is percent-encoded on the caller's behalf.
  public var url: String
  /// The method, in the case it is sent in.
  public var method: String
  /// The header fields, sent in this order; framing fields (`Content-Length`,
  /// `Transfer-Encoding`) belong to the client and are refused.
  public var fields: [HTTPField]
  /// The body; without a `Content-Type` field none is sent.
  public var body: [UInt8]?
  /// The limits in time.
  public var timeouts: HTTPTimeouts
  /// The most decoded body bytes that are delivered; one more fails with kind `tooLarge`.
  ///
  /// With it set the transfer is never paused for a slow consumer: this bound is the bound on memory.
  public var maximumBodyBytes: Int?
  /// The most body bytes read from the network, before decoding; more fail with kind `tooLarge`.
  public var maximumWireBytes: Int?
  /// Judges every address before a packet is sent to it, and every connection that is reused.
  ///
  /// Behind a proxy the target's address is the proxy's to resolve, so that nobody here can judge it:
  /// a guarded request for which the environment names a proxy fails with kind `proxy`, unless
  /// ``isTargetJudged``.
  public var addressGuard: AddressGuard?
  /// Whether the caller has found and judged the target's addresses, as ``HTTPProxy`` and
  /// ``HostAddresses`` let it: a guarded request then uses the proxy that the environment names, and
  /// the guard judges no address of its own.
  public var isTargetJudged = false
  /// The server's own key, by the SHA-256 of its SubjectPublicKeyInfo in base64 (RFC 7469, section 2.4):
  /// it vouches for the server in place of certificates and names; nil for those.
  public var pinnedKey: String?
  /// `true` if a part of the path may be `.` or `..`, as an id in it may; else those are resolved
  /// (RFC 3986, section 5.2.4).
  public var keepsPath = false
  /// Whether a gzip body that ends early, but where its framing says, fails with kind `decode`.
  public var noticesCutEncoding = false
  /// Addresses in place of those that the resolver would find, in the form of CURLOPT_RESOLVE
  /// (`name:port:address,address`): the hostile resolver of a test.
  package var resolutions: [String] = []

  /// Creates a request; by default a GET with no bounds on size.
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
