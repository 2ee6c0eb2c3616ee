import Synchronization

/// The text of an object that is being decoded, by the places in it.
final class RecordSource: Sendable {
  static let key = CodingUserInfoKey(rawValue: "RecordText.source")

  private let object: RawRecord?
  private let lists = Mutex<[String: [String]]>([:])

  init(_ bytes: [UInt8]) { object = RawRecord(object: String(decoding: bytes, as: UTF8.self)) }

  /// The text of a member, or of an element of one; nil for another place.
  func text(at path: [any CodingKey]) -> String? {
    guard let name = path.first?.stringValue, let json = object?.json(name) else { return nil }
    guard path.count > 1 else { return json }
    guard path.count == 2, let index = path[1].intValue else { return nil }
    return lists.withLock { lists in
      let elements =
        lists[name]
        ?? JSONElements(Array(json.utf8)).map { String(decoding: $0, as: UTF8.self) }
      lists[name] = elements
      return elements.indices.contains(index) ? elements[index] : nil
    }
  }
}
