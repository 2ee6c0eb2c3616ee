/// Where pages come from: files, URLs, or stdin.
public struct PageSources: Sendable, Equatable {
  /// The operands that are files.
  public var paths: [String] = []
  /// The operands that are URLs.
  public var urls: [String] = []
  /// Whether stdin is read for URLs.
  public var readsInput: Bool

  /// Sorts a command's operands: what holds `://` is a URL; `-`, or nothing at all, is stdin.
  ///
  /// - Parameters:
  ///   - operands: As they were given.
  ///   - hasList: Whether a list of files was given besides.
  public init(operands: [String], hasList: Bool) {
    readsInput = operands == ["-"] || operands.isEmpty && !hasList
    guard !readsInput else { return }
    paths = operands.filter { !$0.contains("://") }
    urls = operands.filter { $0.contains("://") }
  }

  /// Whether anything is fetched over the network.
  public var fetches: Bool { readsInput || !urls.isEmpty }
}
