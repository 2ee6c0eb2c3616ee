public import Core
import Foundation
public import HTTP

/// Files of header fields.
///
/// Each line of a file has the form `Name: value`.
public enum HeaderFile {
  /// The maximum number of bytes of a file that are read.
  private static let maximumBytes = 64 << 10
  /// The names of the fields that only the client may set.
  ///
  /// With other values, the request that is sent would differ from the request that was judged.
  private static let refused = ["host", "connection", "content-length", "transfer-encoding"]

  /// Returns the field in the given text, which has the form `Name: value`.
  ///
  /// It is nil if the text is invalid or names a field that only the client may set.
  public static func field(_ text: String) -> HTTPField? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, isToken(parts[0]), isValue(String(parts[1])),
      !refused.contains(parts[0].lowercased())
    else { return nil }
    return HTTPField(String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
  }

  /// Returns `true` if the given text can be the value of a field.
  ///
  /// It can if it has no control characters except tabs.
  public static func isValue(_ text: String) -> Bool {
    !text.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
  }

  /// Reads the fields in the file at the given path.
  ///
  /// Blank lines are skipped.
  ///
  /// - Throws: `NotFound` if there is no such file; `BadInput` if a line is invalid. The failure
  ///   names the line, but does not contain its text.
  public static func read(_ path: String) throws(Failure) -> [HTTPField] {
    let name = Visible.line(path)
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw Failure(.notFound, "cannot open '\(name)'", input: name)
    }
    let data: Data
    do {
      data = try handle.read(upToCount: maximumBytes + 1) ?? Data()
    } catch {
      throw Failure(.storageFailed, "cannot read '\(name)'", input: name)
    }
    guard data.count <= maximumBytes, let text = String(data: data, encoding: .utf8) else {
      throw Failure(.badInput, "'\(name)' contains no headers", input: name)
    }
    var fields: [HTTPField] = []
    // In Swift, a CR LF is one character.
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated()
    where !line.allSatisfy(\.isWhitespace) {
      guard let field = field(String(line)) else {
        throw Failure(
          .badInput, "line \(index + 1) of '\(name)' is not 'Name: value'",
          input: "\(name):\(index + 1)")
      }
      fields.append(field)
    }
    return fields
  }

  private static func isToken(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~".utf8.contains($0)
      }
  }
}
