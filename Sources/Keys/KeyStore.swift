public import Core
import Foundation
import Processes

/// The store of secrets.
///
/// A secret is looked up in the provider's usual environment variable, systemd credentials,
/// `key_command`, the platform's keyring and a sealed file, in this order.
public struct KeyStore: Sendable {
  private static let service = "agentpipes"
  /// The keyring item in which the first version of the desktop program stored its only key.
  private static let legacy = (
    name: "anthropic", service: "com.thomas.agentos", account: "anthropic.apikey"
  )
  private static let variables = [
    "anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY",
    "azure": "AZURE_OPENAI_API_KEY", "github": "GITHUB_TOKEN", "tavily": "TAVILY_API_KEY",
    "composio": "COMPOSIO_API_KEY",
  ]

  private let environment: [String: String]
  private let command: [String]?
  private let keyring: Keyring
  private let file: SealedFile
  private let logins: LoginNotes
  /// The function that receives notices from this store and from users of its secrets.
  public let report: NoticeHandler

  /// Creates a store that looks secrets up in the given places.
  ///
  /// - Parameters:
  ///   - directories: The folders, one of which contains the sealed file.
  ///   - environment: The process's environment.
  ///   - command: The value of `key_command` in the configuration.
  ///   - report: The function that receives notices from this store and from users of its secrets.
  public init(
    directories: Directories, environment: [String: String], command: [String]?,
    report: @escaping NoticeHandler = { _ in }
  ) {
    self.report = report
    self.environment = environment
    self.command = command
    keyring = Keyring(environment: environment, report: report)
    file = SealedFile(directories)
    logins = LoginNotes(directories)
  }

  /// Returns the name of the environment variable that the given provider's own tools read.
  public static func variable(_ name: String) -> String {
    variables[name]
      ?? name.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
      + "_API_KEY"
  }

  /// Returns the secret with the given name and the place where it was found.
  ///
  /// - Parameters:
  ///   - name: The secret's name.
  ///   - sources: The places to search, in order.
  /// - Returns: The first secret found; nil if there is none.
  /// - Throws: `BadConfiguration` if `key_command` fails; `PermissionDenied` if a file is unsafe.
  public func find(
    _ name: String, in sources: [KeySource] = KeySource.allCases
  ) throws(Failure) -> (secret: String, source: KeySource)? {
    for source in sources {
      guard let found = try secret(name, in: source) else { continue }
      let trimmed = found.trimmingCharacters(in: .whitespacesAndNewlines)
      guard !trimmed.isEmpty else { continue }
      Secrets.register(trimmed)
      return (trimmed, source)
    }
    return nil
  }

  /// Returns `true` if there is a secret with the given name.
  ///
  /// - Throws: As ``find(_:)``.
  public func has(_ name: String) throws(Failure) -> Bool { try find(name) != nil }

