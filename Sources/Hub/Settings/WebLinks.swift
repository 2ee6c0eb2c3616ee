import Core
import Foundation
import HTTP

/// The links to pages about records.
///
/// They are created from URL templates in the configuration.
public struct WebLinks: Sendable, Hashable {
  /// The kinds of subjects that may have a page.
  public enum Kind: String, Sendable, CaseIterable {
    case incident, gate, trace, session
  }

  private var templates: [Kind: String] = [:]

  /// Creates links without templates.
  public init() {}

  /// `true` if there are no templates.
  var isEmpty: Bool { templates.isEmpty }

  /// Sets the template for the given kind.
  ///
  /// It must be an http or https URL with `{id}` in its path, query or fragment.
  ///
  /// - Returns: `true` if the template is valid.
  public mutating func set(_ template: String, for kind: Kind) -> Bool {
    let parts = template.components(separatedBy: "{id}")
    guard parts.count > 1, AccessRule.isURL(parts.joined(separator: "x")),
      let mark = parts[0].range(of: "://"),
      parts[0][mark.upperBound...].contains(where: "/?#".contains)
    else { return false }
    templates[kind] = template
    return true
  }

  /// Returns the URL of the page about the given subject.
  ///
  /// - Parameters:
  ///   - kind: The kind of the subject.
  ///   - id: The subject's id. All but unreserved characters are percent-encoded (RFC 3986, section
  ///     2.3).
  /// - Returns: The URL; nil if the kind has no template.
  public func url(for kind: Kind, _ id: String) -> String? {
    guard let template = templates[kind], !id.isEmpty else { return nil }
    return template.replacingOccurrences(of: "{id}", with: id.percentEncoded)
  }
}
