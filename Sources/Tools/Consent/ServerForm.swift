import Core
import Foundation

/// A form that a server asks a person to fill in: a flat object.
struct ServerForm: Sendable {
  /// A member of the form.
  struct Field: Sendable {
    var name: String
    var type: String
    var title: String
    var options: [String]
    var isRequired: Bool
    /// The text that an empty line stands for; nil if such a line leaves the member out.
    var preset: String?

    /// The prompt, safe to show on a terminal.
    var prompt: String {
      let choices = options.joined(separator: "|")
      let kind =
        options.isEmpty ? type : type == "array" ? "some of \(choices), with commas" : choices
      let rest = preset.map { ") [\($0.prefix(100))]" } ?? ")"
      return Visible.line(
        String("\(title) (\(kind)\(isRequired ? "" : ", optional")".prefix(400)) + rest)
    }

    /// Returns the given text as a value of the member's type; nil if it is none.
    func value(_ text: String) -> JSONValue? {
      switch type {
      case "integer": Int(text).map(JSONValue.int)
      case "number": Double(text).flatMap { $0.isFinite ? .double($0) : nil }
      case "boolean":
        ["yes", "y", "true"].contains(text.lowercased())
          ? .bool(true) : ["no", "n", "false"].contains(text.lowercased()) ? .bool(false) : nil
      case "array": chosen(text)
      default: options.isEmpty || options.contains(text) ? .string(text) : nil
      }
    }

    /// Returns the options that the given text lists, with commas between them.
    private func chosen(_ text: String) -> JSONValue? {
      let words = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      guard words.allSatisfy(options.contains) else { return nil }
      return .array(words.map(JSONValue.string))
    }
  }

  /// The members, the required ones first.
  let fields: [Field]

  /// Creates the form from the schema that the server sent.
  init(_ schema: JSONValue) {
    let required = Set(schema["required"]?.texts ?? [])
    let members = (schema["properties"]?.members ?? [:]).prefix(50)
    fields = members.map { name, part in
      // The items of an array are what may be chosen.
      let choice = part["items"] ?? part
      let options =
        choice["enum"]?.texts
        ?? (choice["oneOf"] ?? choice["anyOf"])?.items?.compactMap { $0["const"]?.text } ?? []
      var field = Field(
        name: name, type: part["type"]?.text ?? "string",
        title: part["title"]?.text ?? part["description"]?.text ?? name, options: options,
        isRequired: required.contains(name))
      let preset = part["default"].flatMap(Self.text)
      if let preset, field.value(preset) != nil { field.preset = preset }
      return field
    }.sorted { ($0.isRequired ? 0 : 1, $0.name) < ($1.isRequired ? 0 : 1, $1.name) }
  }

  /// Returns the given value as a person would type it; nil if nobody can.
  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .int(let number): String(number)
    case .double(let number): String(number)
    case .bool(let answer): answer ? "yes" : "no"
    case .array: value.texts?.joined(separator: ", ")
    case .null, .object: nil
    }
  }
}
