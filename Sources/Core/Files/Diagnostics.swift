import Foundation
import Synchronization

/// The messages of a tool that are not its output.
///
/// They are failures and warnings on stderr, a progress line on a terminal, and breadcrumbs for
/// later fault analysis.
public final class Diagnostics: Sendable {
  /// The part of the program a breadcrumb comes from.
  public enum Category: String, Codable, Sendable, CaseIterable {
    case ui, ws, api, terminal, push, storage, http, provider
  }

  private struct State {
    var tool = "agentpipes"
    var isVerbose = false
    var printsTimings = false
    var breadcrumbs: String?
    var progressWidth: Int? = 0
    var beforePrinting: (@Sendable () -> String)?
    /// The sentences already printed that may be printed only once.
    var printed: Set<String> = []
  }

  /// The process's only instance.
  public static let shared = Diagnostics()

  /// `true` if stderr is a terminal.
  public let isTerminal = isatty(2) == 1
  /// The size in bytes at which the breadcrumbs file is rotated.
  private static let maximumBreadcrumbBytes = 1 << 20

  private let state = Mutex(State())

  private init() {}

  /// Sets the tool's name and the verbosity.
  ///
  /// - Parameters:
  ///   - tool: The name that begins each line.
  ///   - isVerbose: `true` to print breadcrumbs on stderr too.
  ///   - printsTimings: `true` to print durations.
  ///   - stateDirectory: The folder of `breadcrumbs.ndjson`; nil writes no file.
  public func configure(
    tool: String, isVerbose: Bool, printsTimings: Bool, stateDirectory: String?
  ) {
    state.withLock { state in
      state.tool = tool
      state.isVerbose = isVerbose
      state.printsTimings = printsTimings
      state.breadcrumbs = stateDirectory
    }
  }

  /// Prints the given failure as `tool: input: explanation; next step`.
  public func report(_ failure: Failure) {
    let isNamed = failure.input.map { failure.explanation.contains("'\($0)'") } ?? true
    let place = isNamed ? "" : failure.input.map { $0 + ": " } ?? ""
    let cause = failure.cause.map { failure.explanation.contains($0) ? "" : " (\($0))" } ?? ""
    report("\(place)\(failure.explanation)\(cause); \(failure.action)")
    store(
      Category(failure.code.category),
      "\(failure.code.rawValue): \(place + failure.storedExplanation)")
  }

  /// Sets a function that runs before each line, and returns what moves the cursor to its start.
  public func beforePrinting(_ action: @escaping @Sendable () -> String) {
    state.withLock { $0.beforePrinting = action }
  }

  /// Prints the given sentence, such as a warning, on one line.
  ///
  /// If a person decides on it, it is shown as written, and only known secrets are masked.
  public func report(_ sentence: String, asWritten: Bool = false) {
    let start = state.withLock { $0.beforePrinting }?() ?? ""
    let text = asWritten ? Visible.text(Secrets.redacted(sentence)) : clean(sentence)
    state.withLock { show(clearing(&$0) + start + "\($0.tool): \(text)\n") }
  }

  /// Reports the given notice from a library.
  public func report(_ notice: Notice) {
    switch notice {
    case .sentence(let sentence): report(sentence)
    case .once(let sentence):
      if state.withLock({ $0.printed.insert(sentence).inserted }) { report(sentence) }
    case .detail(let category, let message, let sentence):
      if isTerminal, let sentence { report(sentence) } else { record(category, message) }
    case .progress(let text): progress(text)
    case .verbose(let line): if state.withLock({ $0.isVerbose }) { report(line) }
    case .timing(let step, let seconds): timing(step, seconds: seconds)
    }
  }

  /// Shows the given text as the progress line on a terminal; an empty text clears the line.
  public func progress(_ text: String) {
    guard isTerminal, state.withLock({ $0.progressWidth != nil }) else { return }
    let start = text.isEmpty ? "" : state.withLock { $0.beforePrinting }?() ?? ""
    state.withLock { state in
      let line = clean(text).prefix(max(0, min(79, start.count - 1)))
      show(clearing(&state) + start + line)
      // From the first record on, the next program of a pipeline uses the terminal.
      let isOver = text.isEmpty && lseek(1, 0, SEEK_CUR) < 0 && isatty(1) == 0
      state.progressWidth = isOver ? nil : line.count
    }
  }

  /// Prints the given trusted lines unchanged, including escape sequences.
  public func draw(_ lines: [String]) {
    let start = state.withLock { $0.beforePrinting }?() ?? ""
    state.withLock { show(clearing(&$0) + start + lines.map { $0 + "\n" }.joined()) }
  }

  /// Prints the duration of the given step, if the user requested timings.
  public func timing(_ step: String, seconds: Double) {
    guard state.withLock({ $0.printsTimings }) else { return }
    report("timing: \(step) \(String(format: "%.3f", seconds)) s")
  }

  /// Records the given message in `breadcrumbs.ndjson`, and on stderr too if the output is verbose.
  ///
  /// A breadcrumb that cannot be written is dropped.
  public func record(_ category: Category, _ message: String) {
    if state.withLock({ $0.isVerbose }) { report("\(category.rawValue): \(message)") }
    store(category, message)
  }

  private func store(_ category: Category, _ message: String) {
    let (folder, tool) = state.withLock { ($0.breadcrumbs, $0.tool) }
    guard let folder, (try? Directories.make(folder)) != nil else { return }
    let crumb = Breadcrumb(
      at: .now, category: category, message: clean(message), process: getpid(), tool: tool)
    guard let line = try? RecordJSON.line(of: crumb) else { return }
    append(line + [0x0A], to: folder + "/breadcrumbs.ndjson")
  }

  private func append(_ line: [UInt8], to path: String) {
    let file = Descriptor(open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600))
    guard file.isOpen else { return }
    if let status = file.status(), Int(status.st_size) > Self.maximumBreadcrumbBytes {
      // If two processes rename, the second replaces the old breadcrumbs; nothing else is lost.
      rename(path, path + ".1")
    }
    // A lost breadcrumb is not a failure.
    _ = file.write(line)
  }

  private func clean(_ text: String) -> String { Visible.line(Secrets.shown(text)) }

  private func clearing(_ state: inout State) -> String {
    guard let width = state.progressWidth, width > 0 else { return "" }
    state.progressWidth = 0
    return "\r" + String(repeating: " ", count: width) + "\r"
  }

  private func show(_ text: String) {
    guard !text.isEmpty else { return }
    // A failed write to stderr cannot be reported anywhere.
    _ = text.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
  }
}

extension Diagnostics.Category {
  /// Creates the breadcrumb category for the given category of failures.
  fileprivate init(_ category: FailureCategory) {
    switch category {
    case .network: self = .http
    case .authentication, .model, .response: self = .provider
    case .storage: self = .storage
    case .tool: self = .api
    case .conversation, .input: self = .ui
    }
  }
}

/// One line of `breadcrumbs.ndjson`.
private struct Breadcrumb: Encodable {
  var at: Timestamp
  var category: Diagnostics.Category
  var message: String
  var process: Int32
  var tool: String
}
