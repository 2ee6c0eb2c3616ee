import Core
import Foundation
import HTTP
import Synchronization

/// Answers that are used again: what HTTP allows, kept in a ``ResponseCache``.
///
/// A cache that fails is a page that is fetched: it is said once and never fatal.
final class PageCache: Sendable {
  /// What is known about a request before it is sent.
  enum Finding: Sendable {
    case nothing
    /// May be used as it is.
    case fresh(CachedResponse)
    /// May be used once the server says that it still holds.
    case stale(CachedResponse)
  }

  private let store: ResponseCache
  private let note: Note
  private let isBroken = Mutex(false)

  init(_ store: ResponseCache, note: @escaping Note) {
    (self.store, self.note) = (store, note)
  }

  private static var now: Double { Date().timeIntervalSince1970 }

  /// Looks for an answer to a request with these fields.
  func find(_ url: String, _ fields: [HTTPField]) -> Finding {
    attempt { () throws(Failure) -> Finding in
      guard
        let variant = try store.variants(of: url).first(where: {
          $0 == CachePolicy.variant(fields, like: $0)
        }),
        let found = try store.response(
          CachedResponse.Key(url: url, variant: variant), now: Self.now)
      else { return .nothing }
      if found.head.freshUntil > Self.now, !CachePolicy.mustAsk(fields) { return .fresh(found) }
      return CachePolicy.hasValidator(found.head.http) ? .stale(found) : .nothing
    } ?? .nothing
  }

  /// Keeps an answer, where HTTP allows it and it can be of use again; for `atLeast` seconds,
  /// whatever the server says.
  func keep(
    _ url: String, _ fields: [HTTPField], _ answer: Answer, secrets: Bool, atLeast: Double = 0
  ) {
    guard CachePolicy.mayStore(fields, answer.head, secrets: secrets),
      let variant = CachePolicy.variant(fields, answer.head)
    else { return }
    let freshUntil = max(CachePolicy.freshUntil(answer.head, now: Self.now), Self.now + atLeast)
    guard freshUntil > Self.now || CachePolicy.hasValidator(answer.head) else { return }
    let head = CachedResponse.Head(
      answer.head, answer.peer?.bytes.map { String($0) }.joined(separator: "."), freshUntil)
    let response = CachedResponse(
      key: CachedResponse.Key(url: url, variant: variant), head: head, body: answer.body)
    attempt { () throws(Failure) in try store.store(response, now: Self.now) }
  }

  /// Notes that the server confirmed an answer, and returns it as it is now.
  func confirm(_ response: CachedResponse, by head: HTTPHead) -> CachedResponse {
    var response = response
    let confirmed = CachePolicy.confirmed(response.head.http, by: head)
    response.head = CachedResponse.Head(
      confirmed, response.head.address, CachePolicy.freshUntil(confirmed, now: Self.now))
    let changed = response
    attempt { () throws(Failure) in try store.confirm(changed) }
    return response
  }

  @discardableResult
  private func attempt<Value>(_ work: () throws(Failure) -> Value) -> Value? {
    guard !isBroken.withLock({ $0 }) else { return nil }
    do {
      return try work()
    } catch {
      let isFirst = isBroken.withLock { broken in
        defer { broken = true }
        return !broken
      }
      if error.kind == .corrupt { store.discard() }
      if isFirst { note("continuing without the cache: \(error.explanation)") }
      return nil
    }
  }
}

extension CachedResponse.Head {
  fileprivate init(_ head: HTTPHead, _ address: String?, _ freshUntil: Double) {
    self.init(
      status: head.status, fields: head.fields.map { [$0.name, $0.value] }, address: address,
      freshUntil: freshUntil)
  }

  /// The head as HTTP has it.
  var http: HTTPHead {
    HTTPHead(
      status: status,
      fields: fields.compactMap { $0.count == 2 ? HTTPField($0[0], $0[1]) : nil })
  }
}
