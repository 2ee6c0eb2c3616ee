import Core
import Foundation

extension Page {
  /// The page without secrets of this process, because a server may repeat them from the request.
  var withoutSecrets: Page {
    guard !Secrets.isEmpty else { return self }
    var page = self
    page.contentType = origin.contentType.map(Secrets.redacted)
    page.facts = facts.withoutSecrets
    return page
  }
}

extension PageFacts {
  /// The facts, with secrets removed from all of their texts.
  fileprivate var withoutSecrets: PageFacts {
    do {
      let members = try JSONSerialization.jsonObject(with: JSONEncoder().encode(self))
      let shown = try JSONSerialization.data(withJSONObject: Self.redacted(members))
      var facts = try JSONDecoder().decode(PageFacts.self, from: shown)
      if facts.text != text { facts.characters = facts.text?.unicodeScalars.count }
      return facts
    } catch {
      // Facts can always be encoded; without the encoded form, they cannot be proven free of
      // secrets.
      return PageFacts()
    }
  }

  /// Returns the given JSON value with each secret in its strings replaced.
  private static func redacted(_ value: Any) -> Any {
    switch value {
    case let text as String: Secrets.redacted(text)
    case let members as [String: Any]: members.mapValues(redacted)
    case let elements as [Any]: elements.map(redacted)
    default: value
    }
  }
}
