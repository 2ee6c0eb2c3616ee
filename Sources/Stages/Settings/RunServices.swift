public import Core
public import Fetching
public import Pipelines
public import Providers
public import Requests
public import Storage

/// The services that every run needs: the store, the models, and the event log.
public struct RunServices: Sendable {
  /// A closure that emits a record to the output of the run.
  public typealias Emit = @Sendable (any StreamRecord) throws(Failure) -> Void
  /// A closure that waits for the decision about a result; it returns nil if nobody can decide
  /// here.
  public typealias Decide =
    @Sendable (ApprovalGate, Artifact) async throws(Failure) -> ApprovalGate?
  /// A closure that returns a reader of pages.
  ///
  /// Its argument is `true` to allow private addresses.
  public typealias Fetcher = @Sendable (_ allowPrivate: Bool) -> PageFetcher

  /// A closure that starts to apply control requests to the agents of this process.
  ///
  /// Each request is answered with its outcome. The closure that it returns ends this.
  public typealias Steer =
    @Sendable ([Runner], @escaping @Sendable (PendingControl) -> ControlOutcome) ->
    @Sendable () async -> Void

  let store: Store
  let directories: Directories
  let models: ModelAccess
  let fetcher: Fetcher
  /// The log of run events.
  let events: RunEvents
  /// A receiver of notices for the user.
  let report: NoticeHandler
  /// `true` to emit pieces of answers as they arrive.
  public var streamsDeltas = false
  /// `true` to emit a record when a model thinks before its answer begins.
  public var tellsThinking = false
  /// The closure that waits for approval.
  ///
  /// By default, nobody approves.
  public var decide: Decide = { (_, _) in nil }
  /// The closure that starts to apply control requests; nil to take requests from the store.
  public var steer: Steer?
  /// The receiver of the run's records.
  public var emit: Emit = { _ in }

  /// Creates services for runs.
  ///
  /// - Parameters:
  ///   - store: The store of plans and results.
  ///   - directories: The directories that contain the store and the locks.
  ///   - models: The available models.
  ///   - events: The log of run events.
  ///   - report: Receives notices for the user.
  ///   - fetcher: Returns a reader for the pages that researchers use.
  public init(
    store: Store, directories: Directories, models: ModelAccess, events: RunEvents,
    report: @escaping NoticeHandler, fetcher: @escaping Fetcher
  ) {
    self.store = store
    self.directories = directories
    self.models = models
    self.fetcher = fetcher
    self.events = events
    self.report = report
  }
}
