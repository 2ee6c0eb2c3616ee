import Command
import Core
import Foundation
import HTTP

/// A table of prices in a file or at a URL.
enum PublishedTable {
  private static let mostBytes = 16 << 20

  /// Reads a table.
  ///
  /// - Parameter place: A path, or a URL: https, or http on this machine.
  /// - Returns: The table, and the place as it may be shown and stored.
  /// - Throws: `BadUsage` for another URL, `NotFound`, `BadInput` for one that is too large, and what
  ///   the server answers.
  static func read(_ place: String) async throws(Failure) -> (bytes: [UInt8], source: String) {
    guard place.contains("://") else {
      return (try Session.bytes(ofFile: place, atMost: mostBytes), Visible.line(place))
    }
    let shown = Failure.shownURL(place)
    let parts = URLComponents(string: place)
    let scheme = parts?.scheme?.lowercased()
    guard scheme == "https" || (scheme == "http" && HostName.isLoopback(parts?.host ?? "")) else {
      throw Failure(
        .badUsage, "'\(shown)' must be an https URL, or an http URL of this machine",
        input: shown)
    }
    var request = HTTPRequest(
      url: place, fields: [HTTPField("accept", "application/json")], maximumBodyBytes: mostBytes,
      maximumWireBytes: mostBytes)
    // A guarded request goes through no proxy, which would read what is meant for this machine.
    if scheme == "http" { request.addressGuard = { _ in nil } }
    let response = try await HTTPClient().collect(request)
    guard (200...299).contains(response.head.status) else {
      throw Failure(
        httpStatus: response.head.status, head: response.head, url: place, message: nil)
    }
    return (response.body, shown)
  }
}
