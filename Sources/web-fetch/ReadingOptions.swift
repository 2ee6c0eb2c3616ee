public import ArgumentParser
import Command
import Core
import Fetching
public import Reading

/// The options that control which text is extracted from pages.
struct ReadingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Limit of the text; 0 for none.", valueName: "characters"))
  var maxCharacters = 8000
  @Option(help: ArgumentHelp("Skip this many characters.", valueName: "characters"))
  var offset = 0
  @Option(help: ArgumentHelp("Write only this form.", valueName: "format"))
  var format: ReadOptions.Format?
  @Option(help: ArgumentHelp("Keep only elements that match this selector.", valueName: "css"))
  var select: String?
  @Flag(help: "Keep the whole page, with its navigation.")
  var whole = false
  @Flag(help: ArgumentHelp("Keep hidden text, and mark it.", visibility: .hidden))
  var showHidden = false
  @Flag(help: "Include images in Markdown.")
  var images = false
  @Flag(help: "Write feed and sitemap entries as 'url' records.")
  var expand = false
  @Flag(help: "Read files, or one document on stdin, as HTML.")
  var html = false
  @Option(
    help: ArgumentHelp("Read the files listed in this file, or in '-'.", valueName: "list"),
    completion: .file())
  var files: String?
  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: ArgumentHelp("Paths in the list end with NUL.", visibility: .hidden))
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
