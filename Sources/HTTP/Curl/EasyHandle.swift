import CCurl

/// The owner of a `CURL` handle, its lists and its error buffer.
struct EasyHandle: ~Copyable {
  private let pointer: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var resolutions: UnsafeMutablePointer<curl_slist>?
  private let errorText: UnsafeMutablePointer<CChar>

  /// Creates a handle with curl_easy_init(3); nil if there is no memory.
  init?() {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(pointer)
    curl_slist_free_all(headers)
    curl_slist_free_all(resolutions)
    errorText.deallocate()
  }

  /// Calls `body` with the `CURL` pointer.
  ///
  /// The pointer must not be used after this handle is destroyed.
  func withPointer<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result {
    body(pointer)
  }

  // MARK: Options

  /// An option of type `long`.
  struct Number {
    fileprivate let option: CURLoption

    static var connectMilliseconds: Number { Number(option: CURLOPT_CONNECTTIMEOUT_MS) }
    static var totalMilliseconds: Number { Number(option: CURLOPT_TIMEOUT_MS) }
    static var isGet: Number { Number(option: CURLOPT_HTTPGET) }
    static var isHead: Number { Number(option: CURLOPT_NOBODY) }
    static var verifiesPeer: Number { Number(option: CURLOPT_SSL_VERIFYPEER) }
    static var verifiesHost: Number { Number(option: CURLOPT_SSL_VERIFYHOST) }
    static var keepsPath: Number { Number(option: CURLOPT_PATH_AS_IS) }
    static var isVerbose: Number { Number(option: CURLOPT_VERBOSE) }
  }

  /// An option of type `char *`, which libcurl copies.
  struct Text {
    fileprivate let option: CURLoption

    static var url: Text { Text(option: CURLOPT_URL) }
    static var proxy: Text { Text(option: CURLOPT_PROXY) }
    static var hostsWithoutProxy: Text { Text(option: CURLOPT_NOPROXY) }
    static var certificates: Text { Text(option: CURLOPT_CAINFO) }
    static var pinnedKey: Text { Text(option: CURLOPT_PINNEDPUBLICKEY) }
    static var method: Text { Text(option: CURLOPT_CUSTOMREQUEST) }
  }

  /// Sets the given option of type `long`.
  func set(_ number: Number, _ value: Int) throws(CurlError) {
    try check(ccurl_set_long(pointer, number.option, value))
  }

  /// Sets the given option of type `char *`.
  func set(_ text: Text, _ value: String) throws(CurlError) {
    try check(ccurl_set_string(pointer, text.option, value))
  }

  /// Sets the options that all transfers share.
  ///
  /// They allow only HTTP and verified TLS, and no redirects.
  func setCommon() throws(CurlError) {
    try check(ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText))
    try check(ccurl_set_string(pointer, CURLOPT_PROTOCOLS_STR, "http,https"))
    // An empty value stands for all codings that libcurl was built with.
    try check(ccurl_set_string(pointer, CURLOPT_ACCEPT_ENCODING, ""))
    let numbers = [
      (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_HTTP_VERSION, ccurl_http_version_2_over_tls()),
      (CURLOPT_HTTP09_ALLOWED, 0), (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
      (CURLOPT_SSLVERSION, ccurl_tls_1_2()), (CURLOPT_SSL_VERIFYPEER, 1),
      (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_NOSIGNAL, 1), (CURLOPT_NOPROGRESS, 0),
      // Without this option, an abort during a name lookup blocks the thread until the resolver
      // answers.
      (CURLOPT_QUICK_EXIT, 1),
    ]
    for (option, value) in numbers { try check(ccurl_set_long(pointer, option, value)) }
  }

  /// Sets the header lines of the request (CURLOPT_HTTPHEADER).
  mutating func setHeaders(_ lines: [String]) throws(CurlError) {
    try Self.append(lines, to: &headers)
    try check(ccurl_set_list(pointer, CURLOPT_HTTPHEADER, headers))
  }

