/// An attribute of an element.
///
/// There is none for the handler of an event, and those that name an address take a ``HTMLAddress``.
public struct HTMLAttribute: Sendable, Hashable {
  /// The attributes whose value is text.
  public enum Name: String, Sendable {
    case ariaCurrent = "aria-current"
    case ariaLabel = "aria-label"
    case autocomplete, charset, `class`, content
    case dataHost = "data-host"
    case dataHosts = "data-hosts"
    case dataLast = "data-last"
    case dataLive = "data-live"
    case `defer`, `for`, hidden, id, lang, maxlength, method, minlength, name, rel, required, role,
      rows,
      scope, selected, tabindex, type, value
  }

  /// The attributes whose value is an address.
  public enum AddressName: String, Sendable {
    case action, href, src
  }

  let name: String
  let value: String

  /// Creates an attribute with the given text.
  public init(_ name: Name, _ value: String) { (self.name, self.value) = (name.rawValue, value) }

  /// Creates an attribute with the given address.
  public init(_ name: AddressName, _ address: HTMLAddress) {
    (self.name, value) = (name.rawValue, address.text)
  }

  /// Creates the attribute with the class of the given name.
  static func `class`(_ name: String) -> HTMLAttribute { HTMLAttribute(.class, name) }
}
