public import Core
import Foundation
import HTTP
public import Keys
import Processes

/// A target of alerts: a topic, a webhook, a desktop, a mailbox, a command, or the devices that asked
/// for notifications.
public struct PushTarget: Sendable {
  /// The default of the lowest severity that a target gets.
  public static let leastSeverity = Log.Level.warn

  /// The name in records and messages, without secrets.
  public let name: String
  /// The name in the queue, and the limits.
  let pace: PushPace
  /// The name under which the events that were read are stored.
  let placeId: String
  private let settings: Settings.PushSettings
  let channel: any PushChannel
  /// The devices, each of which is a target; nil if this target is one by itself.
  private let devices: DeviceTargets?

  /// Creates the target that the given word names.
  ///
  /// - Parameters:
  ///   - word: The name of a table `[push.NAME]`, or `ntfy:URL`, `webhook:URL`, `mail:ADDRESS` or
  ///     `desktop`.
  ///   - configuration: The configuration.
  ///   - surroundings: The environment of the tool.
  ///   - adjust: A function that changes the target's settings, such as by options.
  /// - Throws: `BadUsage` if the word names no target; `BadConfiguration` if a setting is missing or
  ///   wrong; `MissingAPIKey` if there is no secret; the errors of `KeyStore.find`.
  public init(
    _ word: String, _ configuration: Settings, _ surroundings: any Surroundings,
    adjust: (inout Settings.PushSettings) -> Void
  ) throws(Failure) {
    let known = configuration.push[word]
    guard var settings = known ?? Settings.PushSettings(word: word) else {
      // The path of a mistyped URL may be a secret.
      let word = word.contains(":") ? word.prefix { $0 != ":" } + ":…" : word[...]
      let shown = Visible.line(String(word.prefix(80)))
      throw Failure(
        .badUsage,
        "'\(shown)' is no target: expected devices, ntfy:URL, webhook:URL, mail:ADDRESS, desktop"
          + " or the name of a table [push.NAME]", input: shown)
    }
    // A period that is wrong is reported even if it does not apply.
    let quiet = try settings.quiet.map { (text) throws(Failure) in try Self.quiet(text, word) }
    adjust(&settings)
    self.settings = settings
    let shown = settings.url.flatMap(PushAddress.shown)
    let name =
      known != nil || settings.url == nil ? word : "\(settings.kind.rawValue):\(shown ?? "…")"
    self.name = name
    pace = PushPace(
      id: known != nil ? "[\(word)]" : Self.id(settings, word), perMinute: settings.perMinute,
      quiet: settings.quiet == nil ? nil : quiet)
    placeId = pace.id
    let maker = ChannelMaker(
      name: name, settings: settings, keys: surroundings.keys(configuration),
      environment: surroundings.environment)
    devices = try DeviceTargets(settings, of: name, configuration, surroundings)
    do throws(Failure) {
      channel = try maker.make()
    } catch {
      throw known == nil ? error : error.ofTable(word)
    }
  }

  /// Creates the target of one device.
  private init(
    _ device: Device, named name: String, of all: PushTarget, by channel: any PushChannel
  ) {
    self.name = name
    placeId = all.placeId
    pace = PushPace(
      id: "\(all.pace.id)/\(device.id)", perMinute: all.pace.perMinute, quiet: all.pace.quiet)
    settings = all.settings
    self.channel = channel
    devices = nil
  }

  /// Returns the targets that this one stands for: one for each device that asked for notifications,
  /// or else itself.
  ///
  /// - Throws: `StorageFailed` if the store of the hub cannot be read.
  func current() throws(Failure) -> [PushTarget] {
    guard let devices else { return [self] }
    let all = try devices.devices.all()
    let counts = Dictionary(grouping: all, by: \.device.name).mapValues(\.count)
    let targets = all.compactMap { device, place -> PushTarget? in
      let id = counts[device.name, default: 1] > 1 ? " \(device.id)" : ""
      let name = "device:\(Visible.line(device.name))\(id)"
      return devices.channel(to: device.id, at: place, named: name).map {
        PushTarget(device, named: name, of: self, by: $0)
      }
    }
    return targets.isEmpty ? [self] : targets
  }

  /// Returns the name of the given place for this target and what it wants.
  func place(_ place: String) -> String {
    let severity = settings.minSeverity ?? Self.leastSeverity
    return
      ([place, placeId, severity.rawValue] + settings.kinds.map(\.rawValue).sorted() + [""]
      + settings.swarms.sorted()).joined(separator: "\t")
  }

  /// Returns `true` if the target gets the given alert.
  func wants(_ alert: Alert) -> Bool {
    alert.severity >= settings.minSeverity ?? Self.leastSeverity
      && (settings.kinds.isEmpty || settings.kinds.contains(alert.kind))
      && (settings.swarms.isEmpty || alert.swarmId.map(settings.swarms.contains) ?? false)
  }

  private static func quiet(_ text: String, _ name: String) throws(Failure) -> QuietHours {
    if let quiet = QuietHours(text) { return quiet }
    throw Failure(
      .badConfiguration,
      "'push.\(name).quiet' is '\(Visible.line(text))', not a period such as 22:00-07:00",
      input: name)
  }

  /// Returns the name of a target that has no table; URLs in it are replaced by their digests.
  private static func id(_ settings: Settings.PushSettings, _ word: String) -> String {
    guard let url = settings.url else { return word }
    return "\(settings.kind.rawValue):\(SHA256Digest.hexadecimal(Array(url.utf8)))"
  }
}

