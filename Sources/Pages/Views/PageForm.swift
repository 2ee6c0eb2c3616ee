import Core

/// A form, which changes something at the hub.
struct PageForm {
  /// The names of the fields.
  enum Field: String {
    case token, code, decision, action, reason, confirmation, requestId
  }

  /// The address that the form is sent to.
  var address: HTMLAddress
  /// The fields that a person does not see.
  var hidden: [(field: Field, value: String)]
  /// The parts that a person sees.
  var parts: [HTML]

  /// The form as an element.
  var html: HTML {
    HTML(
      .form, [HTMLAttribute(.method, "post"), HTMLAttribute(.action, address)],
      parts: hidden.map { field, value in
        HTML(
          .input,
          [
            HTMLAttribute(.type, "hidden"), HTMLAttribute(.name, field.rawValue),
            HTMLAttribute(.value, value),
          ])
      } + parts)
  }

  /// Returns a button that sends the form; nil for `pair` to send its fields alone.
  static func button(
    _ text: String, _ look: String = "plain", sending pair: (field: Field, value: String)? = nil
  ) -> HTML {
    let own = pair.map {
      [HTMLAttribute(.name, $0.field.rawValue), HTMLAttribute(.value, $0.value)]
    }
    return HTML(
      .button, [HTMLAttribute(.type, "submit"), .class(look)] + (own ?? []), HTML(text: text))
  }

  /// Returns a field for a line or more of text, below its label.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - label: The label.
  ///   - id: The id of the field in the document.
  ///   - least: The smallest number of characters; 0 if the field may stay empty.
  /// - Returns: The label and the field.
  static func text(_ field: Field, _ label: String, id: String, least: Int = 0) -> HTML {
    let needed =
      least == 0
      ? [] : [HTMLAttribute(.required, ""), HTMLAttribute(.minlength, "\(least)")]
    return HTML([
      HTML(.label, [HTMLAttribute(.for, id)], HTML(text: label)),
      HTML(
        .textarea,
        [
          HTMLAttribute(.id, id), HTMLAttribute(.name, field.rawValue), HTMLAttribute(.rows, "2"),
          HTMLAttribute(.maxlength, "4000"),
        ] + needed),
    ])
  }

  /// Returns a field for the given word, which a person types to confirm.
  static func confirmation(_ word: String, id: String) -> HTML {
    HTML([
      HTML(.label, [HTMLAttribute(.for, id)], "Type \(word) to confirm"),
      HTML(
        .input,
        [
          HTMLAttribute(.id, id), HTMLAttribute(.name, Field.confirmation.rawValue),
          HTMLAttribute(.autocomplete, "off"), HTMLAttribute(.required, ""),
        ]),
    ])
  }
}
