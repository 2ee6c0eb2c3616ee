internal import Core
internal import Events

/// What of an event stands among the attributes of its record: what OpenTelemetry has no place for.
struct OwnMarks {
  /// Members of the event by their names.
  var members: [String: JSONValue] = [:]
  /// Its labels.
  var labels: [String: String] = [:]
  /// The attributes that are the event's own.
  var attrs: [String: JSONValue] = [:]
  /// The whole event, where the rest does not say it.
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

  /// A member that is a string.
  subscript(_ member: String) -> String? {
    get { members[member]?.string }
    set { members[member] = newValue.map(JSONValue.string) }
  }

  /// The conversation, for which OpenTelemetry has a name.
  var sessionId: String? {
    get { attrs[EventAttribute.conversationId.rawValue]?.string }
    set { attrs[EventAttribute.conversationId.rawValue] = newValue.map(JSONValue.string) }
  }

  /// The attributes of the event alone.
  var ownAttrs: [String: JSONValue] {
    attrs.filter { $0.key != EventAttribute.conversationId.rawValue }
  }

  /// The head of the event that they are of; it has no id yet.
  func head(at milliseconds: Int64, of place: OwnPlace) -> EventHead {
    var head = EventHead(ts: milliseconds, swarmId: place.swarmId, agentId: place.agentId)
    head.srcId = self["srcId"]
    head.labels = labels.isEmpty ? nil : labels
    return head
  }

  /// All of it as attributes of a record.
  var attributes: [WireKeyValue] {
    var all = attrs
    for (name, value) in members { all[EventAttribute.memberPrefix + name] = value }
    for (name, value) in labels { all[EventAttribute.labelPrefix + name] = .string(value) }
    all[EventAttribute.wholeEvent.rawValue] = whole.map(JSONValue.string)
    return [WireKeyValue](all)
  }
}

/// An event that a record of ours was, and by what a log knows it again.
struct OwnEvent {
  var event: any Event
  /// The id that it had in the log it comes from.
  var id: String?
}

extension OwnMarks {
  /// The event that is told whole, if it is.
  func wholeEvent() throws(Failure) -> (any Event)? {
    guard let whole else { return nil }
    return try Self.event(line: Array(whole.utf8))
  }

  /// Reads an event of any type; its id is dropped.
  ///
  /// - Throws: `BadInput` for a record of another type, and for one that is not of its type's form.
  static func event(line: [UInt8]) throws(Failure) -> any Event {
    let raw = try RawRecord(line: line)
    guard var event = try EventTypes.event(raw) else {
      throw Failure(.badInput, "there are no events of the type '\(raw.type)'")
    }
    event.head.id = nil
    return event
  }

  /// Makes sure that a record says all of its event: adds the event itself where it does not.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - restored: What the record is read as.
  /// - Throws: `BadInput` for an event that JSON cannot say.
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
