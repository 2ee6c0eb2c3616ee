internal import Core

/// The agent, the swarm and the machine of a resource that one of our tools wrote.
///
/// OpenTelemetry's conventions define `gen_ai.agent.id` only for agents that are resources of a
/// provider. Our agents are not, so their ids are those of service instances.
struct OwnPlace: Hashable {
  /// The name of the service and of the scope.
  ///
  /// Our own records are recognized by it.
  static let name = "agentpipes"

  var agentId: String?
  var swarmId: String?
  var host: String?

  init(_ head: EventHead) {
    agentId = head.agentId
    swarmId = head.swarmId
    host = head.host
  }

  init(_ resource: WireResource?) {
    for attribute in resource?.attributes ?? [] {
      switch ResourceAttribute(rawValue: attribute.key) {
      case .instance: agentId = attribute.value?.json.string
      case .namespace: swarmId = attribute.value?.json.string
      case .host: host = attribute.value?.json.string
      case .service, nil: break
      }
    }
  }

  var resource: WireResource {
    let values: [(ResourceAttribute, String?)] = [
      (.service, Self.name), (.instance, agentId), (.namespace, swarmId), (.host, host),
    ]
    return WireResource(
      attributes: values.compactMap { name, value in
        value.map { WireKeyValue(key: name.rawValue, value: WireAnyValue(.string($0))) }
      })
  }
}

/// The attributes of a resource that identify the agent, the swarm and the machine.
enum ResourceAttribute: String {
  case service = "service.name"
  case instance = "service.instance.id"
  case namespace = "service.namespace"
  case host = "host.name"
}
