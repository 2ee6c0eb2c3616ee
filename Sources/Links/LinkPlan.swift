public import Core

/// The changes that a link would make on this machine.
///
/// The user must confirm them.
public struct LinkPlan: Sendable, Hashable {
  /// The model that the link adds; nil if it adds none.
  public var added: (name: String, settings: Settings.ModelSettings)? {
    addition.map { ($0.name, $0.settings) }
  }
  /// The API key for the added model; nil if the link contains none.
  public var secret: String? { addition?.secret }
  /// The arguments to pass to chat-send; nil if the link begins no chat.
  public var chat: [String]?

  private struct Addition: Sendable, Hashable {
    var name: String
    var settings: Settings.ModelSettings
    var secret: String?
  }

  private let link: AynaLink
  private var addition: Addition?
  private var replaces = false

  /// Creates the plan for the given link.
  ///
  /// If the link has an endpoint or a key, the model gets a separate secret. A provider's key is
  /// never sent to an address from a link.
  ///
  /// - Parameters:
  ///   - link: The link.
  ///   - isKnown: A function that returns `true` if the given name already resolves to a model.
  ///   - isDescribed: A function that returns `true` if the user's files describe a model with the
  ///     given name.
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
    // The prompt is an operand even if it begins with a dash. Standard input is not sent.
    if let prompt = link.prompt { arguments += ["--no-input", "--", prompt] }
    chat = arguments
  }

  /// The changes in words, one line for each, which the user must confirm.
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

  /// Returns the name under which the given model's secret is stored.
  static func secretName(_ model: String) -> String {
    let bytes = model.lowercased().utf8.map { byte -> UInt8 in
      let isKept = 0x61...0x7A ~= byte || 0x30...0x39 ~= byte || byte == 0x2D || byte == 0x5F
      return isKept ? byte : 0x2D
    }
    let name = "model-" + String(decoding: bytes.prefix(48), as: UTF8.self)
    // The hash keeps models with similar names from sharing a secret.
    return name + "-" + SHA256Digest.hexadecimal(Array(model.utf8)).prefix(8)
  }

  /// Returns the given text as lines with a mark, so that none looks like a line of the plan.
  ///
  /// Nothing is cut, because the user must see what is confirmed. A line is broken before a terminal
  /// of 80 columns would break it.
  private static func shown(_ name: String, _ text: String) -> [String] {
    var lines = ["  \(name):"]
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      var (piece, columns) = ("", 0)
      for scalar in Visible.text(String(line)).unicodeScalars {
        columns += scalar.isASCII ? 1 : 2
        if columns > 60 {
          lines.append("  | " + piece)
          (piece, columns) = ("", scalar.isASCII ? 1 : 2)
        }
        piece.unicodeScalars.append(scalar)
      }
      lines.append("  | " + piece)
    }
    return lines
  }
}
