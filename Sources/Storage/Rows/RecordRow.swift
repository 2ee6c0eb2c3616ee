package import Core

/// A row that a statement found; its columns are read on access.
package protocol RecordRow {
  /// Returns the value of a column; nil if the statement has no column with that name.
  func value(ofColumn name: String) -> RecordValue?

  /// Returns the value of a column by its position from 0.
  func value(at index: Int) -> RecordValue
}

extension RecordRow {
  /// Returns the value of a column.
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

  /// Returns the value of a column by its position.
  ///
  /// - Throws: `StorageFailed` for a value of another type.
  package func value<Value: RecordValueConvertible>(
    at index: Int, as type: Value.Type
  ) throws(Failure) -> Value {
    try value(at: index).converted()
  }
}
