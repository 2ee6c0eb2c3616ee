public import Core
import OAuth

/// A server in the configuration: its name, its settings, and where they come from.
public struct ServerEntry: Sendable, Hashable {
  /// The server's name.
  public var name: String
  /// The settings.
  public var settings: Settings.MCPSettings
  /// The file that brought the entry, if the user did not write it: its name for messages.
  public var file: String?
  /// The folder for which the file has the server; nil for all folders.
  public var folder: String?

  /// Creates an entry.
  public init(name: String, settings: Settings.MCPSettings, file: String? = nil) {
    (self.name, self.settings, self.file) = (name, settings, file)
  }

  /// The name of the source of the server's tools.
  public var source: String { "mcp:\(name)" }

  /// The name of the server's tokens in the key store, whose names have no capitals and no dots.
  public var keyName: String {
    let plain = String(name.lowercased().map { $0 == "." ? "-" : $0 })
    guard plain != name else { return "mcp-\(name)" }
    let digest = SHA256Digest.hexadecimal(Array(name.utf8)).prefix(8)
    return "mcp-\(plain.prefix(50))-\(digest)"
  }

  /// The names by which an authorization server may know this client: a client id that is a URL is
  /// that of a document, for servers that read such documents.
  var identity: OAuthIdentity {
    let id = settings.clientId
    return id?.hasPrefix("https://") ?? false
      ? OAuthIdentity(metadataURL: id) : OAuthIdentity(clientId: id)
  }

  /// `true` if the server starts only after a person agreed to the entry.
  var needsAgreement: Bool { settings.isImported || file != nil }

  /// The SHA-256 of the name and of all settings that say what starts or who is asked.
  var digest: String {
    let facts = Facts(
      name: name, command: settings.command, env: settings.env, cwd: settings.cwd,
      url: settings.url, headers: settings.headers, clientId: settings.clientId,
      protocol: settings.protocol)
    return SHA256Digest.hexadecimal((try? RecordJSON.line(of: facts)) ?? [])
  }

  private struct Facts: Encodable {
    var name: String
    var command: [String]?
    var env: [String: String]?
    var cwd: String?
    var url: String?
    var headers: [String: String]?
    var clientId: String?
    var `protocol`: String?
  }

  /// All that a person agrees to, a line for each part; secrets are masked.
  public var shownLines: [String] {
    var lines: [String] = []
    if let command = settings.command {
      lines.append("command: " + command.map(Self.quoted).joined(separator: " "))
    }
    if let cwd = settings.cwd { lines.append("folder: \(Self.quoted(cwd))") }
    if let url = settings.url { lines.append("url: \(Self.quoted(url))") }
    for (member, words) in [("env", settings.env), ("header", settings.headers)] {
      lines += (words ?? [:]).sorted { $0.key < $1.key }
        .map { "\(member): \(Visible.line($0.key))=\(Self.quoted($0.value))" }
    }
    return lines
  }

  /// Returns the given word so that its ends and its unsafe characters are visible.
  private static func quoted(_ word: String) -> String {
    let shown = ApprovalGate.words(word)
    let isPlain =
      !shown.isEmpty
      && shown.utf8.allSatisfy {
        $0.isLetter || $0.isDigit || "-_./:=@%+,".utf8.contains($0)
      }
    return isPlain ? shown : "'" + shown.replacing("'", with: "'\\''") + "'"
  }
}

extension ServerEntry {
  /// The failure for settings that describe no server; nil if they do.
  ///
  /// Names appear in the names of sources, of keys and of files.
  public var problem: Failure? {
    guard !name.isEmpty, name.utf8.count <= 60,
      name.utf8.allSatisfy({ $0.isDigit || $0.isLetter || [0x2D, 0x2E, 0x5F].contains($0) })
    else {
      return fault("must have a name of letters, digits, '-', '_' and '.', at most 60")
    }
    switch (settings.command, settings.url) {
    case (nil, nil): return fault("has neither a command nor a URL")
    case (.some, .some): return fault("has both a command and a URL")
    case (.some(let command), nil) where command.first?.isEmpty ?? true:
      return fault("has an empty command")
    case (nil, .some(let url)) where !Self.isWeb(url):
      return fault("has a URL that is neither http nor https")
    default: return nil
    }
  }

  private static func isWeb(_ url: String) -> Bool {
    ["http://", "https://"].contains { url.lowercased().hasPrefix($0) }
  }

  private func fault(_ reason: String) -> Failure {
    Failure(
      .badConfiguration, "the server '\(Visible.line(String(name.prefix(80))))' \(reason)",
      input: file)
  }
}
