import ArgumentParser
import Command
import Core
import OAuth
import Tools

struct LogIn: Tool {
  static let configuration = verbConfiguration("login", abstract: "Log in at a server")

  @Argument(help: "The source, such as mcp:tracker.", completion: .toolSources)
  var source: String
  @Flag(help: "Print the address of the page, and read the address of the redirect.")
  var noBrowser = false
  @OptionGroup var sources: SourceOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    if let toolkit = source.split(separator: ":", maxSplits: 1).last, source.hasPrefix("composio:")
    {
      return try await session.connect(String(toolkit), with: sources, hasBrowser: !noBrowser)
    }
    let browser: OAuthBrowser =
      noBrowser
      ? .elsewhere {
        session.diagnostics.report("log in at \($0)")
      } read: {
        () async throws(Failure) in
        try await session.redirect()
      } : .local { session.show(page: $0) }
    try await session.withTools(sources) { (toolbox) async throws(Failure) in
      try await toolbox.logIn(to: source, with: browser, session.interruption)
    }
    session.diagnostics.report("logged in: \(Visible.line(source))")
  }
}

struct LogOut: Tool {
  static let configuration = verbConfiguration("logout", abstract: "Delete the login at a server")

  @Argument(help: "The source, such as mcp:tracker.", completion: .toolSources)
  var source: String
  @OptionGroup var sources: SourceOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let isRevoked = try await session.withTools(sources) { (toolbox) async throws(Failure) in
      try await toolbox.logOut(of: source)
    }
    session.diagnostics.report(
      "logged out: \(Visible.line(source))" + (isRevoked ? "" : " (the server revoked nothing)"))
  }
}

extension Session {
  /// Shows the page at which a person connects an account to the given toolkit of Composio, and
  /// waits for the person if there is a browser.
  fileprivate func connect(
    _ toolkit: String, with sources: SourceOptions, hasBrowser: Bool
  ) async throws(Failure) {
    try await withTools(sources) { (toolbox) async throws(Failure) in
      try await toolbox.connectComposio(toolkit, waits: hasBrowser) { page in
        if hasBrowser { show(page: page) } else { diagnostics.report("log in at \(page)") }
      }
    }
    if hasBrowser { diagnostics.report("logged in: composio:\(Visible.line(toolkit))") }
  }

  /// Reads the address to which the browser was redirected, a line of stdin; nil if there is none.
  fileprivate func redirect() async throws(Failure) -> String? {
    diagnostics.report("enter the address that the browser shows at the end:")
    return try await Blocking("redirect").run { [self] () throws(Failure) in
      var lines = LineReader(interruption: interruption)
      guard let bytes = try lines.next()?.bytes else { return nil }
      return String(validating: bytes, as: UTF8.self)
    }
  }
}
