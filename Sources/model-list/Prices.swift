import ArgumentParser
import Catalogue
import Command
import Core
import Display

struct RefreshPrices: Tool {
  static let configuration = verbConfiguration(
    "prices", abstract: "Store the prices of a published table")

  @Option(
    help: ArgumentHelp(
      "The table: genai-prices' data.json or prices.ndjson.", valueName: "file|url"),
    completion: .file())
  var from: String
  @Flag(help: "Store changes without asking, except tenfold ones.")
  var yes = false
  @Option(
    help: ArgumentHelp("Store tenfold changes of this model too.", valueName: "name"))
  var accept: [String] = []
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let today = Day.today
    let (bytes, source) = try await PublishedTable.read(from)
    let table = try PriceTable.read(bytes, source: source, asOf: today)
    for note in table.notes { session.diagnostics.report(note) }
    let catalogue = Catalogue(session.directories)
    if let problem = catalogue.problem { session.diagnostics.report(problem.sentence) }
    let changes = table.changes(against: catalogue, on: today)
    guard !changes.isEmpty else {
      return session.diagnostics.report("'\(source)' changes no price")
    }
    try store(changes, of: table, from: source, over: catalogue, on: today, session)
  }

  /// Stores the price changes that the user or an option accepts, and reports them.
  private func store(
    _ changes: [PriceChange], of table: PriceTable, from source: String, over catalogue: Catalogue,
    on today: Day, _ session: Session
  ) throws(Failure) {
    let moves = PriceMoves(changes, accepted: accept)
    let confirmation = Confirmation(session)
    let needsYes = !yes && !moves.usual.isEmpty
    let asks = confirmation.isPossible && (needsYes || !moves.unaccepted.isEmpty)
    // The changes are shown before a question, and before a refusal if there is no terminal.
    if asks || needsYes { try session.write(changes) }
    if needsYes {
      let count = Numbers.of(moves.usual.count, "model")
      try confirmation.agree("Store the prices of \(count) from '\(source)'?", option: "--yes")
    }
    let (agreed, failures) = try agreed(to: moves.unaccepted, asks ? confirmation : nil)
    let stored = moves.usual.union(moves.accepted).union(agreed)
    let kept = changes.filter { stored.contains($0.model) }
    if !kept.isEmpty {
      try table.store(kept, in: PriceFile(session.directories), over: catalogue, on: today)
    }
    defer { for failure in failures { session.fail(failure) } }
    if !asks && !needsYes {
      try session.write(
        changes.map { change in change.with { $0.kept = stored.contains($0.model) } })
    } else if !stored.isEmpty {
      session.diagnostics.report("stored the prices of \(Numbers.of(stored.count, "model"))")
    }
  }

  /// Returns the models whose tenfold price change the user accepts, and a failure for each of the
  /// others.
  ///
  /// - Throws: `Interrupted` if the user interrupts a question.
  private func agreed(
    to moves: [(model: String, move: String)], _ confirmation: Confirmation?
  ) throws(Failure) -> (models: [String], failures: [Failure]) {
    var models: [String] = []
    var failures: [Failure] = []
    for (model, move) in moves {
      do throws(Failure) {
        try agree(to: move, of: model, confirmation)
        models.append(model)
      } catch {
        guard error.code != .interrupted else { throw error }
        failures.append(error)
      }
    }
    return (models, failures)
  }

  /// Asks the user to accept the given tenfold price change by typing the model's name.
  private func agree(
    to move: String, of model: String, _ confirmation: Confirmation?
  ) throws(Failure) {
    guard let confirmation else {
      throw Failure(
        .conflict,
        "not stored: the price of '\(model)' is ten times the price in force or the built-in "
          + "price, or a tenth",
        kind: .tenfold, input: model, nextStep: "use --accept \(model)")
    }
    do throws(Failure) {
      try confirmation.agree(
        "The price of '\(model)' changes tenfold, or differs tenfold from the built-in price: "
          + move, word: model, option: "--accept \(model)")
    } catch {
      throw error.at(model)
    }
  }
}

/// The changed models, grouped by the consent that they need.
private struct PriceMoves {
  /// The models without a tenfold price change.
  var usual: Set<String> = []
  /// The models whose tenfold price change an option accepts.
  var accepted: Set<String> = []
  /// The models whose tenfold price change is not yet accepted, each with a description of the
  /// change.
  var unaccepted: [(model: String, move: String)] = []

  init(_ changes: [PriceChange], accepted names: [String]) {
    let models = Dictionary(grouping: changes, by: \.model)
    for (model, changes) in models.sorted(by: { $0.key < $1.key }) {
      let tenfold = changes.filter(\.tenfold)
      if tenfold.isEmpty {
        usual.insert(model)
      } else if changes.contains(where: { names.contains($0.name) || names.contains(model) }) {
        accepted.insert(model)
      } else {
        unaccepted.append((model, tenfold.flatMap(\.moves).joined(separator: "; ")))
      }
    }
  }
}

extension FailureKind {
  /// The kind of a failure about a price that changed by a factor of ten or more.
  static let tenfold = Self(rawValue: "tenfold")
}
