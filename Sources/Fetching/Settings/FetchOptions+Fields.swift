public import Core
import HTTP

extension FetchOptions {
  /// Adds the header fields that a person asks for, and keeps the secrets among them out of all texts.
  ///
  /// - Parameter texts: `Name: value` each, or `@` and the name of a file that holds some, all of them
  ///   secret.
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
      // `Bearer` and such is no secret; what follows is one by itself too.
      if let last = field.value.split(separator: " ").last { Secrets.register(String(last)) }
    }
  }
}
