import Core
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import Signing

/// A request of a companion with its body, which a signature covers too.
struct CompanionRequest: Sendable {
  let request: HubRequest
  /// The whole body.
  let body: [UInt8]

  private static let longestBody = 16 << 10

  /// Reads the body.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - limit: The largest size of the body.
  /// - Throws: `PermissionDenied` if a browser sends the request for a page, of any origin;
  ///   `BadInput` for a body that is not JSON or too long.
  init(
    _ request: HubRequest, upTo limit: Int = longestBody
  ) async throws(Failure) {
    self.request = request
    let fields = request.request.headers
    for field in fields where ["origin", "sec-fetch-site"].contains(field.name.canonicalName) {
      throw Failure(
        .permissionDenied, "requests from web pages are refused",
        kind: .crossOrigin, input: field.name.rawName)
    }
    body = try await request.body(upTo: limit)
    let type = fields[.contentType]?.split(separator: ";").first?.lowercased()
    guard body.isEmpty || type?.filter({ $0 != " " }) == "application/json" else {
      throw Failure(
        .badInput, "the body must have the type application/json", status: 415,
        input: "Content-Type")
    }
  }

  /// Decodes the body as a JSON object.
  ///
  /// - Throws: `BadInput`.
  func object<Value: Decodable>(_ type: Value.Type) throws(Failure) -> Value {
    try HubRequest.object(type, in: body)
  }

  /// The credentials of the request, by precedence: a companion on the hub's own machine counts as
  /// a companion, and a device with a token is not recognized by its address.
  var credentials: [Credential] {
    if isSigned {
      let own = request.request.headers[.authorization] == nil ? [] : ownersCredentials
      return own + [.signature(message, body: body, request.ends)]
    }
    guard request.request.headers[.authorization] == nil else { return ownersCredentials }
    return [.address(request.ends)] + ownersCredentials
  }

  /// The credentials that may be the owner's: their token, on this machine only, or else a process
  /// of theirs.
  var ownersCredentials: [Credential] {
    guard let field = request.request.headers[.authorization] else {
      return isPassedOn ? [] : [.owner(request.ends)]
    }
    let (peer, local) = (request.ends.peer, request.ends.local)
    return SocketOwner.isOfThisMachine(peer: peer, local: local)
      ? [.bearer(field, isLocal: true)] : []
  }

  /// `true` if a proxy in front of the hub seems to have passed the request on: it names another
  /// host or port than it came to, or has a header of proxies.
  private var isPassedOn: Bool {
    let told = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"]
    guard !request.request.headers.contains(where: { told.contains($0.name.canonicalName) })
    else { return true }
    guard let asked = HostPort(authority), let local = request.ends.local else { return true }
    return !asked.isEnd(local, isSecure: request.ends.isSecure)
  }

  /// `true` if the request is signed.
  var isSigned: Bool {
    request.request.headers.contains {
      ["signature", "signature-input"].contains($0.name.canonicalName)
    }
  }

  /// The parts of the request that a signature may cover.
  private var message: SignedMessage {
    let head = request.request.head
    let target = head.path ?? "/"
    let cut = target.firstIndex(of: "?")
    return SignedMessage(
      method: head.method.rawValue, authority: authority,
      path: String(target[..<(cut ?? target.endIndex)]),
      query: cut.map { String(target[target.index(after: $0)...]) },
      fields: head.headerFields.map { ($0.name.rawName, $0.value) })
  }

  /// The requested host, without the default port of the scheme (RFC 9421, section 2.2.3).
  private var authority: String {
    let host = request.request.head.authority?.lowercased() ?? ""
    let usual = request.ends.isSecure ? ":443" : ":80"
    return host.hasSuffix(usual) ? String(host.dropLast(usual.count)) : host
  }
}
