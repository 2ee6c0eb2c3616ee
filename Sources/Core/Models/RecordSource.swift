import Synchronization

/// The JSON text of an object that is being decoded, searchable by coding path.
final class RecordSource: Sendable {
  private struct Found {
    var object: RawRecord?
    var lists: [String: [String]] = [:]
  }

  static let key = CodingUserInfoKey(rawValue: "RecordJSON.source")

  private let bytes: [UInt8]
  /// The members and array elements that were looked up so far.
  private let found = Mutex<Found?>(nil)

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the text of the member or array element at the given path; nil if there is none.
  func text(at path: [any CodingKey]) -> String? {
    found.withLock { known in
      var found = known ?? Found(object: RawRecord(object: String(decoding: bytes, as: UTF8.self)))
      defer { known = found }
      guard let name = path.first?.stringValue, path.count > 1 else {
        return path.first.flatMap { found.object?.json($0.stringValue) }
      }
      guard path.count == 2, let index = path[1].intValue else { return nil }
      let elements = found.lists[name] ?? Self.elements(of: found.object?.json(name))
      if found.lists[name] == nil { found.lists[name] = elements }
      return elements.indices.contains(index) ? elements[index] : nil
    }
  }

  private static func elements(of list: String?) -> [String] {
    JSONElements(Array((list ?? "[]").utf8)).map { String(decoding: $0, as: UTF8.self) }
  }
}
