import Core
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import Signing

/// A companion's request.
///
/// It contains the whole body, because a signature may cover the body.
struct CompanionRequest: Sendable {
  let request: HubRequest
  /// The whole body.
  let body: [UInt8]

  private static let longestBody = 16 << 10

  /// Reads the body of the given request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - limit: The largest size of the body.
  /// - Throws: `PermissionDenied` if a browser sent the request for a page of any origin;
  ///   `BadInput` if the body is not JSON or too long.
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
  /// - Throws: `BadInput` if the body is malformed.
  func object<Value: Decodable>(_ type: Value.Type) throws(Failure) -> Value {
    try HubRequest.object(type, in: body)
  }

  /// The credentials of the request, in the order of precedence.
  ///
  /// If the request is not signed and has no `Authorization` field, the address comes before the
  /// owner's process. A companion on the hub's machine is therefore not taken for the owner. If
  /// there is an `Authorization` field, the address is not used.
  var credentials: [Credential] {
    if isSigned {
      let own = request.request.headers[.authorization] == nil ? [] : ownersCredentials
      return own + [.signature(message, body: body, request.ends)]
    }
    guard request.request.headers[.authorization] == nil else { return ownersCredentials }
    return [.address(request.ends)] + ownersCredentials
  }

  /// The credentials that may identify the owner.
  ///
  /// These are a token that was sent from this machine or, without a token, the process that sent
  /// the request.
  var ownersCredentials: [Credential] {
    guard let field = request.request.headers[.authorization] else {
      return isPassedOn ? [] : [.owner(request.ends)]
    }
    let (peer, local) = (request.ends.peer, request.ends.local)
    return SocketOwner.isOfThisMachine(peer: peer, local: local)
      ? [.bearer(field, isLocal: true)] : []
  }

  /// `true` if a proxy seems to have forwarded the request.
  ///
  /// The request then has a header field that proxies add, or it names a host or port that is not
  /// our end of the connection.
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

  /// The host that the request names, without the default port of the scheme (RFC 9421, section
  /// 2.2.3).
  private var authority: String {
    let host = request.request.head.authority?.lowercased() ?? ""
    let usual = request.ends.isSecure ? ":443" : ":80"
    return host.hasSuffix(usual) ? String(host.dropLast(usual.count)) : host
  }
}
