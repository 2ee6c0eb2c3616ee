public import Core

/// What a link comes to on this machine, before anything of it is done.
public struct LinkPlan: Sendable, Hashable {
  /// The model that is described, if one is.
  public var added: (name: String, settings: Settings.ModelSettings)? {
    addition.map { ($0.name, $0.settings) }
  }
  /// The secret that came for it, if one did.
  public var secret: String? { addition?.secret }
  /// The arguments of chat-send, if a chat begins.
  public var chat: [String]?

  private struct Addition: Sendable, Hashable {
    var name: String
    var settings: Settings.ModelSettings
    var secret: String?
  }

  private let link: AynaLink
  private var addition: Addition?
  private var replaces = false

  /// Works out what a link comes to.
  ///
  /// A model of a link that has an endpoint or a key gets a secret of its own: no key of a provider
  /// goes where a link says.
  ///
  /// - Parameters:
  ///   - link: The link.
  ///   - isKnown: Whether a name leads to a model already.
  ///   - isDescribed: Whether the user's files describe a model of that name.
  public init(
    _ link: AynaLink, isKnown: (String) -> Bool, isDescribed: (String) -> Bool
  ) {
    self.link = link
    let known = link.model.map(isKnown) ?? true
    if let name = link.model, link.action == .addModel || (link.describesModel && !known) {
      var settings = Settings.ModelSettings()
      settings.provider = link.provider
      settings.endpoint = link.endpoint
      settings.kind = link.kind
      if link.endpoint != nil || link.key != nil { settings.key = Self.secretName(name) }
      addition = Addition(name: name, settings: settings, secret: link.key)
      replaces = isDescribed(name)
    }
    guard link.action == .chat else { return }
    var arguments = ["chat-send"]
    if let model = link.model { arguments.append("--model=\(model)") }
    if let system = link.system { arguments.append("--system=\(system)") }
    // A prompt is an operand whatever it begins with, and nobody's input goes with it.
    if let prompt = link.prompt { arguments += ["--no-input", "--", prompt] }
    chat = arguments
  }

  /// What will be done, a line each, for a person to agree to.
  public var lines: [String] {
    var lines: [String] = []
    if let addition {
      let verb = replaces ? "replace the description of the model" : "add the model"
      lines.append("\(verb) '\(addition.name)'")
      if let provider = addition.settings.provider { lines.append("  provider: \(provider)") }
      if let kind = addition.settings.kind { lines.append("  type: \(kind)") }
      if let endpoint = addition.settings.endpoint {
        lines.append("  endpoint: \(ShownURL.withoutUserinfo(endpoint))")
        lines.append("  your prompts are sent there")
      }
      if addition.secret != nil {
        lines.append("  the link contains a key: you are asked separately whether to store it")
      }
    } else if link.key != nil {
      lines.append("ignore the link's key: the model is already known")
    }
    if chat != nil {
      lines.append(link.prompt == nil ? "start a chat" : "start a chat and send the prompt")
      lines.append("  model: \(link.model ?? "the usual one")")
      if let system = link.system { lines += Self.shown("system", system) }
      if let prompt = link.prompt { lines += Self.shown("prompt", prompt) }
    }
    return lines
  }

  /// The name under which a model's secret is kept.
  static func secretName(_ model: String) -> String {
    let bytes = model.lowercased().utf8.map { byte -> UInt8 in
      let isKept = 0x61...0x7A ~= byte || 0x30...0x39 ~= byte || byte == 0x2D || byte == 0x5F
      return isKept ? byte : 0x2D
    }
    let name = "model-" + String(decoding: bytes.prefix(48), as: UTF8.self)
    // Two models must not share a secret because their names look alike.
    return name + "-" + SHA256Digest.hexadecimal(Array(model.utf8)).prefix(8)
  }

  /// A text as a whole: nobody agrees to what is left out.
  private static func shown(_ name: String, _ text: String) -> [String] {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    return lines.enumerated().map { index, line in
      (index == 0 ? "  \(name): " : "    ") + Visible.text(String(line))
    }
  }
}
