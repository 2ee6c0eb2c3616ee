extension Transfer {
  /// Sets all options of the handle.
  func prepare() throws(CurlError) {
    try handle.setCommon()
    try setWhere()
    try setWhat()
    // libcurl reads 0 as its default of 300 s, so the largest value stands for no limit.
    try handle.set(
      .connectMilliseconds, milliseconds(request.timeouts.connect) ?? Int(Int32.max))
    try handle.set(.totalMilliseconds, milliseconds(request.timeouts.total) ?? 0)
    try handle.report(to: self, watchesEncoding: request.noticesCutEncoding)
  }

  private func setWhere() throws(CurlError) {
    try handle.set(.url, request.url)
    if request.keepsPath { try handle.set(.keepsPath, 1) }
    if request.addressGuard != nil { try setProxy() }
    if let file = TrustedCertificates.file { try handle.set(.certificates, file) }
    if let key = request.pinnedKey {
      try handle.set(.pinnedKey, "sha256//" + key)
      try handle.set(.verifiesPeer, 0)
      try handle.set(.verifiesHost, 0)
    }
    if !request.resolutions.isEmpty { try handle.setResolutions(request.resolutions) }
  }

  /// Sets the proxy that the environment names for the request, or no proxy.
  ///
  /// libcurl could otherwise choose another proxy than the client.
  private func setProxy() throws(CurlError) {
    let proxy = request.isTargetJudged ? ProxyEnvironment.process.proxy(for: request.url) : nil
    usesProxy = proxy != nil
    try handle.set(.proxy, proxy ?? "")
    try handle.set(.hostsWithoutProxy, "")
  }

  private func setWhat() throws(CurlError) {
    var lines = request.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    // A name without a value removes the field that libcurl adds: `Expect`, which delays the body
    // by a second, and the content type of a form.
    if !request.fields.contains(where: { $0.isNamed("expect") }) { lines.append("Expect:") }
    if !request.fields.contains(where: { $0.isNamed("content-type") }) {
      lines.append("Content-Type:")
    }
    try handle.setHeaders(lines)
    if let body = request.body ?? (request.method == "POST" ? [] : nil) {
      try handle.setBody(body)
    }
    switch (request.method, request.body) {
    case ("GET", nil): try handle.set(.isGet, 1)
    case ("HEAD", nil): try handle.set(.isHead, 1)
    case ("POST", _): break
    default: try handle.set(.method, request.method)
    }
  }
}
