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
  ///   - areDocuments: Whether stdin, too, is a document and not a list of URLs.
  public init(operands: [String], hasList: Bool, areDocuments: Bool = false) {
    guard !areDocuments else {
      readsInput = false
      let isInput = operands.isEmpty && !hasList
      paths = isInput ? [Self.input] : operands.map { $0 == "-" ? Self.input : $0 }
      return
    }
    readsInput = operands == ["-"] || operands.isEmpty && !hasList
    guard !readsInput else { return }
    paths = operands.filter { !$0.contains("://") }
    urls = operands.filter { $0.contains("://") }
  }

  /// What stdin is called as a file.
  public static let input = "/dev/stdin"

  /// Whether anything is fetched over the network.
  public var fetches: Bool { readsInput || !urls.isEmpty }
}
