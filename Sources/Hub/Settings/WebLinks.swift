import Core
import Foundation
import HTTP

/// The pages on which records are to be seen, by templates of the configuration.
public struct WebLinks: Sendable, Hashable {
  /// What has a page of its own.
  public enum Kind: String, Sendable, CaseIterable {
    case incident, gate, trace, session
  }

  private var templates: [Kind: String] = [:]

  /// No pages.
  public init() {}

  /// Whether nothing has a page.
  var isEmpty: Bool { templates.isEmpty }

  /// Sets the template of a kind: an http or https URL that has `{id}` in its path, query or fragment.
  ///
  /// - Returns: Whether it is one.
  public mutating func set(_ template: String, for kind: Kind) -> Bool {
    let parts = template.components(separatedBy: "{id}")
    guard parts.count > 1, AccessRule.isURL(parts.joined(separator: "x")),
      let mark = parts[0].range(of: "://"),
      parts[0][mark.upperBound...].contains(where: "/?#".contains)
    else { return false }
    templates[kind] = template
    return true
  }

  /// The page of something.
  ///
  /// - Parameters:
  ///   - kind: What it is.
  ///   - id: Its id; all but unreserved characters are percent-encoded (RFC 3986, section 2.3).
  /// - Returns: Its URL; nil where no template is set.
  public func url(for kind: Kind, _ id: String) -> String? {
    guard let template = templates[kind], !id.isEmpty else { return nil }
    return template.replacingOccurrences(of: "{id}", with: id.percentEncoded)
  }
}
