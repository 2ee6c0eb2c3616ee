internal import Core
internal import Events

/// The members of an event that OpenTelemetry lacks, as attributes of its record.
struct OwnMarks {
  /// The members, by name.
  var members: [String: JSONValue] = [:]
  /// The labels of the event.
  var labels: [String: String] = [:]
  /// The attributes of the event itself.
  var attrs: [String: JSONValue] = [:]
  /// The whole event as JSON, if the rest does not represent it.
  var whole: String?

  init() {}

  init(_ head: EventHead) {
    self["id"] = head.id
    self["srcId"] = head.srcId
    labels = head.labels ?? [:]
  }

  /// Reads the attributes of a record.
  init(_ attributes: [WireKeyValue]) {
    for attribute in attributes {
      let name = attribute.key
      let value = attribute.value.json
      if name.hasPrefix(EventAttribute.memberPrefix) {
        members[String(name.dropFirst(EventAttribute.memberPrefix.count))] = value
      } else if name.hasPrefix(EventAttribute.labelPrefix) {
        labels[String(name.dropFirst(EventAttribute.labelPrefix.count))] = value.words ?? ""
      } else if name == EventAttribute.wholeEvent.rawValue {
        whole = value.string
      } else {
        attrs[name] = value
      }
    }
  }

  /// Returns or sets a member that is a string.
  subscript(_ member: String) -> String? {
    get { members[member]?.string }
    set { members[member] = newValue.map(JSONValue.string) }
  }

  /// The id of the conversation, for which OpenTelemetry has its own attribute.
  var sessionId: String? {
    get { attrs[EventAttribute.conversationId.rawValue]?.string }
    set { attrs[EventAttribute.conversationId.rawValue] = newValue.map(JSONValue.string) }
  }

  /// The attributes of the event without the conversation's.
  var ownAttrs: [String: JSONValue] {
    attrs.filter { $0.key != EventAttribute.conversationId.rawValue }
  }

  /// Returns the head of the event, without an id.
  func head(at milliseconds: Int64, of place: OwnPlace) -> EventHead {
    var head = EventHead(ts: milliseconds, swarmId: place.swarmId, agentId: place.agentId)
    head.srcId = self["srcId"]
    head.labels = labels.isEmpty ? nil : labels
    return head
  }

  /// All marks as attributes of a record.
  var attributes: [WireKeyValue] {
    var all = attrs
    for (name, value) in members { all[EventAttribute.memberPrefix + name] = value }
    for (name, value) in labels { all[EventAttribute.labelPrefix + name] = .string(value) }
    all[EventAttribute.wholeEvent.rawValue] = whole.map(JSONValue.string)
    return [WireKeyValue](all)
  }
}

/// An event that one of our tools encoded, and its key for deduplication.
struct OwnEvent {
  var event: any Event
  /// The event's id in the log that it comes from.
  var id: String?
}

extension OwnMarks {
  /// Returns the event that is embedded whole, if there is one.
  func wholeEvent() throws(Failure) -> (any Event)? {
    guard let whole else { return nil }
    return try Self.event(line: Array(whole.utf8))
  }

  /// Decodes an event of any type and removes its id.
  ///
  /// - Throws: `BadInput` for another type of record, and for a malformed one.
  static func event(line: [UInt8]) throws(Failure) -> any Event {
    let raw = try RawRecord(line: line)
    guard var event = try EventTypes.event(raw) else {
      throw Failure(.badInput, "there are no events of the type '\(raw.type)'")
    }
    event.head.id = nil
    return event
  }

  /// Embeds the whole event if the record does not represent all of it.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - restored: The event that is read back from the record.
  /// - Throws: `BadInput` for an event that JSON cannot represent.
  mutating func complete<Told: Event & Equatable>(
    _ event: Told, restored: any Event
  ) throws(Failure) {
    var event = event
    event.head.id = nil
    if let same = restored as? Told, same == event { return }
    let line = try event.line()
    if let other = try? restored.line(), other == line { return }
    whole = String(decoding: line, as: UTF8.self)
  }
}
