public import Core
import Foundation

/// A link with the scheme `ayna:`, which requests to add a model or begin a chat.
///
/// Pages, mails and scripts contain such links.
/// `ayna://add-model?name=…&provider=…&endpoint=…&key=…&type=…` describes a model.
/// `ayna://chat?model=…&prompt=…&system=…` begins a chat. It may also describe the model in case
/// that is unknown. Values are percent-encoded, and a `+` is a plus sign.
public struct AynaLink: Sendable, Hashable {
  /// The action that the link requests.
  public enum Action: String, Sendable, CaseIterable {
    /// The link adds the model that it describes.
    case addModel = "add-model"
    /// The link begins a chat.
    case chat
  }

  /// The requested action.
  public var action: Action
  /// The name of the model; nil if a chat uses the default model.
  public var model: String?
  /// The provider's name in the configuration.
  public var provider: String?
  /// The base URL of the model's server.
  public var endpoint: String?
  /// The protocol of the model's endpoint: `chat`, `responses` or `image`.
  public var kind: String?
  /// The model's API key.
  ///
  /// It is never shown, and is stored only if the user agrees.
  public var key: String?
  /// The first message of the chat.
  public var prompt: String?
  /// The system prompt of the chat.
  public var system: String?

  /// `true` if the link describes a model.
  public var describesModel: Bool {
    [provider, endpoint, kind, key].contains { $0 != nil }
  }

  private static let described: Set = ["provider", "endpoint", "key", "type"]
  private static let longest = 1 << 20

  /// Parses the given link.
  ///
  /// The key is not registered as a secret here: whoever wrote the link could mask words of its
  /// prompt.
  ///
  /// - Throws: `BadUsage` if the link is not valid. Its message states the fault, but contains none
  ///   of the link's values.
  public init(_ text: String) throws(Failure) {
    let parameters = try Self.parameters(text)
    key = parameters.values["key"]
    action = parameters.action
    let known =
      Self.described.union(action == .addModel ? ["name"] : ["model", "prompt", "system"])
    if let name = parameters.values.keys.sorted().first(where: { !known.contains($0) }) {
      throw Self.wrong(
        "the link has an unknown parameter '\(Self.short(name))': "
          + "'\(action.rawValue)' has \(known.sorted().joined(separator: ", "))")
    }
    model = parameters.values[action == .addModel ? "name" : "model"]
    provider = parameters.values["provider"]
    endpoint = parameters.values["endpoint"]
    kind = parameters.values["type"]
    prompt = parameters.values["prompt"]
    system = parameters.values["system"]
    try check(parameters.values)
  }

  private func check(_ values: [String: String]) throws(Failure) {
    if action == .addModel, model == nil { throw Self.wrong("the link has no 'name'") }
    try Self.check("provider", provider, ["openai", "github", "azure", "apple"])
    try Self.check("type", kind, ["chat", "responses", "image"])
    if action == .chat, kind == "image" {
      throw Self.wrong("the link's 'type' must not be 'image' for a chat")
    }
    if action == .chat, describesModel, model == nil {
      throw Self.wrong("the link describes a model but has no 'model'")
    }
    for (name, value) in values where !["prompt", "system"].contains(name) {
      guard Visible.line(value) == value else {
        throw Self.wrong("the link's '\(name)' contains invisible characters")
      }
    }
    if let endpoint {
      let parts = URLComponents(string: endpoint)
      let isWeb = ["http", "https"].contains(parts?.scheme?.lowercased() ?? "")
      guard isWeb, parts?.host?.isEmpty == false, parts?.user == nil else {
        throw Self.wrong(
          "the link's 'endpoint' must be an http or https URL without user name and password")
      }
    }
  }

  private static func check(
    _ name: String, _ value: String?, _ known: [String]
  ) throws(Failure) {
    guard let value, !known.contains(value) else { return }
    throw wrong("the link's '\(name)' must be one of \(known.joined(separator: ", "))")
  }

  private static func parameters(
    _ text: String
  ) throws(Failure) -> (action: Action, values: [String: String]) {
    guard text.utf8.count <= longest else { throw wrong("the link is too long") }
    let scheme = "ayna://"
    guard text.prefix(scheme.count).lowercased() == scheme else {
      throw wrong("the link must begin with '\(scheme)'")
    }
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    guard !rest.contains(UInt8(ascii: "#")) else {
      throw wrong("the link has a '#'", nextStep: "write it as '%23'")
    }
    let mark = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
    var name = String(Substring(rest[..<mark])).lowercased()
    if name.hasSuffix("/") { name.removeLast() }
    guard let action = Action(rawValue: name) else {
      let known = Action.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")
      throw wrong("unknown action '\(short(name))' in the link: expected \(known)")
    }
    var values: [String: String] = [:]
    for pair in rest[mark...].dropFirst().split(separator: UInt8(ascii: "&")) {
      let (name, value) = try parameter(pair)
      guard values.updateValue(value, forKey: name) == nil else {
        throw wrong("the link has '\(short(name))' twice")
      }
    }
    return (action, values)
  }

  private static func parameter(
    _ pair: Substring.UTF8View
  ) throws(Failure) -> (name: String, value: String) {
    let parts = pair.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = String(Substring(parts[0])).removingPercentEncoding, !name.isEmpty else {
      throw wrong("the link has a parameter without a name")
    }
    guard parts.count == 2, let value = String(Substring(parts[1])).removingPercentEncoding else {
      throw wrong("the link's '\(short(name))' has no value, or is not percent-encoded as UTF-8")
    }
    guard !value.isEmpty, !value.utf8.contains(0) else {
      throw wrong("the link's '\(short(name))' is empty or contains a NUL")
    }
    return (name, value)
  }

  private static func wrong(_ sentence: String, nextStep: String? = nil) -> Failure {
    Failure(.badUsage, sentence, kind: .link, nextStep: nextStep)
  }

  /// Returns the given parameter name in a form that is safe to show.
  ///
  /// A name is not safe because it may be a misplaced key.
  private static func short(_ name: String) -> String {
    let isName = name.utf8.allSatisfy {
      0x61...0x7A ~= $0 || 0x41...0x5A ~= $0 || $0 == 0x2D || $0 == 0x5F
    }
    return isName && name.utf8.count <= 20 ? name : "…"
  }
}

extension FailureKind {
  /// The kind of a failure about a link that is not valid.
  static let link = Self(rawValue: "link")
}
