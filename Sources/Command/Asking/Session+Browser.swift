import Core
import Processes

extension Session {
  /// Prints the address of the given page of a login, and opens it in the user's browser.
  public func show(page: String) {
    diagnostics.report("log in at \(page)")
    browse(page)
  }

  /// Opens the given page in the user's browser: `$BROWSER`, or xdg-open(1) at a terminal.
  public func browse(_ page: String) {
    guard let browser = environment["BROWSER"] ?? (isOnTerminal ? "xdg-open" : nil) else { return }
    // The browser may run for a long time. If none starts, the shown address is enough.
    Task { [environment] in
      _ = try? await Blocking("browser").run {
        try ChildProcess.run([browser, page], environment: .whole(environment))
      }
    }
  }
}
