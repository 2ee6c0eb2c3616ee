import Foundation

/// The links to pages about records.
///
/// They are created from URL templates in the configuration.
public struct WebLinks: Sendable, Hashable {
  /// The kinds of subjects that may have a page.
  public enum Kind: String, Sendable, CaseIterable {
    case incident, gate, trace, session, agent, swarm

    /// The kinds whose pages the configuration can name.
    static let configurable: [Kind] = [.incident, .gate, .trace, .session]
  }

  /// The path below which a hub serves its page.
  public static let page = "/page"

  private var templates: [Kind: String] = [:]

  /// Creates links without templates.
  public init() {}

  /// Reads the templates in the given settings of `[serve]`: `incident_url`, `gate_url`, `trace_url`
  /// and `session_url`.
  ///
  /// - Throws: `BadConfiguration` if a template is not an http or https URL with `{id}` in its path,
  ///   query or fragment.
  public init(_ serve: [String: String]) throws(Failure) {
    for kind in Kind.configurable {
      let name = "\(kind.rawValue)_url"
      guard let template = serve[name] else { continue }
      guard Self.isTemplate(template) else {
        throw Failure(
          .badConfiguration,
          "'serve.\(name)' is not an http or https URL with '{id}' after its host",
          input: "serve.\(name)")
      }
      templates[kind] = template
    }
  }

  /// `true` if there are no templates.
  public var isEmpty: Bool { templates.isEmpty }

  private static func isTemplate(_ template: String) -> Bool {
    let parts = template.components(separatedBy: "{id}")
    guard parts.count > 1, WebOrigin.isURL(parts.joined(separator: "x")),
      let mark = parts[0].range(of: "://")
    else { return false }
    return parts[0][mark.upperBound...].contains(where: "/?#".contains)
  }

  /// Returns these links, in which the kinds without a template lead to a hub's own page.
  ///
  /// - Parameter url: A URL of the hub. Only its origin is used.
  /// - Returns: The links; these links if the URL is invalid.
  public func withPage(at url: String) -> WebLinks {
    guard let origin = WebOrigin(ofURL: url) else { return self }
    var links = self
    for kind in Kind.allCases where templates[kind] == nil {
      links.templates[kind] = "\(origin.text)\(Self.page)/\(kind.rawValue)s/{id}"
    }
    return links
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

  /// Returns the subject of the page with the given URL; nil if none of these links leads there.
  ///
  /// A fragment that the template does not have, such as that of a place in the page, is ignored.
  public func subject(of url: String) -> (kind: Kind, id: String)? {
    if let subject = subject(ofWhole: url) { return subject }
    return url.firstIndex(of: "#").flatMap { subject(ofWhole: String(url[..<$0])) }
  }

  private func subject(ofWhole url: String) -> (kind: Kind, id: String)? {
    for kind in Kind.allCases {
      guard let start = templates[kind]?.components(separatedBy: "{id}").first,
        url.hasPrefix(start)
      else { continue }
      let encoded = url.dropFirst(start.count).prefix {
        $0 == "%" || String($0).percentEncoded == String($0)
      }
      guard let id = String(encoded).removingPercentEncoding, self.url(for: kind, id) == url else {
        continue
      }
      return (kind, id)
    }
    return nil
  }

  /// Returns the given record with its `webUrl`, if its subject has a page.
  ///
  /// The link is never stored. In an overview, the incidents and gates have theirs.
  public func linked(_ record: any StreamRecord) -> any StreamRecord {
    guard !isEmpty else { return record }
    switch record {
    case let incident as Incident: return linked(incident)
    case let gate as ApprovalGate: return linked(gate)
    case var alert as Alert:
      let subject =
        alert.incidentId.map { (Kind.incident, $0) } ?? alert.gateId.map { (.gate, $0) }
        ?? alert.sessionId.map { (.session, $0) }
      if let url = subject.flatMap({ url(for: $0.0, $0.1) }) { alert.webUrl = url }
      return alert
    case var context as ContextHealth:
      context.webUrl = url(for: .session, context.sessionId) ?? context.webUrl
      return context
    case var overview as Overview:
      overview.activeIncidents = overview.activeIncidents.map(linked)
      overview.pendingGates = overview.pendingGates.map(linked)
      return overview
    default: return record
    }
  }

  private func linked(_ incident: Incident) -> Incident {
    var incident = incident
    incident.webUrl = url(for: .incident, incident.id) ?? incident.webUrl
    return incident
  }

  private func linked(_ gate: ApprovalGate) -> ApprovalGate {
    var gate = gate
    gate.webUrl = url(for: .gate, gate.gateId) ?? gate.webUrl
    return gate
  }
}
