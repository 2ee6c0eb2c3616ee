import Foundation

/// The parameters of a redirect (RFC 6749, section 4.1.2).
public struct RedirectQuery: Sendable {
  private let values: [String: [String]]

  /// Parses the query of the given address; returns nil if it is malformed.
  public init?(address: String) {
    guard address.utf8.count <= 32 << 10,
      let items = URLComponents(string: address)?.queryItems
    else { return nil }
    values = Dictionary(grouping: items, by: \.name).mapValues { $0.map { $0.value ?? "" } }
  }

  /// Returns the parameter with the given name; nil if it is missing or repeated.
  subscript(name: String) -> String? {
    guard let found = values[name], found.count == 1 else { return nil }
    return found[0]
  }

  /// Returns `true` if a parameter has the given name.
  func has(_ name: String) -> Bool { values[name] != nil }
}
