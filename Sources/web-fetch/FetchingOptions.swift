import ArgumentParser
import Command
import Fetching

/// How pages are asked for.
struct FetchingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Give a page up after so long; 15 s.", valueName: "time"))
  var timeout: Seconds?
  @Option(help: "Fetch so many pages at once.")
  var parallel = 32
  @Flag(help: "Fetch from private and loopback addresses too.")
  var allowPrivate = false

  func validate() throws {
    guard (1...1000).contains(parallel) else {
      throw ValidationError("--parallel must be between 1 and 1000.")
    }
  }

  func apply(to options: inout FetchOptions) {
    options.timeoutSeconds = timeout?.value ?? options.timeoutSeconds
    options.allowPrivate = allowPrivate
  }
}
