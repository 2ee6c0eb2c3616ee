package import Core
import Foundation
package import Postgres
import Storage
import Synchronization

/// A PostgreSQL server for the tests of one process, which it starts when it is first needed.
package final class PostgresServer: Sendable {
  /// The folder of PostgreSQL's programs, at least version 15; nil if they are not installed.
  package static let programs: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return versions.compactMap { Int($0) }.filter { $0 >= 15 }.sorted()
      .map { "\(root)/\($0)/bin" }.last { access($0 + "/initdb", X_OK) == 0 }
  }()
  /// `true` if PostgreSQL's programs are installed.
  package static var isInstalled: Bool { programs != nil }

  /// The server.
  package static let shared = Result { try PostgresServer() }

  /// A statement that psql(1) could not run.
  package struct CannotRun: Error, CustomStringConvertible {
    /// The messages of psql.
    package var description: String
  }

  private let server: PythonServer
  private let folder: String
  /// The names of the databases, by the paths of the homes.
  private let databases = Mutex<[String: String]>([:])

  /// The database whose tables the others begin with.
  private static let template = "template_of_tests"

  /// The statement that finds the databases without a connection.
  private static let unused = """
    SELECT datname FROM pg_database WHERE datname NOT IN (
      SELECT datname FROM pg_stat_activity WHERE datname IS NOT NULL)
    """

  private init() throws {
    let programs = Self.programs ?? ""
    server = try PythonServer("postgres_server.py", ["--programs", programs])
    folder = server.folder.path + "/pg"
    try run("CREATE DATABASE \(Self.template)")
    try PostgresSchema.migrate(address(of: Self.template), granting: nil)
  }

  /// Returns the address of the given database.
  package func address(
    of database: String, user: String = "postgres"
  ) throws(Failure) -> PostgresAddress {
    try PostgresAddress(url(of: database, user: user))
  }

  /// Returns the URL of the given database.
  package func url(of database: String, user: String = "postgres") -> String {
    "postgresql://\(user)@/\(database)?host=\(folder)"
  }

  /// Returns the URL of the given database over the given relay.
  package func url(of database: String, over relay: PythonServer) -> String {
    let port = relay.base.split(separator: ":").last ?? ""
    return "postgresql://postgres@127.0.0.1:\(port)/\(database)"
  }

  /// Starts a relay to the server, which cuts the first connection that sends the given text in
  /// place of the answer.
  package func relay(losingAnswerTo text: String) throws -> PythonServer {
    try PythonServer("tcp_proxy.py", ["--host", folder, "--to", "5432", "--lose", text])
  }

  /// Runs SQL statements with psql(1), in a database that may be chosen.
  ///
  /// - Returns: The values that were found, as lines.
  /// - Throws: ``CannotRun`` if a statement fails.
  @discardableResult
  package func run(_ script: String, in database: String = "postgres") throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: (Self.programs ?? "") + "/psql")
    process.arguments = [
      "-h", folder, "-U", "postgres", "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1", "-c",
      script,
    ]
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CannotRun(description: String(decoding: said, as: UTF8.self))
    }
    return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// Creates a database with a name of its own.
  ///
  /// - Parameter isEmpty: `true` to create no tables.
  /// - Returns: The name of the database.
  /// - Throws: ``CannotRun`` if it cannot be created.
  package func makeDatabase(isEmpty: Bool = false) throws -> String {
    let name = "t" + Identifier.make().lowercased().filter { $0.isLetter || $0.isNumber }
    try run("CREATE DATABASE \(name)" + (isEmpty ? "" : " TEMPLATE \(Self.template)"))
    return name
  }

  /// Returns the name of the database that belongs to the given home.
  ///
  /// It is created at the first call. Databases of removed homes that nobody uses are dropped.
  package func database(of home: Home) throws -> String {
    try databases.withLock { databases in
      if let known = databases[home.path] { return known }
      let unused = Set(try run(Self.unused).split(separator: "\n").map(String.init))
      for (path, name) in databases
      where unused.contains(name) && !FileManager.default.fileExists(atPath: path) {
        try run("DROP DATABASE \(name)")
        databases[path] = nil
      }
      let name = try makeDatabase()
      databases[home.path] = name
      return name
    }
  }

  /// Opens a base in the database of the given home.
  package func base(in home: Home) throws -> PostgresBase {
    try PostgresBase(address(of: database(of: home)))
  }
}
