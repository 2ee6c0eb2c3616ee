public import ArgumentParser
import Command
import Core
import Fetching
public import Reading

/// The options for the text that is extracted from pages.
struct ReadingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Cut the text there; 0 keeps all.", valueName: "characters"))
  var maxCharacters = 8000
  @Option(help: ArgumentHelp("Pass over the start of the text.", valueName: "characters"))
  var offset = 0
  @Option(help: ArgumentHelp("Keep one: text or markdown.", valueName: "format"))
  var format: ReadOptions.Format?
  @Option(help: ArgumentHelp("Keep the elements that a CSS selector names.", valueName: "css"))
  var select: String?
  @Flag(help: "Keep navigation and all.")
  var whole = false
  @Flag(help: "Keep hidden text, marked.")
  var showHidden = false
  @Flag(help: "Name images in Markdown.")
  var images = false
  @Flag(help: "Write the entries of feeds and sitemaps as url records.")
  var expand = false
  @Flag(help: "Read files, and '-' or nothing as a document on stdin, as HTML.")
  var html = false
  @Option(
    help: ArgumentHelp("Read the files named there; '-' is stdin.", valueName: "list"),
    completion: .file())
  var files: String?
  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: ArgumentHelp("A NUL ends each path in the list.", visibility: .hidden))
  var null = false

  func validate() throws {
    guard maxCharacters >= 0 else {
      throw ValidationError("--max-characters must not be negative.")
    }
    guard offset >= 0 else { throw ValidationError("--offset must not be negative.") }
    guard !null || files != nil else { throw ValidationError("--null needs --files.") }
    guard let select else { return }
    guard !whole else { throw ValidationError("--select and --whole exclude each other.") }
    do {
      try Reader.check(selector: select)
    } catch {
      throw ValidationError("--select: \(error.explanation).")
    }
  }

  func apply(to options: inout FetchOptions) {
    options.reading.maximumCharacters = maxCharacters
    options.reading.offset = offset
    options.reading.format = format
    options.reading.selector = select
    options.reading.isWhole = whole
    options.reading.showsHidden = showHidden
    options.reading.keepsImages = images
    guard html else { return }
    options.fileType = "text/html"
    // The size limit of fetched pages does not apply to a document on stdin.
    options.maximumDecodedBytes = 1 << 30
    options.reading.deadlineSeconds = 600
  }
}

extension ReadOptions.Format: ExpressibleByArgument {}