extension Settings.PushSettings {
  /// Creates the settings of the target that the given word describes; nil if it describes none.
  fileprivate init?(word: String) {
    let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
    guard let kind = parts.first.flatMap(Kind.init(rawValue:)) else { return nil }
    self.init(kind)
    switch (kind, parts.count) {
    case (.ntfy, 2), (.webhook, 2): url = parts[1]
    case (.mail, 2): address = parts[1]
    case (.desktop, 1), (.devices, 1): break
    default: return nil
    }
  }
}

extension Failure {
  /// Returns the failure as one of the table `[push.NAME]` if it is about a wrong word.
  fileprivate func ofTable(_ name: String) -> Failure {
    guard code == .badUsage else { return self }
    return Failure(.badConfiguration, explanation, input: "push.\(name)")
  }
}

/// The keys and connections that the targets of all devices share.
private struct DeviceTargets: Sendable {
  let devices: PushDevices
  /// The key of messages to browsers; nil if they are not meant.
  private let key: VAPIDKey?
  /// The sender of messages to apps; nil if none is configured.
  private let apple: AppleSender?
  private let contact: String?
  private let allowsPrivate: Bool
  private let client: HTTPClient

  /// Creates the targets that the given settings mean; nil if they mean no devices.
  ///
  /// - Throws: `MissingAPIKey` if there is no key for browsers; as `AppleSender`.
  init?(
    _ settings: Settings.PushSettings, of name: String, _ configuration: Settings,
    _ surroundings: any Surroundings
  ) throws(Failure) {
    let client = HTTPClient()
    let tables = configuration.push.filter { $0.value.kind == .apns }.sorted { $0.key < $1.key }
    switch settings.kind {
    case .devices:
      apple = try tables.first.map { (table) throws(Failure) in
        try AppleSender(table.value, of: table.key, by: client)
      }
      let keys = surroundings.keys(configuration)
      // Without a key for browsers, apps alone are meant.
      if apple != nil, try !keys.has(VAPIDKey.name) {
        key = nil
      } else {
        key = try VAPIDKey(in: keys)
      }
    case .apns: (apple, key) = (try AppleSender(settings, of: name, by: client), nil)
    case .ntfy, .webhook, .desktop, .mail, .command: return nil
    }
    self.client = client
    devices = PushDevices(surroundings.directories)
    (contact, allowsPrivate) = (configuration.pushContact, settings.allowsPrivate)
  }

  /// Returns the channel to the given device; nil if it is of a kind that is not meant.
  func channel(to id: String, at place: DevicePlace, named name: String) -> (any PushChannel)? {
    switch place {
    case .browser:
      key.map {
        WebPushChannel(
          devices: devices, deviceId: id, key: $0, contact: contact, allowsPrivate: allowsPrivate,
          name: name, client: client)
      }
    case .app:
      apple.map { AppleChannel(devices: devices, deviceId: id, sender: $0, name: name) }
    }
  }
}

/// The channel of a target that stands for devices, while there are none.
private struct NoChannel: PushChannel {
  func send(_ message: PushMessage) async throws(Failure) {
    throw Failure(
      .notFound, "no device asked for notifications", input: "devices",
      nextStep: "press 'Notify me' on the hub's page, or open the app")
  }
}

/// The making of a target's channel.
private struct ChannelMaker {
  let name: String
  let settings: Settings.PushSettings
  let keys: KeyStore
  let environment: [String: String]

  /// The name of the secret that signs the requests to webhooks.
  private static let webhookKey = "push-webhook"
  private static let guardian = SharedGuardian()

  private func program(_ variables: [String: String], isNamed: Bool = false) -> PushProgram {
    PushProgram(variables, isNamed: isNamed, guardian: Self.guardian)
  }

  func make() throws(Failure) -> any PushChannel {
    switch settings.kind {
    case .ntfy:
      let token = try settings.key.map { (key) throws(Failure) in try secret(key) }
      return try NtfyChannel(try address(), token: token, of: name)
    case .webhook:
      guard settings.signs else { return WebhookChannel(unsigned: try address()) }
      let key = settings.key ?? Self.webhookKey
      let others = settings.key == nil ? ", or set 'signed = false' in its table" : ""
      return try WebhookChannel(
        try address(), secret: try secret(key, or: others), named: key)
    case .desktop:
      return DesktopChannel(
        program(DesktopChannel.environment(environment)))
    case .mail:
      let address = try required(settings.address, "address")
      return try MailChannel(program(environment), to: address)
    case .command:
      return CommandChannel(
        program: program(environment, isNamed: true),
        command: try required(settings.command, "command"))
    case .devices, .apns: return NoChannel()
    }
  }

  private func address() throws(Failure) -> PushAddress {
    var url = try required(settings.url, "url")
    if url.hasPrefix("key:") { url = try secret(String(url.dropFirst(4))) }
    return try PushAddress(
      url, allowsPrivate: settings.allowsPrivate, of: name, by: HTTPClient())
  }

  private func secret(_ key: String, or others: String = "") throws(Failure) -> String {
    guard let found = try keys.find(key) else {
      throw Failure(
        .missingAPIKey, "there is no secret '\(Visible.line(key))' for '\(name)'", input: name,
        nextStep: "store it: key-store set \(Visible.line(key))\(others)")
    }
    return found.secret
  }

  private func required<Value>(_ value: Value?, _ setting: String) throws(Failure) -> Value {
    guard let value else {
      throw Failure(
        .badConfiguration, "'push.\(name).\(setting)' is missing", input: "push.\(name)")
    }
    return value
  }
}
