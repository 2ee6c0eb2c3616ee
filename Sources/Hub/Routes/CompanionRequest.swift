import Core
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import Signing

/// A request of a companion, with its body: who signs, signs that, too.
struct CompanionRequest: Sendable {
  let request: HubRequest
  /// The whole body.
  let body: [UInt8]

  private static let longestBody = 16 << 10

  /// Reads the body.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - limit: So many bytes may come.
  /// - Throws: `PermissionDenied` for what a browser sends for a page, of any origin; `BadInput` for a
  ///   body that is not JSON or too long.
  init(
    _ request: HubRequest, upTo limit: Int = longestBody
  ) async throws(Failure) {
    self.request = request
    let fields = request.request.headers
    for field in fields where ["origin", "sec-fetch-site"].contains(field.name.canonicalName) {
      throw Failure(
        .permissionDenied, "a page in a browser asks, and companions are none",
        kind: .crossOrigin, input: field.name.rawName)
    }
    body = try await request.body(upTo: limit)
    let type = fields[.contentType]?.split(separator: ";").first?.lowercased()
    guard body.isEmpty || type?.filter({ $0 != " " }) == "application/json" else {
      throw Failure(
        .badInput, "a body is of the type application/json", status: 415, input: "Content-Type")
    }
  }

  /// The body as an object of JSON.
  ///
  /// - Throws: `BadInput`.
  func object<Value: Decodable>(_ type: Value.Type) throws(Failure) -> Value {
    try HubRequest.object(type, in: body)
  }

  /// Whether it seems to be passed on for somebody else, by something in front of the hub: such a request
  /// names another host or port than the one it came to, or says so.
  var isPassedOn: Bool {
    let told = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"]
    guard !request.request.headers.contains(where: { told.contains($0.name.canonicalName) })
    else { return true }
    guard let asked = HostPort(authority), let local = request.local else { return true }
    return !asked.isEnd(local, isSecure: request.isSecure)
  }

  /// Whether it tells by a signature who sends it.
  var isSigned: Bool {
    request.request.headers.contains { $0.name.canonicalName.hasPrefix("signature") }
  }

  /// What may be signed of it.
  var message: SignedMessage {
    let head = request.request.head
    let target = head.path ?? "/"
    let cut = target.firstIndex(of: "?")
    return SignedMessage(
      method: head.method.rawValue, authority: authority,
      path: String(target[..<(cut ?? target.endIndex)]),
      query: cut.map { String(target[target.index(after: $0)...]) },
      fields: head.headerFields.map { ($0.name.rawName, $0.value) })
  }

  /// The host that is asked, without the usual port of the scheme (RFC 9421, section 2.2.3).
  var authority: String {
    let host = request.request.head.authority?.lowercased() ?? ""
    let usual = request.isSecure ? ":443" : ":80"
    return host.hasSuffix(usual) ? String(host.dropLast(usual.count)) : host
  }
}
