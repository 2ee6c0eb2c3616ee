package import Core

/// One row that a statement found; its columns are read when they are asked for.
package protocol RecordRow {
  /// The value of a column; nil if the statement has no column of that name.
  func value(ofColumn name: String) -> RecordValue?

  /// The value of a column, by its position from 0.
  func value(at index: Int) -> RecordValue
}

extension RecordRow {
  /// The value of a column.
  ///
  /// - Throws: `StorageFailed` for a column that is not there or holds a value of another type.
  package subscript<Value: RecordValueConvertible>(name: String) -> Value {
    get throws(Failure) {
      guard let value = value(ofColumn: name) else {
        throw Failure(.storageFailed, "a row has no column '\(name)'")
      }
      return try value.converted()
    }
  }

  /// The value of a column, by its position.
  ///
  /// - Throws: `StorageFailed` for a value of another type.
  package func value<Value: RecordValueConvertible>(
    at index: Int, as type: Value.Type
  ) throws(Failure) -> Value {
    try value(at: index).converted()
  }
}
