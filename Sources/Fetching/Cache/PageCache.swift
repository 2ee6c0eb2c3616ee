import Core
import Foundation
import HTTP
import Synchronization

/// A cache of the answers that HTTP allows to be stored, kept in a ``ResponseCache``.
///
/// If the cache fails, pages are fetched instead. The failure is reported once and is never fatal.
final class PageCache: Sendable {
  /// The result of looking up a request in the cache.
  enum Finding: Sendable {
    case nothing
    /// An answer that may be used without validation.
    case fresh(CachedResponse)
    /// An answer that the server must validate first.
    case stale(CachedResponse)
  }

  private let store: ResponseCache
  private let report: NoticeHandler
  private let isBroken = Mutex(false)

  init(_ store: ResponseCache, report: @escaping NoticeHandler) {
    (self.store, self.report) = (store, report)
  }

  private static var now: Double { Date().timeIntervalSince1970 }

  /// Returns the stored answer to a request with the given URL and fields.
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

  /// Stores the given answer, if HTTP allows it and the answer can be used again.
  ///
  /// The answer counts as fresh for at least `atLeast` seconds, even if the server specified less.
  func save(
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

  /// Updates the given stored answer, which the server has validated, and returns the new answer.
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
      if isFirst { report("continuing without the cache: \(error.explanation)") }
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

  /// The head in the form that the HTTP client uses.
  var http: HTTPHead {
    HTTPHead(
      status: status,
      fields: fields.compactMap { $0.count == 2 ? HTTPField($0[0], $0[1]) : nil })
  }
}
