import CCurl

extension Transfer {
  /// Sets every option of the handle; the first result that is not CURLE_OK ends it.
  func prepare() -> CURLcode {
    for step in [setWhere, setWhat, setBounds, setCallbacks] {
      let code = step()
      guard code == CURLE_OK else { return code }
    }
    return CURLE_OK
  }

  private func setWhere() -> CURLcode {
    var code = firstError([
      handle.keepErrorText(),
      handle.set(CURLOPT_URL, request.url),
      handle.set(CURLOPT_PROTOCOLS_STR, "http,https"),
      handle.set(CURLOPT_FOLLOWLOCATION, 0),
      handle.set(CURLOPT_HTTP_VERSION, ccurl_http_version_2_over_tls()),
      handle.set(CURLOPT_HTTP09_ALLOWED, 0),
      handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
      handle.set(CURLOPT_SSLVERSION, ccurl_tls_1_2()),
      handle.set(CURLOPT_SSL_VERIFYPEER, 1),
      handle.set(CURLOPT_SSL_VERIFYHOST, 2),
      handle.set(CURLOPT_NOSIGNAL, 1),
      // Without it, aborting during a name lookup blocks the thread until the resolver answers.
      handle.set(CURLOPT_QUICK_EXIT, 1),
      // Empty: every coding that libcurl was built with.
      handle.set(CURLOPT_ACCEPT_ENCODING, ""),
    ])
    if code == CURLE_OK, request.addressGuard != nil { code = setProxy() }
    if code == CURLE_OK, let file = TrustedCertificates.file {
      code = handle.set(CURLOPT_CAINFO, file)
    }
    if code == CURLE_OK, !request.resolutions.isEmpty {
      code = handle.setResolutions(request.resolutions)
    }
    return code
  }

  /// Goes through the very proxy that was found when the target was judged, or directly: nothing
  /// that libcurl reads by itself may lead elsewhere than what the guard was told.
  private func setProxy() -> CURLcode {
    let proxy = request.isTargetJudged ? ProxyEnvironment.process.proxy(for: request.url) : nil
    usesProxy = proxy != nil
    return firstError([
      handle.set(CURLOPT_PROXY, proxy ?? ""), handle.set(CURLOPT_NOPROXY, ""),
    ])
  }

  private func setWhat() -> CURLcode {
    var lines = request.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    // A name alone takes away what libcurl would add: a second of waiting for `100 Continue`, and a
    // form's content type.
    if !request.fields.contains(where: { $0.isNamed("expect") }) { lines.append("Expect:") }
    if !request.fields.contains(where: { $0.isNamed("content-type") }) {
      lines.append("Content-Type:")
    }
    var code = handle.setHeaders(lines)
    if code == CURLE_OK, let body = request.body ?? (request.method == "POST" ? [] : nil) {
      code = setBody(body)
    }
    guard code == CURLE_OK else { return code }
    switch (request.method, request.body) {
    case ("GET", nil): return handle.set(CURLOPT_HTTPGET, 1)
    case ("HEAD", nil): return handle.set(CURLOPT_NOBODY, 1)
    case ("POST", _): return CURLE_OK
    default: return handle.set(CURLOPT_CUSTOMREQUEST, request.method)
    }
  }

  private func setBody(_ body: [UInt8]) -> CURLcode {
    // The size first: copying without one stops at a NUL.
    let code = ccurl_set_offset(
      handle.pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
    guard code == CURLE_OK else { return code }
    if body.isEmpty { return handle.set(CURLOPT_COPYPOSTFIELDS, "") }
    return body.withUnsafeBytes { bytes in
      // libcurl only reads from it; its own type says `void *`.
      ccurl_set_pointer(
        handle.pointer, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      )
    }
  }

  private func setBounds() -> CURLcode {
    firstError([
      // 0 means libcurl's own 300 s here, so that no limit is its largest.
      handle.set(
        CURLOPT_CONNECTTIMEOUT_MS,
        milliseconds(request.timeouts.connect) ?? Int(Int32.max)),
      handle.set(CURLOPT_TIMEOUT_MS, milliseconds(request.timeouts.total) ?? 0),
      handle.set(CURLOPT_NOPROGRESS, 0),
    ])
  }

  private func setCallbacks() -> CURLcode {
    let owner = Unmanaged.passUnretained(self).toOpaque()
    var codes = [
      ccurl_set_pointer(handle.pointer, CURLOPT_PRIVATE, owner),
      ccurl_set_pointer(handle.pointer, CURLOPT_HEADERDATA, owner),
      ccurl_set_pointer(handle.pointer, CURLOPT_WRITEDATA, owner),
      ccurl_set_pointer(handle.pointer, CURLOPT_OPENSOCKETDATA, owner),
      ccurl_set_write(handle.pointer, CURLOPT_HEADERFUNCTION, receiveHeaderLine),
      ccurl_set_write(handle.pointer, CURLOPT_WRITEFUNCTION, receiveBodyChunk),
      ccurl_set_open_socket(handle.pointer, openJudgedSocket),
      ccurl_set_pointer(handle.pointer, CURLOPT_XFERINFODATA, owner),
      ccurl_set_progress(handle.pointer, judgeProgress),
      ccurl_set_pointer(handle.pointer, CURLOPT_PREREQDATA, owner),
      ccurl_set_before_request(handle.pointer, judgeConnection),
    ]
    if request.noticesCutEncoding {
      codes.append(ccurl_set_pointer(handle.pointer, CURLOPT_DEBUGDATA, owner))
      codes.append(ccurl_set_debug(handle.pointer, watchEncodedBody))
    }
    return firstError(codes)
  }

  private func firstError(_ codes: [CURLcode]) -> CURLcode {
    codes.first { $0 != CURLE_OK } ?? CURLE_OK
  }
}
