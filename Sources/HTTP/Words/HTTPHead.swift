/// The status and the header fields of a final response.
public struct HTTPHead: Sendable, Hashable {
  /// The three-digit status code.
  public var status: Int
  /// The fields in the order of arrival, with folded lines joined.
  public var fields: [HTTPField]

  /// Creates a head, for example for a test or a cache.
  public init(status: Int, fields: [HTTPField] = []) {
    self.status = status
    self.fields = fields
  }

  /// Returns the value of the first field with the given name, ignoring case.
  public func value(_ name: String) -> String? {
    fields.first { $0.isNamed(name) }?.value
  }

  /// Returns the values of all fields with the given name, ignoring case.
  public func values(_ name: String) -> [String] {
    fields.filter { $0.isNamed(name) }.map(\.value)
  }
}
