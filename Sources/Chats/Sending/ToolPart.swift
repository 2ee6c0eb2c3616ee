import Core
import Foundation
import Providers

/// A part of a tool's result, as the Model Context Protocol defines it.
struct ToolPart {
  /// The largest total size of a result's pictures, in bytes of base64; providers refuse more.
  static let largestPicture = 5_000_000

  private let members: [String: JSONValue]

  init(_ value: JSONValue) {
    if case .object(let members) = value { self.members = members } else { members = [:] }
  }

  /// Returns a part of the type `text`.
  static func text(_ text: String) -> JSONValue {
    .object(["type": .string("text"), "text": .string(text)])
  }

  private var type: String { string("type") ?? "" }

  private var resource: ToolPart? {
    type == "resource" ? members["resource"].map(ToolPart.init) : nil
  }

  /// The text of a text, or of an embedded resource; nil for other parts.
  var text: String? { type == "text" ? string("text") : resource?.string("text") }

  /// Returns the part with the given text.
  func with(text: String) -> JSONValue {
    guard let resource, self.text != nil else { return Self.text(text) }
    var (whole, inner) = (members, resource.members)
    inner["text"] = .string(text)
    whole["resource"] = .object(inner)
    return .object(whole)
  }

  /// The size of a picture that providers read, in bytes of base64; nil for other parts.
  var pictureSize: Int? { picture == nil ? nil : string("data")?.utf8.count }

  /// A picture that providers read; nil for other parts.
  var picture: RequestFile? {
    guard type == "image", let data = string("data"), data.utf8.count <= Self.largestPicture,
      let bytes = Data(base64Encoded: data),
      let file = try? AttachedContent(name: "picture", content: Array(bytes)),
      file.file.contentType.hasPrefix("image/")
    else { return nil }
    return RequestFile(
      name: "picture", contentType: file.file.contentType, content: file.content)
  }

  /// The words that stand for the part where its content is not sent.
  var name: String {
    let facts = [
      string("title") ?? string("name"), string("uri") ?? resource?.string("uri"),
      string("mimeType") ?? resource?.string("mimeType"),
    ].compactMap { $0.map { Visible.line(String($0.unicodeScalars.prefix(500))) } }
    let kind =
      switch type {
      case "image": "a picture"
      case "audio": "a sound"
      case "resource_link": "a link to a resource"
      case "resource": "a resource"
      default: "a part of the type '\(Visible.line(String(type.unicodeScalars.prefix(64))))'"
      }
    return "[\(([kind] + facts).joined(separator: ", "))]"
  }

  private func string(_ name: String) -> String? {
    if case .string(let text) = members[name] { text } else { nil }
  }
}
