public import Core
import HTTP

extension FetchOptions {
  /// Adds the header fields from the command line.
  ///
  /// The values of secret fields are never shown.
  ///
  /// - Parameter texts: The fields, each in the form `Name: value`. A text that begins with `@`
  ///   names a file with secret fields.
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
      // The last word is registered as well, because it is the secret part after `Bearer` and
      // similar words.
      if let last = field.value.split(separator: " ").last { Secrets.register(String(last)) }
    }
  }
}
