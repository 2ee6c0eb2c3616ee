import Core
import Foundation

/// A reader of ssh_config(5) files and their includes.
struct SSHConfigReader {
  private static let deepest = 16
  private static let mostFiles = 256
  private static let largest = 1 << 20
  /// The supported keywords; all others are ignored.
  private static let keywords: Set = [
    "hostname", "user", "port", "identityfile", "identityagent", "identitiesonly", "proxyjump",
    "proxycommand", "hostkeyalias",
    "userknownhostsfile",
  ]

  let user: LocalUser
  private(set) var entries: [SSHConfig.Entry] = []
  private(set) var leftOut: [FilePlace] = []
  /// `true` if a `Match` line asks for a second reading with the final name of the host.
  private(set) var wantsFinal = false
  private var files = 0
  private var blocks = 0

  init(user: LocalUser) { self.user = user }

  /// Reads the file at the given path.
  ///
  /// Its lines apply only where all `outer` blocks apply.
  mutating func read(_ path: String, _ outer: [SSHConfig.Block], depth: Int) throws(Failure) {
    let lines = try Self.bytes(path).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var blocks = outer
    for (number, line) in lines.enumerated() {
      guard let line = SSHConfigLine(line) else { continue }
      let place = FilePlace(file: path, line: number + 1)
      switch line.keyword {
      case "host":
        let patterns = NamePatterns(try Self.arguments(line, place))
        blocks = outer + [block(.host(patterns))]
      case "match":
        let match = try MatchLine(try Self.arguments(line, place), at: place)
        if match.wantsFinal { wantsFinal = true }
        if !match.isSupported { leftOut.append(place) }
        blocks = outer + [block(.match(match))]
      case "include":
        for pattern in try Self.arguments(line, place) {
          try include(pattern, place, blocks, depth: depth + 1)
        }
      case let keyword where Self.keywords.contains(keyword):
        let arguments = try Self.arguments(line, place)
        let entry = SSHConfig.Entry(
          keyword: keyword, arguments: arguments, place: place, blocks: blocks)
        // An invalid value is an error for every host, so it is parsed here.
        var settings = HostSettings()
        try settings.apply(entry)
        entries.append(entry)
      default: break
      }
    }
  }

  private mutating func block(_ condition: SSHConfig.Block.Condition) -> SSHConfig.Block {
    blocks += 1
    return SSHConfig.Block(number: blocks, condition: condition)
  }

  /// Reads the files that match the given pattern (glob(3)), in the order of their names.
  private mutating func include(
    _ pattern: String, _ place: FilePlace, _ blocks: [SSHConfig.Block], depth: Int
  ) throws(Failure) {
    guard depth <= Self.deepest else { throw Self.failure(place, "files include each other") }
    let pattern = try user.path(pattern, place)
    let full = pattern.hasPrefix("/") ? pattern : "\(user.home)/.ssh/\(pattern)"
    var found = glob_t()
    defer { globfree(&found) }
    let code = glob(full, 0, nil, &found)
    guard code != GLOB_NOMATCH else { return }
    guard code == 0 else { throw Self.failure(place, "its included files cannot be listed") }
    for index in 0..<Int(found.gl_pathc) {
      guard let path = found.gl_pathv[index] else { continue }
      files += 1
      guard files <= Self.mostFiles else {
        throw Self.failure(place, "more than \(Self.mostFiles) files are included")
      }
      try read(String(cString: path), blocks, depth: depth)
    }
  }

  private static func arguments(
    _ line: SSHConfigLine, _ place: FilePlace
  ) throws(Failure) -> [String] {
    guard let arguments = line.arguments else { throw failure(place, "a quote is not closed") }
    guard !arguments.isEmpty, !arguments.contains("") else {
      throw failure(place, "'\(line.keyword)' has no value")
    }
    guard !arguments.contains(where: { $0.utf8.contains(0) }) else {
      throw failure(place, "it contains a NUL")
    }
    return arguments
  }

  /// Returns the bytes of the file at the given path; empty if it is missing.
  ///
  /// - Throws: `PermissionDenied` if anyone but the owner may write the file.
  private static func bytes(_ path: String) throws(Failure) -> [UInt8] {
    let shown = Visible.text(path)
    let file: PlainFile
    do throws(PlainFile.Problem) {
      file = try PlainFile(path, atMost: largest)
    } catch {
      guard error != .missing else { return [] }
      throw Failure(.storageFailed, "cannot read '\(shown)': \(error.reason)", input: shown)
    }
    guard file.isOurs(closedFor: 0o022, orRoot: true) else {
      throw Failure(
        .permissionDenied, "'\(shown)' must belong to you and be writable by you alone",
        kind: .unsafeMode, input: shown, nextStep: "change its owner or mode")
    }
    return file.bytes
  }

  /// Returns the failure that reports the given reason for the given line.
  static func failure(_ place: FilePlace, _ reason: String) -> Failure {
    Failure(.badConfiguration, "\(place): \(reason)", input: place.description)
  }
}
