/// The sources that pages are read from: files, URLs or stdin.
public struct PageSources: Sendable, Equatable {
  /// The operands that are files.
  public var paths: [String] = []
  /// The operands that are URLs.
  public var urls: [String] = []
  /// `true` if URLs are read from stdin.
  public var readsInput: Bool

  /// Classifies the given operands.
  ///
  /// An operand that contains `://` is a URL. The operand `-`, or no operand, means stdin.
  ///
  /// - Parameters:
  ///   - operands: The operands of the command.
  ///   - hasList: `true` if a list of files was given as well.
  ///   - areDocuments: `true` if stdin is a document and not a list of URLs.
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

  /// The path that stands for stdin.
  public static let input = "/dev/stdin"

  /// `true` if at least one page is fetched over the network.
  public var fetches: Bool { readsInput || !urls.isEmpty }
}
