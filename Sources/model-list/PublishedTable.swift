import Command
import Core
import Foundation
import HTTP

/// A reader of published price tables.
enum PublishedTable {
  private static let mostBytes = 16 << 20

  /// Reads the table at the given path or URL.
  ///
  /// - Parameter place: A path or a URL. The scheme must be https, or http on this machine.
  /// - Returns: The table, and its source in a form that can be shown and stored.
  /// - Throws: `BadUsage` for a URL of any other scheme; `NotFound` if the file cannot be read;
  ///   `BadInput` if the table is too large; the failure that the server reports.
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
    // A guarded request uses no proxy, which would otherwise see a request for this machine.
    if scheme == "http" { request.addressGuard = { _ in nil } }
    let response = try await HTTPClient().collect(request)
    guard (200...299).contains(response.head.status) else {
      throw Failure(
        httpStatus: response.head.status, head: response.head, url: place, message: nil)
    }
    return (response.body, shown)
  }
}