  /// Sets addresses to use instead of those that the resolver returns (CURLOPT_RESOLVE).
  mutating func setResolutions(_ lines: [String]) throws(CurlError) {
    try Self.append(lines, to: &resolutions)
    try check(ccurl_set_list(pointer, CURLOPT_RESOLVE, resolutions))
  }

  private static func append(
    _ lines: [String], to list: inout UnsafeMutablePointer<curl_slist>?
  ) throws(CurlError) {
    for line in lines {
      guard let longer = curl_slist_append(list, line) else { throw .noMemory }
      list = longer
    }
  }

  /// Sets a copy of the given bytes as the body of the request (CURLOPT_COPYPOSTFIELDS).
  func setBody(_ body: [UInt8]) throws(CurlError) {
    // The size must be set first, because otherwise libcurl copies only up to a NUL.
    try check(ccurl_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
    let code =
      body.isEmpty
      ? ccurl_set_string(pointer, CURLOPT_COPYPOSTFIELDS, "")
      : body.withUnsafeBytes { bytes in
        // libcurl only reads from the pointer, although its type is `void *`.
        ccurl_set_pointer(
          pointer, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      }
    try check(code)
  }

  /// Resumes a paused transfer, with curl_easy_pause(3).
  func goOn() {
    // If this call fails, the multi handle reports the failed transfer.
    _ = curl_easy_pause(pointer, CURLPAUSE_CONT)
  }

  private func check(_ code: CURLcode) throws(CurlError) {
    if let error = CurlError(code) { throw error }
  }

  // MARK: Information

  /// A measurement that curl_easy_getinfo(3) returns.
  ///
  /// It is a size in bytes or a time in microseconds.
  struct Information {
    fileprivate let info: CURLINFO

    static var nameLookup: Information { Information(info: CURLINFO_NAMELOOKUP_TIME_T) }
    static var connect: Information { Information(info: CURLINFO_CONNECT_TIME_T) }
    static var secured: Information { Information(info: CURLINFO_APPCONNECT_TIME_T) }
    static var ready: Information { Information(info: CURLINFO_PRETRANSFER_TIME_T) }
    static var firstByte: Information { Information(info: CURLINFO_STARTTRANSFER_TIME_T) }
    static var total: Information { Information(info: CURLINFO_TOTAL_TIME_T) }
    static var wireBytes: Information { Information(info: CURLINFO_SIZE_DOWNLOAD_T) }
  }

  /// Returns the value of the given measurement, or 0 if it is unknown.
  func value(_ information: Information) -> Int {
    var value: curl_off_t = 0
    return ccurl_get_offset(pointer, information.info, &value) == CURLE_OK ? Int(value) : 0
  }

  /// The address of the peer.
  ///
  /// If a proxy is used, it is the address of the proxy.
  var remoteAddress: String? {
    var value: UnsafePointer<CChar>?
    guard ccurl_get_string(pointer, CURLINFO_PRIMARY_IP, &value) == CURLE_OK, let value else {
      return nil
    }
    return String(cString: value)
  }

  /// The error message of the last failure; empty if there was none.
  var lastErrorText: String {
    String(cString: errorText)
  }

  // MARK: Callbacks

  /// Makes libcurl's callbacks call the given transfer, which must live as long as this handle.
  ///
  /// - Parameters:
  ///   - transfer: The owner of this handle.
  ///   - watchesEncoding: `true` to report the encoded body, too, while the handle is verbose.
  /// - Throws: An error of libcurl if an option cannot be set.
  func report(to transfer: Transfer, watchesEncoding: Bool) throws(CurlError) {
    let owner = Unmanaged.passUnretained(transfer).toOpaque()
    for option in [
      CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_OPENSOCKETDATA,
      CURLOPT_XFERINFODATA, CURLOPT_PREREQDATA,
    ] { try check(ccurl_set_pointer(pointer, option, owner)) }
    try check(ccurl_set_write(pointer, CURLOPT_HEADERFUNCTION, receiveHeaderLine))
    try check(ccurl_set_write(pointer, CURLOPT_WRITEFUNCTION, receiveBodyChunk))
    try check(ccurl_set_open_socket(pointer, openJudgedSocket))
    try check(ccurl_set_progress(pointer, judgeProgress))
    try check(ccurl_set_before_request(pointer, judgeConnection))
    guard watchesEncoding else { return }
    try check(ccurl_set_pointer(pointer, CURLOPT_DEBUGDATA, owner))
    try check(ccurl_set_debug(pointer, watchEncodedBody))
  }

  /// Returns the transfer that the given handle reports to (CURLINFO_PRIVATE).
  static func transfer(of handle: UnsafeMutableRawPointer) -> Transfer? {
    var owner: UnsafeMutableRawPointer?
    guard ccurl_get_pointer(handle, CURLINFO_PRIVATE, &owner) == CURLE_OK, let owner else {
      return nil
    }
    return owner.transfer
  }
}

extension UnsafeMutableRawPointer {
  /// The transfer that the pointer of a callback refers to.
  fileprivate var transfer: Transfer {
    Unmanaged<Transfer>.fromOpaque(self).takeUnretainedValue()
  }
}

// The callbacks of libcurl. Each callback receives a pointer to the transfer, and runs on the
// network thread inside curl_multi_perform(3) or curl_easy_pause(3).

private let receiveHeaderLine: curl_write_callback = { text, size, count, owner in
  guard let owner, let text else { return 0 }
  return text.withMemoryRebound(to: UInt8.self, capacity: size * count) { bytes in
    let line = UnsafeBufferPointer(start: bytes, count: size * count)
    return owner.transfer.receiveHeader(line) ? line.count : 0
  }
}

private let receiveBodyChunk: curl_write_callback = { text, size, count, owner in
  guard let owner, let text else { return 0 }
  return text.withMemoryRebound(to: UInt8.self, capacity: size * count) { bytes in
    let chunk = UnsafeBufferPointer(start: bytes, count: size * count)
    return switch owner.transfer.receiveBody(chunk) {
    case .accepted: chunk.count
    case .pause: Int(CURL_WRITEFUNC_PAUSE)
    case .abandoned: 0
    }
  }
}

/// Receives bytes of the encoded body, if the transfer watches its encoding.
private let watchEncodedBody: curl_debug_callback = { _, kind, text, count, owner in
  guard let owner, let text, kind == CURLINFO_DATA_IN else { return 0 }
  text.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
    owner.transfer.encodedBody?.receive(UnsafeBufferPointer(start: bytes, count: count))
  }
  return 0
}

private let judgeProgress: curl_xferinfo_callback = { owner, _, downloaded, _, uploaded in
  guard let owner else { return 1 }
  return owner.transfer.allowsWireBytes(Int(downloaded), sent: Int(uploaded)) ? 0 : 1
}

/// Opens a socket to the given address if the guard allows the address.
private let openJudgedSocket: curl_opensocket_callback = { owner, purpose, address in
  guard let owner, let address, purpose == CURLSOCKTYPE_IPCXN,
    let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr),
    let target = SocketAddress(
      sockaddr: UnsafeRawPointer(address) + offset, length: Int(address.pointee.addrlen)),
    owner.transfer.mayConnect(to: target)
  else { return -1 }
  return openSocket(
    family: address.pointee.family, type: address.pointee.socktype,
    transport: address.pointee.protocol)
}

private let judgeConnection: curl_prereq_callback = { owner, address, _, port, _ in
  guard let owner, let address else { return CURL_PREREQFUNC_ABORT }
  let maySend = owner.transfer.maySend(
    to: String(cString: address), port: UInt16(truncatingIfNeeded: port))
  return maySend ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}