  /// Stores the given secret in the keyring, or in the sealed file if there is no keyring.
  ///
  /// - Throws: `BadUsage` if the name is invalid; `BadInput` if the secret is empty or contains
  ///   control characters; `StorageFailed` if the sealed file cannot be written.
  public func set(_ name: String, to secret: String) throws(Failure) -> KeySource {
    try Self.check(name)
    guard !secret.isEmpty, !secret.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      throw Failure(.badInput, "the secret '\(name)' is empty or contains control characters")
    }
    Secrets.register(secret)
    if keyring.store(secret, service: Self.service, account: name + ".apikey") { return .keyring }
    _ = try file.set(name, secret)
    return .file
  }

  /// Stores the given token, which a login issued, and the given note on it.
  ///
  /// - Throws: As ``set(_:to:)``.
  public func set(
    _ name: String, toToken token: String, _ note: LoginNote
  ) throws(Failure) -> KeySource {
    let source = try set(name, to: token)
    try logins.store(note, name, token: token)
    return source
  }

  /// Returns the note on the given token; nil if no login issued the token.
  public func login(_ name: String, token: String) -> LoginNote? {
    logins.note(name, token: token)
  }

  /// Removes the given secret from the keyring and from the sealed file.
  ///
  /// - Returns: The places that held the secret.
  /// - Throws: `NotFound` if neither place held the secret.
  @discardableResult
  public func delete(_ name: String) throws(Failure) -> [KeySource] {
    try Self.check(name)
    let wasInKeyring = keyring.remove(service: Self.service, account: name + ".apikey")
    let wasInFile = try file.set(name, nil)
    guard wasInKeyring || wasInFile else {
      throw Failure(.notFound, "there is no stored key '\(name)'", input: name)
    }
    return (wasInKeyring ? [.keyring] : []) + (wasInFile ? [.file] : [])
  }

  /// Returns all keys that can be found: those of known providers, and those in the sealed file.
  ///
  /// - Returns: For each key, its record, or the failure to read the key. The `input` of such a
  ///   failure is the key's name. A failure to read the sealed file is returned only once.
  /// - Throws: `BadConfiguration` if `key_command` fails.
  public func list() throws(Failure) -> [Result<KeyRecord, Failure>] {
    var list: [Result<KeyRecord, Failure>] = []
    var names = Set(Self.variables.keys)
    var problem: Failure?
    do throws(Failure) {
      names.formUnion(try file.names())
    } catch {
      problem = error
      list.append(.failure(error))
    }
    for name in names.sorted() {
      do throws(Failure) {
        guard let found = try find(name) else { continue }
        list.append(
          .success(
            KeyRecord(name: name, masked: Self.masked(found.secret), source: found.source)))
      } catch {
        guard error.code != .badConfiguration else { throw error }
        guard error != problem else { continue }
        var failure = error
        failure.explanation = "cannot read the key '\(name)': \(error.explanation)"
        failure.input = name
        list.append(.failure(failure))
      }
    }
    return list
  }

  /// Returns names that secrets are likely to have.
  ///
  /// They are the names of known providers and the names in the sealed file. No command is run and
  /// no keyring is queried, because either may prompt a person.
  public static func likelyNames(in directories: Directories) -> [String] {
    let stored = (try? SealedFile(directories).names()) ?? []
    return Set(variables.keys).union(stored).sorted()
  }

  /// The names of providers whose usual environment variable is set.
  public var namesInEnvironment: [String] {
    Self.variables.filter { !(environment[$0.value] ?? "").isEmpty }.keys.sorted()
  }

  /// Returns the given secret with its middle masked.
  ///
  /// A quarter of the secret is shown, but at most 8 characters. A secret with fewer than 16
  /// characters is masked completely.
  public static func masked(_ secret: String) -> String {
    // Scalars are counted, since one Character may consist of many.
    let scalars = secret.unicodeScalars
    guard scalars.count >= 16 else { return "…" }
    let shown = min(8, scalars.count / 4)
    let (head, tail) = (scalars.prefix((shown + 1) / 2), scalars.suffix(shown / 2))
    return String(String.UnicodeScalarView(head)) + "…" + String(String.UnicodeScalarView(tail))
  }

  private func secret(_ name: String, in source: KeySource) throws(Failure) -> String? {
    switch source {
    case .environment: return environment[Self.variable(name)]
    case .credentials:
      guard let folder = environment["CREDENTIALS_DIRECTORY"], Self.isName(name) else { return nil }
      return try PrivateFile.readCredential("\(folder)/\(name).apikey")
        .map { String(decoding: $0, as: UTF8.self) }
    case .command: return try secretFromCommand(name)
    case .keyring:
      if let found = keyring.secret(service: Self.service, account: name + ".apikey") {
        return found
      }
      guard name == Self.legacy.name else { return nil }
      return keyring.secret(service: Self.legacy.service, account: Self.legacy.account)
    case .file: return try file.secret(name)
    }
  }

  private func secretFromCommand(_ name: String) throws(Failure) -> String? {
    guard let command, !command.isEmpty else { return nil }
    let result = try ChildProcess.run(
      command.map { $0.replacingOccurrences(of: "{name}", with: name) },
      environment: .whole(environment))
    guard result.status == 0 else {
      // A password manager exits non-zero for a missing entry, which is not a failure.
      report(.detail(.storage, "key_command exited with status \(result.status) for '\(name)'"))
      return nil
    }
    return String(decoding: result.output, as: UTF8.self)
      .split(separator: "\n", maxSplits: 1).first.map(String.init)
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.count <= 64
      && name.utf8.allSatisfy {
        $0.isDigit || $0.isLetter && !$0.isCapital || $0 == 0x2D || $0 == 0x5F
      }
  }

  private static func check(_ name: String) throws(Failure) {
    guard isName(name) else {
      throw Failure(
        .badUsage, "'\(name)' is not a key name", input: name,
        nextStep: "use a-z, 0-9, '-' and '_'")
    }
  }
}
