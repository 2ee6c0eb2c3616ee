import Core
import HTTPTypes
import HummingbirdCore

/// The page that a browser shows for the address of a hub that serves no page for browsers.
///
/// It is a short text, not an application. It contains nothing from the request, and may neither
/// load resources nor run scripts.
enum FrontPage {
  static let route = HubRoute.get("/", for: .everybody) { (request) async throws(Failure) in
    try check(request)
    var answer = HubAnswer(Array(text.utf8), contentType: "text/html; charset=utf-8")
    answer.fields = [
      (
        .contentSecurityPolicy,
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      ),
      (.xContentTypeOptions, "nosniff"), (.vary, "Accept"),
    ]
    return answer
  }

  /// Checks that the given request for `/` was sent by a browser.
  ///
  /// - Throws: `NotFound` if its sender does not show documents.
  static func check(_ request: HubRequest) throws(Failure) {
    let accepted = request.request.headers[.accept]?.lowercased() ?? ""
    guard accepted.contains("text/html") else {
      throw Failure(.notFound, "there is no GET '/'", status: 404, input: "/")
    }
  }

  private static let text = """
    <!doctype html>
    <html lang="en">
    <head><meta charset="utf-8"><title>agentpipes hub</title></head>
    <body>
    <h1>This is an agentpipes hub</h1>
    <p>It collects the events of agents. Tools read it; with <code>hub-serve --page</code> it has pages for a browser.
    In place of URL, type the address of this page:</p>
    <pre>
    pair register URL --code CODE     lets this machine in
    agent-stat --hub URL              shows swarms, agents and incidents
    stream-tail --follow --hub URL    shows events as they come
    </pre>
    <p>On the hub's machine, <code>hub-serve register-code</code> shows a CODE, and
    <code>pair start</code> shows a QR code for a phone. The page of the manual is
    <code>man hub-serve</code>.</p>
    </body>
    </html>

    """
}
