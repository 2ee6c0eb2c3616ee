package import Core

/// A row that a statement found.
///
/// Each column is read when it is accessed.
package protocol RecordRow {
  /// Returns the value of the column with the given name; nil if the row has no such column.
  func value(ofColumn name: String) -> RecordValue?

  /// Returns the value of the column at the given position, counted from 0.
  func value(at index: Int) -> RecordValue
}

extension RecordRow {
  /// Returns the value of the column with the given name.
  ///
  /// - Throws: `StorageFailed` if the column is missing or has a value of another type.
  package subscript<Value: RecordValueConvertible>(name: String) -> Value {
    get throws(Failure) {
      guard let value = value(ofColumn: name) else {
        throw Failure(.storageFailed, "a row has no column '\(name)'")
      }
      return try value.converted()
    }
  }

  /// Returns the value of the column at the given position, counted from 0.
  ///
  /// - Throws: `StorageFailed` if the value has another type.
  package func value<Value: RecordValueConvertible>(
    at index: Int, as type: Value.Type
  ) throws(Failure) -> Value {
    try value(at: index).converted()
  }
}
