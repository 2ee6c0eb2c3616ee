internal import Core

/// Whose events a resource holds that we wrote.
///
/// In memory an agent is no resource of a provider, which `gen_ai.agent.id` is for (OpenTelemetry's
/// conventions for generative AI): it is an instance of the service.
struct OwnPlace: Hashable {
  /// The name of the service, and of the scope by which our own records are known.
  static let name = "agentpipes"

  var agentId: String?
  var swarmId: String?

  init(_ head: EventHead) {
    agentId = head.agentId
    swarmId = head.swarmId
  }

  init(_ resource: WireResource) {
    for attribute in resource.attributes {
      switch ResourceAttribute(rawValue: attribute.key) {
      case .instance: agentId = attribute.value.json.string
      case .namespace: swarmId = attribute.value.json.string
      case .service, nil: break
      }
    }
  }

  var resource: WireResource {
    var resource = WireResource()
    resource.attributes = [WireKeyValue(ResourceAttribute.service.rawValue, .string(Self.name))]
    if let agentId {
      resource.attributes.append(
        WireKeyValue(ResourceAttribute.instance.rawValue, .string(agentId)))
    }
    if let swarmId {
      resource.attributes.append(
        WireKeyValue(ResourceAttribute.namespace.rawValue, .string(swarmId)))
    }
    return resource
  }
}

/// The attributes of a resource that say whose events it holds.
enum ResourceAttribute: String {
  case service = "service.name"
  case instance = "service.instance.id"
  case namespace = "service.namespace"
}
