import Foundation

/// The proxies that the environment names.
public enum HTTPProxy {
  /// Returns `true` if a request to the given URL uses a proxy.
  public static func isUsed(for url: String) -> Bool {
    ProxyEnvironment.process.proxy(for: url) != nil
  }
}

/// The environment's proxy variables, as they are read for a guarded request.
///
/// If no variable applies, the request is sent without a proxy, even if libcurl would use one. If
/// libcurl reads the variables differently, a request may fail, but the guard is never bypassed.
struct ProxyEnvironment {
  var variables: [String: String]

  /// The variables of this process.
  static var process: ProxyEnvironment {
    let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    var variables: [String: String] = [:]
    for name in names + ["no_proxy", "NO_PROXY"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return ProxyEnvironment(variables: variables)
  }

  /// Returns the proxy for a request to the given URL; nil if the request uses none.
  func proxy(for url: String) -> String? {
    let isSecure = url.prefix(6).lowercased() == "https:"
    // `HTTP_PROXY` is ignored because a client can set it in a CGI program, by a header field.
    let own = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    let names = own + ["all_proxy", "ALL_PROXY"]
    guard let proxy = names.compactMap({ variables[$0] }).first(where: { !$0.isEmpty }),
      !isExempt(host(of: url))
    else { return nil }
    return proxy
  }

  /// Returns `true` if `no_proxy` exempts the given host.
  ///
  /// It does if it contains `*`, the host's name or a parent domain.
  private func isExempt(_ host: String) -> Bool {
    let list = variables["no_proxy"] ?? variables["NO_PROXY"] ?? ""
    return list.lowercased().split { $0 == "," || $0 == " " }.contains { entry in
      let name = entry.drop { $0 == "." }
      return entry == "*" || (!name.isEmpty && (host == name || host.hasSuffix(".\(name)")))
    }
  }

  private func host(of url: String) -> String {
    let parts = URLParts(url)
    guard parts.hostAndPort.hasPrefix("[") else {
      return parts.hostAndPort.prefix { $0 != ":" }.lowercased()
    }
    return parts.hostAndPort.dropFirst().prefix { $0 != "]" }.lowercased()
  }
}
