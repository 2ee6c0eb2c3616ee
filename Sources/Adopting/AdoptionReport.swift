public import CodingAgents
public import Core
import Foundation
public import Processes

/// A report on the files of agents and on their sessions, which changes nothing.
public struct AdoptionReport {
  private let environment: [String: String]
  private let directories: Directories
  private let table: any ProcessTable

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - environment: The environment, whose variables may move the sessions.
  ///   - directories: The directories of the positions.
  ///   - table: The processes of the system.
  public init(
    environment: [String: String], directories: Directories,
    table: any ProcessTable = SystemProcesses()
  ) {
    (self.environment, self.directories, self.table) = (environment, directories, table)
  }

  /// Returns a record for each of the given programs.
  ///
  /// - Parameters:
  ///   - agents: The programs.
  ///   - fail: Receives a failure for each folder that cannot be read.
  /// - Returns: The records, in the order of the programs.
  /// - Throws: What `fail` throws.
  public func records(
    of agents: [CodingAgent], onFailure fail: (Failure) throws(Failure) -> Void
  ) throws(Failure) -> [Adoption] {
    let sessions = AdoptedFiles(directories).all(AdoptedSession.self, "sessions")
    var finder = ProcessFinder(table, environment: environment)
    finder.refresh(Set(agents), guessing: true)
    let isFollowed = FileLock.isHeld("\(directories.state)/\(Adopter.lock)")
    var records: [Adoption] = []
    for agent in agents {
      let places = SessionPlaces(agent, environment: environment)
      var record = Adoption(
        agent: agent.rawValue, places: places.roots, tried: agent.triedVersions,
        followed: isFollowed)
      record.files = try files(places, onFailure: fail)
      add(sessions.filter { $0.key.agent == agent }, to: &record, finder)
      records.append(record)
    }
    return records
  }

  private func files(
    _ places: SessionPlaces, onFailure fail: (Failure) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    do throws(Failure) {
      return try places.sources(in: nil, onFailure: fail).reduce(0) { count, source in
        if case .transcripts(let files) = source { count + files.count } else { count + 1 }
      }
    } catch {
      // Not every agent is in use.
      guard error.code == .notFound else { throw error }
      return 0
    }
  }

  private func add(
    _ sessions: [AdoptedSession], to record: inout Adoption, _ finder: ProcessFinder
  ) {
    record.sessions = sessions.count
    record.versions = Set(sessions.compactMap { $0.facts.version.map(Visible.line) }).sorted()
    for session in sessions {
      record.unknownEntries.merge(session.unknown) { $0 + $1 }
      record.unreadable += session.unreadable
    }
    let open = sessions.filter { $0.run != nil }.latestFirst
    let processes = finder.processes(of: open.map(ProcessFinder.Sought.init))
    record.active = processes.values.count { $0.certainty != .none }
    record.certain = processes.values.count { $0.certainty == .certain }
  }
}
