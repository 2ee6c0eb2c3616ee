public import Core

/// A view of the hub's page, in the frame that all views have.
public struct PageFrame: Sendable {
  /// The views that every page links to.
  public enum Section: String, Sendable, CaseIterable {
    case overview, incidents, gates, live, device

    /// The name of the section.
    var title: String {
      switch self {
      case .overview: "Overview"
      case .incidents: "Incidents"
      case .gates: "Gates"
      case .live: "Live"
      case .device: "Device"
      }
    }

    /// The address of the section's view.
    public var address: HTMLAddress {
      self == .overview ? HTMLAddress() : HTMLAddress(rawValue)
    }
  }

  /// The effect of new events on a view that is open.
  enum Freshness: String {
    /// The events are appended to the list.
    case events
    /// The view is read again.
    case view
    /// The view is read again at intervals, because what it waits for may come without an event.
    case outcome
  }

  let title: String
  let section: Section?
  /// The effect of new events; nil for none.
  var freshness: Freshness?
  /// The parts below the heading.
  var parts: [HTML]
  /// The id of the last event that the view may show, after which new events follow; nil if the log is
  /// empty.
  public var lastEventId: String?

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - title: The heading.
  ///   - section: The section that the view belongs to; nil for a view of a browser that is not
  ///     signed in.
  ///   - freshness: The effect of new events; nil for none.
  ///   - parts: The parts below the heading.
  init(
    _ title: String, in section: Section?, freshness: Freshness? = nil, parts: [HTML]
  ) {
    (self.title, self.section) = (title, section)
    (self.freshness, self.parts) = (freshness, parts)
  }

  /// The document in UTF-8.
  public var bytes: [UInt8] {
    Array("<!doctype html>\n".utf8)
      + HTML(.html, [HTMLAttribute(.lang, "en")], head, body).bytes + [0x0A]
  }

  private var head: HTML {
    HTML(
      .head, [],
      HTML(.meta, [HTMLAttribute(.charset, "utf-8")]),
      HTML(
        .meta,
        [
          HTMLAttribute(.name, "viewport"),
          HTMLAttribute(.content, "width=device-width, initial-scale=1"),
        ]),
      HTML(.title, [], "\(title) – agentpipes"),
      Self.link("stylesheet", "style.css"), Self.link("icon", "icon.svg"),
      Self.link("manifest", "manifest.webmanifest"),
      HTML(
        .script, [HTMLAttribute(.src, HTMLAddress("script.js")), HTMLAttribute(.defer, "")]))
  }

  private static func link(_ relation: String, _ file: String) -> HTML {
    HTML(.link, [HTMLAttribute(.rel, relation), HTMLAttribute(.href, HTMLAddress(file))])
  }

  private var body: HTML {
    let last = lastEventId.map { [HTMLAttribute(.dataLast, $0)] } ?? []
    let live = freshness.map { [HTMLAttribute(.dataLive, $0.rawValue)] + last } ?? []
    return HTML(
      .body, [],
      HTML(
        .a, [.class("skip"), HTMLAttribute(.href, HTMLAddress(element: "main"))],
        "Skip to content"),
      HTML(.header, parts: section == nil ? ["agentpipes"] : [navigation]),
      HTML(
        .main, [HTMLAttribute(.id, "main")] + live,
        parts: [HTML(.h1, [], HTML(text: title))] + parts))
  }

  private var navigation: HTML {
    HTML(
      .nav, [HTMLAttribute(.ariaLabel, "Views")],
      HTML(
        .ul,
        parts: Section.allCases.map { section in
          let current = section == self.section ? [HTMLAttribute(.ariaCurrent, "page")] : []
          return HTML(
            .li, [],
            HTML(
              .a, [HTMLAttribute(.href, section.address)] + current, HTML(text: section.title)))
        }))
  }
}

/// The browser that a view is for.
public struct PageViewer: Sendable {
  /// The browser's record.
  public var device: Device
  /// The token that its forms carry.
  public var formToken: String

  /// Creates the reader.
  public init(_ device: Device, formToken: String) {
    (self.device, self.formToken) = (device, formToken)
  }

  /// Returns `true` if the browser may do what the given scope allows.
  func may(_ scope: DeviceScope) -> Bool { device.scope?.covers(scope) ?? false }
}
