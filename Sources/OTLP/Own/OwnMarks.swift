internal import Core
internal import Events

/// The attributes of a record that encodes one of our own events, divided by purpose.
struct OwnMarks {
  /// The members of the event that OpenTelemetry's records lack, by name.
  var members: [String: JSONValue] = [:]
  /// The labels of the event.
  var labels: [String: String] = [:]
  /// The attributes of the event, and the id of its conversation.
  var attrs: [String: JSONValue] = [:]
  /// The whole event as JSON; nil if the rest of the record represents all of it.
  var whole: String?

  init() {}

  init(_ head: EventHead) {
    self["id"] = head.id
    self["srcId"] = head.srcId
    labels = head.labels ?? [:]
  }

  /// Creates the marks from the given attributes of a record.
  init(_ attributes: [WireKeyValue]) {
    for attribute in attributes {
      let name = attribute.key
      let value = attribute.value?.json ?? .null
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

  /// The value of the given member; nil if it is not a string.
  subscript(_ member: String) -> String? {
    get { members[member]?.string }
    set { members[member] = newValue.map(JSONValue.string) }
  }

  /// The id of the event's conversation.
  ///
  /// OpenTelemetry has an attribute for it.
  var sessionId: String? {
    get { attrs[EventAttribute.conversationId.rawValue]?.string }
    set { attrs[EventAttribute.conversationId.rawValue] = newValue.map(JSONValue.string) }
  }

  /// The attributes of the event, without the id of its conversation.
  var ownAttrs: [String: JSONValue] {
    attrs.filter { $0.key != EventAttribute.conversationId.rawValue }
  }

  /// Returns the members that events of all types have, without the id.
  func head(at milliseconds: Int64, of place: OwnPlace) -> EventHead {
    var head = EventHead(ts: milliseconds, swarmId: place.swarmId, agentId: place.agentId)
    head.srcId = self["srcId"]
    head.host = place.host
    head.labels = labels.isEmpty ? nil : labels
    return head
  }

  /// The attributes to store in the record.
  var attributes: [WireKeyValue] {
    var all = attrs
    for (name, value) in members { all[EventAttribute.memberPrefix + name] = value }
    for (name, value) in labels { all[EventAttribute.labelPrefix + name] = .string(value) }
    all[EventAttribute.wholeEvent.rawValue] = whole.map(JSONValue.string)
    return [WireKeyValue](all)
  }
}

/// An event that one of our tools had encoded.
struct OwnEvent {
  var event: any Event
  /// The event's id in its original log.
  ///
  /// Duplicates of the event are recognized by it.
  var id: String?
}

extension OwnMarks {
  /// Returns the event that the record contains as JSON; nil if there is none.
  func wholeEvent() throws(Failure) -> (any Event)? {
    guard let whole else { return nil }
    return try Self.event(line: Array(whole.utf8))
  }

  /// Returns the event in the given line, without its id.
  ///
  /// It may be of any type.
  ///
  /// - Throws: `BadInput` if the record is malformed or not an event.
  static func event(line: [UInt8]) throws(Failure) -> any Event {
    let raw = try RawRecord(line: line)
    guard var event = try EventTypes.event(raw) else {
      throw Failure(.badInput, "there are no events of the type '\(raw.type)'")
    }
    event.head.id = nil
    return event
  }

  /// Stores the given event as JSON if its record does not represent all of it.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - restored: The event that a receiver would decode from the record.
  /// - Throws: `BadInput` if JSON cannot represent the event.
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
