import Core
import HTTP
import OAuth

/// The field `authorization` of one message, which is renewed once for each kind of refusal.
struct WebLogin: Sendable {
  private let access: OAuthAccess?
  /// The field; nil if none is sent.
  private(set) var field: HTTPField?
  private var renewals: Set<Int> = []

  /// Creates the login of a message to the given place.
  ///
  /// - Throws: `StorageFailed` if the stored secret is malformed.
  init(_ place: WebPlace) async throws(Failure) {
    access = place.hasOwnAuthorization ? nil : place.access
    field = try await access?.authorization()
  }

  /// Renews the field after a refusal that a renewal may resolve: 401, or 403 for a missing scope.
  ///
  /// - Returns: `true` if the message may be sent again.
  /// - Throws: `AuthExpired` if there is nothing to renew.
  mutating func renews(after head: HTTPHead) async throws(Failure) -> Bool {
    let challenge = head.values("www-authenticate").joined(separator: ", ")
    let lacksScope = head.status == 403 && challenge.contains("insufficient_scope")
    guard let access, head.status == 401 || lacksScope,
      renewals.insert(head.status).inserted
    else { return false }
    field = try await access.renewed(
      after: field, challenge: challenge.isEmpty ? nil : challenge)
    return true
  }
}
