import ArgumentParser
import Command
import Core
import Events
import Hub
import Postgres
import Storage
import Tokens

/// The option that names the database of the records.
struct RecordsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Share the records in this PostgreSQL database.", valueName: "url"))
  var records: String?
}

struct MigrateRecords: Tool {
  static let configuration = verbConfiguration(
    "migrate", abstract: "Create or update the tables that hubs share")

  @Option(
    help: ArgumentHelp("The PostgreSQL database, with a role that owns it.", valueName: "url"))
  var records: String
  @Option(help: ArgumentHelp("Grant this role the rights of a hub.", valueName: "role"))
  var grant: String?
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let address = try PostgresAddress(records)
    try PostgresSchema.migrate(address, granting: grant, report: session.report)
    session.diagnostics.report("'\(address.name)' has the tables of this version")
  }
}

extension Session {
  /// Opens the base of the records that hubs share; returns nil if no option names one.
  ///
  /// - Throws: As `PostgresBase`.
  private func base(_ options: RecordsOptions) throws(Failure) -> PostgresBase? {
    try options.records.map { (url) throws(Failure) in try PostgresBase(PostgresAddress(url)) }
  }

  /// Opens the records of a hub.
  ///
  /// - Throws: As `PostgresBase`.
  func records(_ options: RecordsOptions) throws(Failure) -> HubRecords {
    guard let base = try base(options) else { return HubRecords(directories) }
    let name = base.address.name
    diagnostics.report(
      "the records are in '\(name)'; tools of this machine report to the hub through"
        + " AGENTPIPES_HUB")
    if try !base.isAuditProtected() {
      diagnostics.report(
        "this role can change the audit in '\(name)', which only a trigger protects: see"
          + " hub-serve migrate --grant")
    }
    let log = PostgresLog(base)
    let place = EventPlace(holdsLog: { true }, open: { log })
    return HubRecords(sharing: base, place, holder: try OwnHub.id(in: directories))
  }

  /// Opens the store of a hub's devices for reading; returns nil if this machine has none.
  ///
  /// - Throws: As `PostgresBase`; `StorageFailed` if the store of this machine cannot be opened.
  func existingStore(_ options: RecordsOptions) throws(Failure) -> Store? {
    if let base = try base(options) { return Store(base) }
    return try Store(existingIn: directories)
  }

  /// Opens the store of a hub's devices.
  ///
  /// - Throws: As `PostgresBase`; `StorageFailed` if the store of this machine cannot be opened.
  func hubStore(_ options: RecordsOptions) throws(Failure) -> Store {
    if let base = try base(options) { return Store(base) }
    return try Store(directories)
  }
}
