/// The status and the header fields of a final response.
public struct HTTPHead: Sendable, Hashable {
  /// The three-digit status code.
  public var status: Int
  /// The fields in the order they came, folded lines joined.
  public var fields: [HTTPField]

  /// Creates a head, as a test or a cache needs it.
  public init(status: Int, fields: [HTTPField] = []) {
    self.status = status
    self.fields = fields
  }

  /// The value of the first field of this name, in any case.
  public func value(_ name: String) -> String? {
    fields.first { $0.isNamed(name) }?.value
  }

  /// The values of all fields of this name, in any case.
  public func values(_ name: String) -> [String] {
    fields.filter { $0.isNamed(name) }.map(\.value)
  }
}
