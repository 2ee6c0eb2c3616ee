internal import CodingAgents
internal import Core
internal import Events

/// The agent, the swarm and the machine that a resource names.
///
/// The resource may come from any SDK.
struct Origin {
  /// The maximum length of an id in bytes.
  ///
  /// Each event of the resource repeats it.
  static let maximumId = 256
  /// The maximum total size of a resource's labels in bytes.
  static let maximumLabels = 1_024

  /// The prefixes of attributes that describe the SDK and its process.
  ///
  /// Such attributes do not become labels.
  private static let omitted = ["telemetry.", "process.", "os."]

  let agentId: String?
  let swarmId: String?
  /// The name of the machine; nil if the resource has none that is allowed.
  let host: String?
  /// The names of the coding agent that sent the resource; nil if another program did.
  let agent: TelemetryNames?
  /// The session that the resource of a coding agent names.
  let sessionId: String?
  /// The labels, which are created from the resource's other attributes.
  let labels: [String: String]

  init(_ resource: WireResource?) {
    var members = resource?.attributes.members ?? [:]
    func value(_ name: String) -> String? {
      members[name]?.words.flatMap { $0.isEmpty ? nil : $0 }
    }
    let agentNames = [
      EventAttribute.agentId.rawValue, ResourceAttribute.instance.rawValue,
      ResourceAttribute.service.rawValue,
    ]
    let swarmNames = [EventAttribute.swarmId.rawValue, ResourceAttribute.namespace.rawValue]
    let agentName = agentNames.first { value($0) != nil }
    let swarmName = swarmNames.first { value($0) != nil }
    agentId = agentName.flatMap(value)
    swarmId = swarmName.flatMap(value)
    agent = TelemetryNames.of(service: value(ResourceAttribute.service.rawValue))
    sessionId = agent.flatMap { value($0.session) }
    let hostName = ResourceAttribute.host.rawValue
    host = value(hostName).flatMap { EventHost.isName($0) ? $0 : nil }
    for name in [agentName, swarmName, host.map { _ in hostName }].compactMap(\.self) {
      members[name] = nil
    }
    var labels: [String: String] = [:]
    var room = Self.maximumLabels
    if let agent { members = agent.stored(members, keepingContent: false) }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard !Self.omitted.contains(where: name.hasPrefix), let words = value.words else { continue }
      let size = name.utf8.count + words.utf8.count
      guard size <= room else { continue }
      room -= size
      labels[name] = words
    }
    self.labels = labels
  }
}

/// The attributes of a record.
///
/// Some of them become members of the record's event.
struct Subject {
  var agentId: String?
  var swarmId: String?
  var sessionId: String?
  var skillId: String?
  /// The attributes that do not become members.
  ///
  /// Deprecated names are replaced by the current ones.
  var attrs: [String: JSONValue]

  /// Creates the subject from the given attributes of a record.
  ///
  /// - Throws: `BadInput` if no agent is named, or if a name is too long.
  init(_ attributes: [WireKeyValue], of origin: Origin) throws(Failure) {
    attrs = attributes.members
    for attribute in EventAttribute.allCases where attribute.names.count > 1 {
      for alias in attribute.names.dropFirst() {
        guard let value = attrs.removeValue(forKey: alias) else { continue }
        if attrs[attribute.rawValue] == nil { attrs[attribute.rawValue] = value }
      }
    }
    agentId = Self.extract(.agentId, from: &attrs) ?? origin.agentId
    swarmId = Self.extract(.swarmId, from: &attrs) ?? origin.swarmId
    sessionId = Self.extract(.conversationId, from: &attrs)
    skillId =
      attrs[EventAttribute.skillName.rawValue]?.string
      ?? attrs[EventAttribute.toolName.rawValue]?.string
    guard agentId != nil else {
      throw Failure(
        .badInput,
        "no agent is named by 'gen_ai.agent.id', 'service.instance.id' or 'service.name'")
    }
    for id in [agentId, swarmId, sessionId, skillId].compactMap(\.self) {
      guard id.utf8.count <= Origin.maximumId else {
        throw Failure(.badInput, "the name of an agent, swarm, conversation or tool is too long")
      }
    }
  }

  private static func extract(
    _ name: EventAttribute, from attrs: inout [String: JSONValue]
  ) -> String? {
    guard let words = attrs[name.rawValue]?.words, !words.isEmpty else { return nil }
    attrs[name.rawValue] = nil
    return words
  }

  /// Returns the members that events of all types have.
  func head(at milliseconds: Int64, source: String? = nil, labels: [String: String]) -> EventHead {
    var head = EventHead(ts: milliseconds, swarmId: swarmId, agentId: agentId)
    head.srcId = source
    head.labels = labels.isEmpty ? nil : labels
    return head
  }

  /// The attributes as labels, for events whose type has no attributes.
  var labels: [String: String] { attrs.compactMapValues(\.words) }

  /// Makes the given coding agent's session the agent of the record.
  ///
  /// Its attributes are reduced to those that may be stored. Its token counts are removed, because
  /// log records and metrics report the same calls.
  ///
  /// - Parameters:
  ///   - table: The agent's names.
  ///   - origin: The resource.
  ///   - keepsContent: `true` to keep attributes that may contain text or addresses.
  /// - Throws: `BadInput` if the session's id is too long.
  mutating func become(
    _ table: TelemetryNames, of origin: Origin, keepingContent keepsContent: Bool
  ) throws(Failure) {
    let session = attrs.removeValue(forKey: table.session)?.identifier
    sessionId = session ?? sessionId ?? origin.sessionId
    agentId = try table.agentId(ofSession: sessionId)
    skillId = nil
    attrs = table.stored(attrs, keepingContent: keepsContent)
    let counted: [EventAttribute] = [
      .operation, .inputTokens, .outputTokens, .cacheReadTokens, .cacheWriteTokens, .costUSD,
      .toolName, .skillName,
    ]
    for attribute in counted { attrs[attribute.rawValue] = nil }
  }
}
