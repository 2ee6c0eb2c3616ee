import CCurl

/// The one owner of a `CURL`, of its lists and of its error text.
struct EasyHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var resolutions: UnsafeMutablePointer<curl_slist>?
  private let errorText: UnsafeMutablePointer<CChar>

  /// Creates a handle with curl_easy_init(3), or nil without memory.
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

  /// Sets an option of type `long`.
  func set(_ option: CURLoption, _ value: Int) -> CURLcode {
    ccurl_set_long(pointer, option, value)
  }

  /// Sets an option of type `char *`, which libcurl copies.
  func set(_ option: CURLoption, _ value: String) -> CURLcode {
    ccurl_set_string(pointer, option, value)
  }

  /// Sends these lines as the header, with CURLOPT_HTTPHEADER.
  mutating func setHeaders(_ lines: [String]) -> CURLcode {
    for line in lines {
      guard let longer = curl_slist_append(headers, line) else { return CURLE_OUT_OF_MEMORY }
      headers = longer
    }
    return ccurl_set_list(pointer, CURLOPT_HTTPHEADER, headers)
  }

  /// Finds names at these addresses, with CURLOPT_RESOLVE.
  mutating func setResolutions(_ lines: [String]) -> CURLcode {
    for line in lines {
      guard let longer = curl_slist_append(resolutions, line) else { return CURLE_OUT_OF_MEMORY }
      resolutions = longer
    }
    return ccurl_set_list(pointer, CURLOPT_RESOLVE, resolutions)
  }

  /// Keeps the words of a failure, with CURLOPT_ERRORBUFFER.
  func keepErrorText() -> CURLcode {
    ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
  }

  /// libcurl's words for the last failure, empty without any.
  var lastErrorText: String {
    String(cString: errorText)
  }

  /// A size or a time that curl_easy_getinfo(3) knows, in bytes or microseconds.
  func info(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    return ccurl_get_offset(pointer, info, &value) == CURLE_OK ? Int(value) : 0
  }

  /// A text that curl_easy_getinfo(3) knows.
  func text(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    guard ccurl_get_string(pointer, info, &value) == CURLE_OK, let value else { return nil }
    return String(cString: value)
  }
}
