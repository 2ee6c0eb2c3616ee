public import Core
public import Fetching
public import Pipelines
public import Providers
public import Requests
public import Storage

/// What every run needs: where things are kept, who is asked, and who is told.
public struct RunServices: Sendable {
  /// Hands a record to whoever reads the run.
  public typealias Emit = @Sendable (any StreamRecord) throws(Failure) -> Void
  /// Waits for a decision about an artifact; nil when there is nobody to wait for here.
  public typealias Decide =
    @Sendable (ApprovalGate, Artifact) async throws(Failure) -> ApprovalGate?
  /// Reads pages, those on private addresses too if that is allowed.
  public typealias Fetcher = @Sendable (_ allowPrivate: Bool) -> PageFetcher

  /// Lets people steer agents of this process until what it gives is called; what is asked is answered
  /// by what it comes to.
  public typealias Steer =
    @Sendable ([Runner], @escaping @Sendable (PendingControl) -> ControlOutcome) ->
    @Sendable () async -> Void

  let store: Store
  let directories: Directories
  let models: ModelAccess
  let fetcher: Fetcher
  /// Is told what happens.
  let events: RunEvents
  /// Takes notices for the person who runs the tool.
  let note: Note
  /// Whether pieces of answers are emitted as they arrive.
  public var streamsDeltas = false
  /// Whether it is emitted that a model thinks and says nothing yet.
  public var tellsThinking = false
  /// Waits for approval; nobody approves unless this is set.
  public var decide: Decide = { (_, _) in nil }
  /// Lets people steer; those who ask by the store, unless this is set.
  public var steer: Steer?
  /// Takes the records of the run.
  public var emit: Emit = { _ in }

  /// Puts together what runs need.
  ///
  /// - Parameters:
  ///   - store: Where plans and results are kept.
  ///   - directories: Where the store and the locks are.
  ///   - models: Who is asked.
  ///   - events: Is told what happens.
  ///   - note: Takes notices for the person who runs the tool.
  ///   - fetcher: Reads pages for researchers.
  public init(
    store: Store, directories: Directories, models: ModelAccess, events: RunEvents,
    note: @escaping Note, fetcher: @escaping Fetcher
  ) {
    self.store = store
    self.directories = directories
    self.models = models
    self.fetcher = fetcher
    self.events = events
    self.note = note
  }
}
