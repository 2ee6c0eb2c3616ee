internal import CPQ
package import Core

/// The address of a PostgreSQL database, as libpq reads it from a URL.
///
/// Everything that the URL does not name comes from libpq's environment variables and files.
/// See https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING.
package struct PostgresAddress: Sendable, Hashable {
  /// The name of the database in messages, such as `db1,db2/agentpipes`.
  ///
  /// It contains neither a user nor a password.
  package let name: String
  /// The parameters of a connection, sorted by name.
  let parameters: [Parameter]

  /// A parameter of a connection.
  struct Parameter: Sendable, Hashable {
    let name: String
    let value: String
  }

  /// The parameters that end a half-open connection within 7 seconds, unless the URL sets them.
  private static let defaults = [
    "connect_timeout": "3", "keepalives_idle": "3", "keepalives_interval": "2",
    "keepalives_count": "2", "tcp_user_timeout": "6000", "fallback_application_name": "agentpipes",
  ]
  /// The parameters that every connection has.
  private static let fixed = ["client_encoding": "UTF8"]
  /// The parameters that are secrets.
  private static let secrets: Set = ["password", "sslpassword"]

  /// Parses the given URL.
  ///
  /// - Throws: `BadUsage` if the text is no URL of PostgreSQL or contains a password;
  ///   `ToolFailed` of kind `library` if libpq is missing.
  package init(_ url: String) throws(Failure) {
    guard ["postgresql://", "postgres://"].contains(where: url.hasPrefix) else {
      throw Failure(.badUsage, "the URL of the database must begin with 'postgresql://'")
    }
    try SystemLibrary.pq.require()
    let given = try Self.parse(url)
    guard Self.secrets.isDisjoint(with: given.keys) else {
      throw Failure(
        .badUsage, "the URL of the database contains a password",
        nextStep: "store the password in a file that PGPASSFILE names")
    }
    let parts = [given["host"] ?? given["hostaddr"], given["dbname"]].compactMap(\.self)
    name = parts.isEmpty ? "postgresql" : parts.joined(separator: "/")
    parameters = Self.defaults.merging(given) { $1 }.merging(Self.fixed) { $1 }
      .map { Parameter(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
  }

  /// Returns the parameters that the given URL names (PQconninfoParse).
  private static func parse(_ url: String) throws(Failure) -> [String: String] {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(url, &message) else {
      defer { PQfreemem(message) }
      throw Failure(
        .badUsage, "cannot read the URL of the database: \(reason(message))")
    }
    defer { PQconninfoFree(options) }
    var found: [String: String] = [:]
    var option = options
    // The last option has no name.
    while let name = option.pointee.keyword {
      if let value = option.pointee.val { found[String(cString: name)] = String(cString: value) }
      option += 1
    }
    return found
  }

  /// Returns the given message of libpq without the part of the URL that it quotes at its end.
  ///
  /// That part may contain a password.
  private static func reason(_ message: UnsafeMutablePointer<CChar>?) -> String {
    guard let message else { return "there is no memory" }
    let text = String(cString: message)
    return (text.firstRange(of: ": \"").map { String(text[..<$0.lowerBound]) } ?? text)
      .trimmingSuffix(while: \.isNewline)
  }
}

extension String {
  /// Returns the text without the characters at its end that satisfy the condition.
  fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, condition(last) { text.removeLast() }
    return text
  }
}
