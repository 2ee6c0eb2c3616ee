public import Core

/// A person's choice of events.
public struct LiveFilter: Sendable, Hashable {
  /// The lowest level; nil for all.
  public var level: Log.Level?
  /// The id of the agent; empty for all.
  public var agent = ""
  /// The text that events contain; empty for all.
  public var words = ""

  /// Creates a filter that selects all events.
  public init() {}
}

/// The view of the newest events.
extension PageFrame {
  /// Returns the view of the newest events, to which a script appends those that follow.
  ///
  /// Events that name no machine are those of `host`.
  public static func live(
    events: [String], filter: LiveFilter = LiveFilter(), host: String? = nil
  ) -> PageFrame {
    let isAll = filter == LiveFilter()
    return PageFrame(
      "Live", in: .live, freshness: .events,
      parts: [
        form(filter, isAll: isAll),
        HTML(
          .noscript, [],
          HTML(.p, [.class("faint")], "Reload this page to see newer events.")),
        .events(
          events,
          empty: isAll ? "No events are in the log." : "No recent event matches the filter.",
          liveHost: host),
      ])
  }

  /// Returns the form of the filter.
  ///
  /// Its fields have the names of the stream's query, which the script copies from the address.
  private static func form(_ filter: LiveFilter, isAll: Bool) -> HTML {
    let levels =
      [("", "all", filter.level == nil)]
      + Log.Level.allCases.map { ($0.rawValue, "\($0.rawValue) or higher", filter.level == $0) }
    let options = levels.map { value, text, isChosen in
      HTML(
        .option,
        [HTMLAttribute(.value, value)] + (isChosen ? [HTMLAttribute(.selected, "")] : []),
        HTML(text: text))
    }
    return HTML(
      .form,
      [
        HTMLAttribute(.method, "get"), HTMLAttribute(.action, Section.live.address),
        HTMLAttribute(.role, "search"), .class("filter"),
      ],
      parts: [
        field(
          "Level",
          HTML(
            .select, [HTMLAttribute(.id, "level"), HTMLAttribute(.name, "severityGte")],
            parts: options), id: "level"),
        field("Agent", line("agentIds", filter.agent, id: "agent"), id: "agent"),
        field("Words", line("text", filter.words, id: "words"), id: "words"),
        HTML(
          .div, [], PageForm.button("Filter"),
          isAll
            ? HTML([])
            : HTML([" ", HTML(.a, [HTMLAttribute(.href, Section.live.address)], "Show all")])),
      ])
  }

  private static func field(_ label: String, _ control: HTML, id: String) -> HTML {
    HTML(.div, [], HTML(.label, [HTMLAttribute(.for, id)], HTML(text: label)), control)
  }

  /// Returns a field for one line of text.
  private static func line(_ name: String, _ value: String, id: String) -> HTML {
    HTML(
      .input,
      [
        HTMLAttribute(.id, id), HTMLAttribute(.name, name), HTMLAttribute(.value, value),
        HTMLAttribute(.maxlength, "512"), HTMLAttribute(.autocomplete, "off"),
      ])
  }
}
