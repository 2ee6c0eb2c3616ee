import Core

/// An error that the server or libpq reported.
struct PostgresError: Error {
  /// The code of the error; empty if libpq reported it.
  ///
  /// See https://www.postgresql.org/docs/15/errcodes-appendix.html.
  var state = ""
  /// The message, in one line.
  let message: String
  /// `true` if the connection was lost or could not be opened.
  let isLoss: Bool

  /// Creates an error of the server.
  init(state: String, message: String, isLoss: Bool) {
    self.state = state
    self.message = Self.oneLine(message)
    self.isLoss = isLoss || ["08", "57P"].contains(where: state.hasPrefix)
  }

  /// Creates an error of the connection, with libpq's message.
  init(loss message: String) { self.init(state: "", message: message, isLoss: true) }

  /// `true` if the connection must be opened anew before the next transaction.
  ///
  /// Statements that were prepared do not survive a change of the tables, and a server that became a
  /// standby refuses writes.
  var needsReconnection: Bool { isLoss || ["0A000", "26000", "25006"].contains(state) }

  /// Returns the failure that describes the error in the database with the given name.
  func failure(_ name: String) -> Failure {
    Failure(
      .storageFailed, "cannot use '\(name)': \(message)", kind: kind,
      retryAfterSeconds: kind == .connect || kind == .busy ? 1 : nil, input: name,
      nextStep: kind == .connect
        ? "check the database server and its address"
        : "check the database, its role and the rights of the role")
  }

  /// Returns the failure that describes any error of a transaction in the database with the given
  /// name.
  static func failure(_ error: any Error, _ name: String) -> Failure {
    error as? Failure ?? Failure(.storageFailed, "cannot use '\(name)': \(error)", input: name)
  }

  private var kind: FailureKind? {
    if isLoss { return .connect }
    switch state {
    case "25006": return .readOnly
    // A lock that was not granted in time.
    case "55P03": return .busy
    // All connections are in use.
    case "53300": return .connect
    default: break
    }
    switch state.prefix(2) {
    case "40": return .busy
    case "XX": return .corrupt
    default: return nil
    }
  }

  /// Returns the first line of the given message, and the lines about further hosts.
  ///
  /// The other lines are hints, or may quote values.
  private static func oneLine(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).map { line in
      line.hasPrefix("FATAL:") ? line.dropFirst("FATAL:".count).drop { $0 == " " } : line
    }
    let hosts = lines.dropFirst().filter { $0.hasPrefix("connection to server ") }
    return (lines.prefix(1) + hosts).joined(separator: "; ")
  }
}
