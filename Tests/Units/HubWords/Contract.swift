import Foundation
import TestSupport

/// The names of members in `docs/openapi.yaml` and `docs/asyncapi.yaml`, as these files are written.
struct Contract {
  /// A schema's place.
  enum Place: Hashable, CustomStringConvertible {
    /// Of `components/schemas` of openapi.yaml.
    case schema(String)
    /// The body of an answer, and of a request.
    case get(String), post(String)
    /// A frame of an answer in a chat, by its type.
    case frame(String)
    /// A schema or a message of asyncapi.yaml.
    case stream(String)

    var description: String {
      switch self {
      case .schema(let name), .get(let name), .post(let name), .frame(let name),
        .stream(let name):
        name
      }
    }
  }

  private struct Missing: Error { let place: Place }

  /// The members, and those of them that must be there.
  let members: Set<String>
  let required: Set<String>

  init(_ place: Place) throws {
    let file = if case .stream = place { "asyncapi.yaml" } else { "openapi.yaml" }
    let text = try String(
      contentsOf: Checkout.root.appending(path: "docs/\(file)"), encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    switch place {
    case .schema(let name), .stream(let name):
      guard let start = lines.lastIndex(of: "    \(name):") else { throw Missing(place: place) }
      self.init(block: Self.block(lines, from: start))
    case .get(let path), .post(let path):
      let method = if case .get = place { "get" } else { "post" }
      guard let start = lines.firstIndex(of: "  \(path):"),
        let line = Self.block(
          Self.block(lines, from: start), after: "    \(method):"
        ).first(where: { $0.contains("schema: {type: object") })
      else { throw Missing(place: place) }
      self.init(flow: line)
    case .frame(let type):
      guard let line = lines.firstIndex(where: { $0.contains("type: {const: \(type)}") }) else {
        throw Missing(place: place)
      }
      if lines[line].contains("properties: {") {
        self.init(flow: lines[line])
      } else {
        self.init(block: [lines[line - 2], lines[line - 1]] + lines[line...].prefix(5))
      }
    }
  }

  private init(flow line: String) {
    required = Self.names(in: line)
    guard let start = line.range(of: "properties: {") else {
      members = []
      return
    }
    var (depth, name, found) = (0, "", Set<String>())
    for character in line[start.upperBound...] where depth >= 0 {
      switch character {
      case "{", "[": depth += 1
      case "}", "]": depth -= 1
      case ":" where depth == 0: found.insert(name.trimmingCharacters(in: .whitespaces))
      case "," where depth == 0: name = ""
      default: if depth == 0 { name.append(character) }
      }
      if character == "}", depth == 0 { name = "" }
    }
    members = found
  }

  private init(block: [String]) {
    let outermost = block.filter { $0.contains(": [") || $0.hasSuffix("properties:") }
    let indent = outermost.map(Self.indent).min() ?? 0
    let own = block.filter { Self.indent($0) == indent }
    required = own.first { $0.contains("required: [") }.map(Self.names) ?? []
    guard
      let start = block.firstIndex(where: {
        Self.indent($0) == indent && $0.hasSuffix("properties:")
      })
    else {
      members = []
      return
    }
    members = Set(
      block[(start + 1)...].prefix { Self.indent($0) > indent }
        .filter { Self.indent($0) == indent + 2 }
        .compactMap { $0.split(separator: ":").first?.trimmingCharacters(in: .whitespaces) })
  }

  /// The names of the first list of required members in a line.
  private static func names(in line: String) -> Set<String> {
    guard let start = line.range(of: "required: [") else { return [] }
    return Set(
      line[start.upperBound...].prefix { $0 != "]" }.split(separator: ",")
        .map { $0.trimmingCharacters(in: .whitespaces) })
  }

  private static func indent(_ line: String) -> Int { line.prefix { $0 == " " }.count }

  /// The lines below a line that are further to the right.
  private static func block(_ lines: [String], from start: Int) -> [String] {
    Array(lines[(start + 1)...].prefix { indent($0) > indent(lines[start]) })
  }

  private static func block(_ lines: [String], after line: String) -> [String] {
    lines.firstIndex(of: line).map { block(lines, from: $0) } ?? []
  }
}
