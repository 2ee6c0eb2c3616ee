import Foundation

/// The proxies that the environment names.
public enum HTTPProxy {
  /// Whether a request to the URL goes through a proxy.
  public static func isUsed(for url: String) -> Bool {
    ProxyEnvironment.process.proxy(for: url) != nil
  }
}

/// The environment's proxy variables, as far as a guarded request has to know them.
///
/// Where this finds no proxy the request is sent with none, whatever libcurl would have read, so that
/// a difference between the two can refuse a request but never send one past the guard.
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

  /// The proxy that a request to the URL goes through.
  func proxy(for url: String) -> String? {
    let isSecure = url.prefix(6).lowercased() == "https:"
    // `HTTP_PROXY` is not read: in a CGI program it is a header of the client's.
    let own = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    let names = own + ["all_proxy", "ALL_PROXY"]
    guard let proxy = names.compactMap({ variables[$0] }).first(where: { !$0.isEmpty }),
      !isExempt(host(of: url))
    else { return nil }
    return proxy
  }

  /// Whether `no_proxy` lists the host: by `*`, by its name, or by a domain above it.
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
