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
    <p>It collects what agents report. It shows nothing in a browser yet. To watch your agents here, end the hub, and in a terminal
    on its machine type:</p>
    <pre>hub-serve --page</pre>
    <p>Then type this in another terminal, and open the link that it shows:</p>
    <pre>pair page</pre>
    <p>Other machines read the hub without a page. There, type these, with the address of this page as URL, and with the CODE
    that <code>hub-serve register-code</code> shows on the hub's machine:</p>
    <pre>
    pair register URL --code CODE     lets this machine in
    agent-stat --hub URL              shows swarms, agents and incidents
    stream-tail --follow --hub URL    shows events as they come
    </pre>
    <p><code>pair start</code> shows a QR code for the app on a phone. <code>man hub-serve</code> explains the rest.</p>
    </body>
    </html>

    """
}
