/// A rule that a file breaks, and where.
struct Violation: CustomStringConvertible, Equatable {
  /// The file's path in the repository.
  var path: String
  /// The line, counted from 1; nil for the file as a whole.
  var line: Int?
  /// What is wrong with it.
  var reason: String

  var description: String {
    line.map { "\(path):\($0): \(reason)" } ?? "\(path): \(reason)"
  }
}
