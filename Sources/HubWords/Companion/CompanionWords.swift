/// The body of every failure under `/companion`.
public struct CompanionFailure: HubWord {
  /// Always `false`.
  public var ok = false
  /// The explanation of the failure, for people.
  public var error: String
  /// The next step; nil if the code alone determines it.
  public var action: String?
  /// The failure's code.
  public var code: String
  /// The failure's kind; nil if it has none.
  public var kind: String?

  /// Creates the body.
  public init(error: String, action: String?, code: String, kind: String?) {
    (self.error, self.action, self.code, self.kind) = (error, action, code, kind)
  }
}

/// The response to `GET /companion/devices`.
public struct CompanionDeviceList: HubWord {
  /// Always `true`.
  ///
  /// A host may leave it out.
  public var ok: Bool? = true
  /// The paired devices.
  public var devices: [TrustedDevice]

  /// Creates the response.
  public init(devices: [TrustedDevice]) { self.devices = devices }
}

/// The response to `GET /companion/projects`.
public struct CompanionProjectList: HubWord {
  /// Always `true`.
  ///
  /// A host may leave it out.
  public var ok: Bool? = true
  /// The projects, the most recently changed first.
  public var projects: [CompanionProject]

  /// Creates the response.
  public init(projects: [CompanionProject]) { self.projects = projects }
}

/// The response to `GET /companion/projects/{projectId}/chats`.
public struct CompanionChatList: HubWord {
  /// Always `true`.
  ///
  /// A host may leave it out.
  public var ok: Bool? = true
  /// The chats, the most recently changed first.
  public var chats: [CompanionChat]

  /// Creates the response.
  public init(chats: [CompanionChat]) { self.chats = chats }
}
