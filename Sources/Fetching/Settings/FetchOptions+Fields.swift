public import Core
import HTTP

extension FetchOptions {
  /// Adds the header fields from the command line, and registers the secrets among them for
  /// redaction.
  ///
  /// - Parameter texts: Each is `Name: value`, or `@` and the name of a file with fields, all of
  ///   them secret.
  /// - Throws: As ``HeaderFile/read(_:)``.
  public mutating func add(fields texts: [String]) throws(Failure) {
    for text in texts {
      guard text.hasPrefix("@") else {
        fields += [HeaderFile.field(text)].compactMap(\.self)
        continue
      }
      let read = try HeaderFile.read(String(text.dropFirst()))
      fields += read
      secretNames.formUnion(read.map { $0.name.lowercased() })
    }
    for field in fields where isSecret(field) {
      Secrets.register(field.value)
      // `Bearer` and similar words are not secret; the rest of the value is a secret by itself.
      if let last = field.value.split(separator: " ").last { Secrets.register(String(last)) }
    }
  }
}
