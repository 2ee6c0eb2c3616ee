import Core

/// A value in a row, or a parameter of a statement.
package enum RecordValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// The name of the value's type, for messages.
  private var kind: String {
    switch self {
    case .null: "no value"
    case .integer: "an integer"
    case .real: "a real number"
    case .text: "a text"
    case .blob: "a blob"
    }
  }

  /// Returns the value converted to the type `Value`.
  ///
  /// - Throws: `StorageFailed` if the value has another type.
  func converted<Value: RecordValueConvertible>() throws(Failure) -> Value {
    guard let converted = Value(self) else {
      throw Failure(.storageFailed, "a row has \(kind) in place of a value of '\(Value.self)'")
    }
    return converted
  }
}

/// A type whose values can be stored in columns.
package protocol RecordValueConvertible {
  /// The value as it is stored in a column.
  var recordValue: RecordValue { get }
  /// Creates the value from the given column value; returns nil if that has another type.
  init?(_ value: RecordValue)
}

extension Int64: RecordValueConvertible {
  package var recordValue: RecordValue { .integer(self) }

  package init?(_ value: RecordValue) {
    guard case .integer(let integer) = value else { return nil }
    self = integer
  }
}

extension Int: RecordValueConvertible {
  package var recordValue: RecordValue { .integer(Int64(self)) }

  package init?(_ value: RecordValue) {
    guard let integer = Int64(value) else { return nil }
    self.init(exactly: integer)
  }
}

/// A flag, stored as 0 or 1.
extension Bool: RecordValueConvertible {
  package var recordValue: RecordValue { .integer(self ? 1 : 0) }

  package init?(_ value: RecordValue) {
    guard let integer = Int64(value) else { return nil }
    self = integer != 0
  }
}

extension Double: RecordValueConvertible {
  package var recordValue: RecordValue { .real(self) }

  package init?(_ value: RecordValue) {
    switch value {
    case .real(let real): self = real
    case .integer(let integer): self = Double(integer)
    default: return nil
    }
  }
}

extension String: RecordValueConvertible {
  package var recordValue: RecordValue { .text(self) }

  package init?(_ value: RecordValue) {
    guard case .text(let text) = value else { return nil }
    self = text
  }
}

extension [UInt8]: RecordValueConvertible {
  package var recordValue: RecordValue { .blob(self) }

  package init?(_ value: RecordValue) {
    guard case .blob(let bytes) = value else { return nil }
    self = bytes
  }
}

extension Optional: RecordValueConvertible where Wrapped: RecordValueConvertible {
  package var recordValue: RecordValue { self?.recordValue ?? .null }

  package init?(_ value: RecordValue) {
    guard value != .null else {
      self = .none
      return
    }
    guard let wrapped = Wrapped(value) else { return nil }
    self = wrapped
  }
}
