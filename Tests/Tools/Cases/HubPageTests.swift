import Foundation
import TestSupport
import Testing

/// The hub's page, as a program asks for it; browse-hub.sh asks with a browser.
@Suite("the page of a hub")
struct HubPageTests {
  /// A public key of Ed25519 (RFC 8032, section 7.1).
  private static let key = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="

  static func withPage(
    configuration: String = "", _ body: (Scratch) async throws -> Void
  ) async throws {
    try await Scratch.withHub(preparing: { scratch in
      try scratch.write(
        "home/config/config.toml", "[serve]\npage = true\n\(configuration)")
    }) { scratch, _ in try await body(scratch) }
  }

  /// Signs a browser in, whose cookie is then in `COOKIE`; the token of its forms is in `FORM`.
  static func signIn(_ scratch: Scratch, _ options: String = "") async throws {
    let link = try await scratch.shell("pair page \(options) | jq -r .url")
    let url = link.output.trimmingCharacters(in: .newlines)
    let code = url.split(separator: "=").last.map(String.init) ?? ""
    let run = try await scratch.shell(
      "curl -si -H \"Origin: $HUB\" -d code=\(code) $HUB/page/sign-in | tr -d '\\r' | sed -n 's/^Set-Cookie: //p'"
    )
    let cookie = run.output.prefix { $0 != ";" }
    #expect(cookie.contains("=ap1l_"), "\(link.errors) \(run.output)")
    scratch.set("COOKIE", String(cookie))
    let form = try await scratch.shell(
      "curl -s -b \"$COOKIE\" $HUB/page/device | sed -n 's/.*name=\"token\" value=\"\\([^\"]*\\)\".*/\\1/p'"
    )
    scratch.set("FORM", form.output.trimmingCharacters(in: .newlines))
  }

  /// Opens a gate and returns its id.
  static func gate(_ scratch: Scratch) async throws -> String {
    let run = try await scratch.shell(
      "curl -s -H \"$AUTH\" -d '{\"summary\":\"go?\"}' $HUB/v1/approval-gates | jq -r .gateId")
    return run.output.trimmingCharacters(in: .newlines)
  }

  /// Returns the status of an answer.
  static func status(_ scratch: Scratch, _ words: String) async throws -> Int? {
    let run = try await scratch.shell("curl -s -o answer -w '%{http_code}' \(words)")
    return Int(run.output)
  }

  @Test func `a link signs one browser in, and its press alone`() async throws {
    try await Self.withPage { scratch in
      let run = try await scratch.shell("pair page --name wall --scope read | jq -r .url")
      let url = run.output.trimmingCharacters(in: .newlines)
      #expect(url.hasPrefix("\(scratch.environment["HUB"] ?? "")/page/sign-in?code="))
      for _ in 1...3 {
        let shown = try await scratch.shell("curl -si '\(url)'")
        #expect(shown.output.contains("Sign in</button>") && !shown.output.contains("Set-Cookie"))
      }
      let code = url.split(separator: "=").last ?? ""
      let press = "curl -si -H \"Origin: $HUB\" -d code=\(code) $HUB/page/sign-in | tr -d '\\r'"
      let first = try await scratch.shell(press).output
      #expect(first.hasPrefix("HTTP/1.1 303") && first.contains("\nLocation: /page\n"))
      let cookie = first.split(separator: "\n").first { $0.hasPrefix("Set-Cookie: ") } ?? ""
      #expect(
        cookie.contains(
          /^Set-Cookie: agentpipes-\d+=ap1l_[\w-]{43}; Path=\/page; Max-Age=34560000; HttpOnly; SameSite=Lax$/
        ))
      let second = try await scratch.shell(press).output
      #expect(second.hasPrefix("HTTP/1.1 400") && !second.contains("Set-Cookie"))
      #expect(second.contains("the link was used or replaced, or is older than five minutes"))
      let device = try #require(try await scratch.shell("hub-serve devices").records.first)
      #expect(device["name"] == "wall" && device["scope"] == "read" && device["via"] == "page")
      // The store holds neither the code nor the token.
      let token = cookie.prefix { $0 != ";" }.split(separator: "=").last ?? ""
      let found = try await scratch.shell("cat ../home/data/* | grep -c -e \(token) -e \(code)")
      #expect(found.output == "0\n")
    }
  }

  @Test func `a cookie opens the page alone`() async throws {
    try await Self.withPage { scratch in
      try await Self.signIn(scratch)
      #expect(try await Self.status(scratch, "-b \"$COOKIE\" $HUB/page") == 200)
      #expect(try await Self.status(scratch, "$HUB/page") == 401)
      #expect(try await Self.status(scratch, "-b \"${COOKIE}x\" $HUB/page") == 401)
      #expect(try await Self.status(scratch, "-H \"$AUTH\" $HUB/page") == 401)
      for path in ["overview", "events", "stream", "approval-gates"] {
        #expect(try await Self.status(scratch, "-b \"$COOKIE\" $HUB/v1/\(path)") == 401)
        let bearer = "-H \"Authorization: Bearer ${COOKIE#*=}\""
        #expect(try await Self.status(scratch, "\(bearer) $HUB/v1/\(path)") == 401)
      }
      for path in ["", "/incidents/x", "/nothing"] {
        #expect(
          try await Self.status(scratch, "-b \"agentpipes-1=${COOKIE#*=}\" $HUB/page\(path)")
            == (path == "/nothing" ? 404 : 401))
      }
      #expect(try await Self.status(scratch, "-b \"$COOKIE\" $HUB/page/incidents/x") == 404)
      #expect(try await Self.status(scratch, "-X DELETE -b \"$COOKIE\" $HUB/page") == 405)
    }
  }

  @Test func `a cookie that another port set does not lock a browser out`() async throws {
    try await Self.withPage { scratch in
      try await Self.signIn(scratch)
      let name = "${COOKIE%%=*}"
      for tossed in ["x", "ap1l_\(String(repeating: "A", count: 43))", "${COOKIE#*=}x"] {
        for fields in [
          "-b \"\(name)=\(tossed); $COOKIE\"", "-b \"$COOKIE; \(name)=\(tossed)\"",
          "-H \"Cookie: \(name)=\(tossed)\" -H \"Cookie: $COOKIE\"",
        ] {
          #expect(try await Self.status(scratch, "\(fields) $HUB/page") == 200, "\(fields)")
        }
        #expect(try await Self.status(scratch, "-b \"\(name)=\(tossed)\" $HUB/page") == 401)
      }
      let id = try await Self.gate(scratch)
      #expect(
        try await Self.status(
          scratch,
          "-b \"\(name)=x; $COOKIE\" -H \"Origin: $HUB\" -d decision=approve --data-urlencode \"token=$FORM\" $HUB/page/gates/\(id)"
        ) == 200)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root may ask as another user"))
  func `another user of the machine has no use of a browser's cookie`() async throws {
    let public_url = "public_url = 'https://hub.example.org'\n"
    try await Self.withPage(configuration: public_url) { scratch in
      let other = "setpriv --reuid=65534 --regid=65534 --clear-groups -- "
      let status = "curl -s -o /dev/null -w '%{http_code}'"
      let proxied = "-H 'Host: hub.example.org'"
      func link() async throws -> String {
        let url = try await scratch.shell("pair page | jq -r .url").output
        return String(url.trimmingCharacters(in: .newlines).split(separator: "=").last ?? "")
      }
      let press = "\(status) -H \"Origin: $HUB\" $HUB/page/sign-in -d code="
      let code = try await link()
      #expect(try await scratch.shell(other + press + code).output == "401")
      let run = try await scratch.shell(
        "curl -si -H \"Origin: $HUB\" -d code=\(code) $HUB/page/sign-in | sed -n 's/^Set-Cookie: \\([^;]*\\).*/\\1/p'"
      )
      scratch.set("COOKIE", run.output.trimmingCharacters(in: .newlines))
      let page = "\(status) -b \"$COOKIE\" $HUB/page"
      #expect(try await scratch.shell(page).output == "200")
      #expect(try await scratch.shell(other + page).output == "401")
      let said = try await scratch.shell(
        "\(other)curl -s -b \"$COOKIE\" $HUB/page | grep -o 'belongs to another user'")
      #expect(said.output == "belongs to another user\n")
      // The name of a cookie over https does not help: a proxy may be of another user, so that its
      // own cookie is accepted.
      let renamed = "\(status) \(proxied) -b \"__Host-agentpipes=${COOKIE#*=}\" $HUB/page"
      #expect(try await scratch.shell(other + renamed).output == "401")
      let secure = try await scratch.shell(
        "\(other)curl -si \(proxied) -H 'Origin: https://hub.example.org' -d code=\(try await link()) $HUB/page/sign-in | sed -n 's/^Set-Cookie: \\([^;]*\\).*/\\1/p'"
      ).output.trimmingCharacters(in: .newlines)
      #expect(secure.hasPrefix("__Host-agentpipes=ap1b_"))
      #expect(
        try await scratch.shell("\(other)\(status) \(proxied) -b '\(secure)' $HUB/page").output
          == "200")
    }
  }

  @Test(arguments: [
    ("", 403), ("-H 'Origin: http://evil.example'", 403), ("-H 'Origin: null'", 403),
    ("-H \"Origin: $HUB\" -H 'Sec-Fetch-Site: cross-site'", 403),
    ("-H 'Sec-Fetch-Site: same-site'", 403),
    (
      "-H 'Sec-Fetch-Site: cross-site' -H 'Sec-Fetch-Mode: navigate' -H 'Sec-Fetch-Dest: document'",
      403
    ),
    ("-H \"Origin: $HUB\"", 200), ("-H 'Sec-Fetch-Site: same-origin'", 200),
    ("-H \"Origin: $HUB\" -H 'Sec-Fetch-Site: none'", 200),
  ])
  func `a form is one of the hub's own page`(fields: String, wanted: Int) async throws {
    try await Self.withPage { scratch in
      try await Self.signIn(scratch)
      let id = try await Self.gate(scratch)
      let form = "-b \"$COOKIE\" -d decision=approve $HUB/page/gates/\(id) \(fields)"
      for token in ["", "--data-urlencode \"token=x$FORM\"", "-d token="] {
        #expect(try await Self.status(scratch, "\(form) \(token)") == 403)
      }
      #expect(
        try await Self.status(scratch, "\(form) --data-urlencode \"token=$FORM\"") == wanted)
      let gate = try await scratch.shell("gate-decide show \(id) | jq -r .status")
      #expect(gate.output.hasPrefix(wanted == 200 ? "approved\n" : "pending\n"))
    }
  }

  @Test func `a link of another site opens a document, and nothing else`() async throws {
    try await Self.withPage { scratch in
      try await Self.signIn(scratch)
      let link = "-b \"$COOKIE\" -H 'Sec-Fetch-Site: cross-site' -H 'Sec-Fetch-Mode: navigate'"
      let document = link + " -H 'Sec-Fetch-Dest: document'"
      for path in ["/page", "/page/gates", "/"] {
        #expect(
          try await Self.status(scratch, "-L \(document) $HUB\(path) -H 'Accept: text/html'") == 200
        )
      }
      #expect(try await Self.status(scratch, "\(document) $HUB/v1/overview") == 403)
      for dest in ["iframe", "empty", "script", ""] {
        #expect(
          try await Self.status(scratch, "\(link) -H 'Sec-Fetch-Dest: \(dest)' $HUB/page") == 403)
      }
      let fetched = "-b \"$COOKIE\" -H 'Sec-Fetch-Site: cross-site' -H 'Sec-Fetch-Mode: cors'"
      #expect(
        try await Self.status(scratch, "\(fetched) -H 'Sec-Fetch-Dest: document' $HUB/page") == 403)
    }
  }

  @Test func `each scope has its limits, and a browser ends with its device`() async throws {
    try await Self.withPage { scratch in
      try await Self.signIn(scratch, "--scope read")
      let id = try await Self.gate(scratch)
      let form = "-H \"Origin: $HUB\" -b \"$COOKIE\" --data-urlencode \"token=$FORM\""
      #expect(
        try await Self.status(scratch, "\(form) -d decision=approve $HUB/page/gates/\(id)") == 403)
      try await Self.signIn(scratch)
      #expect(
        try await Self.status(
          scratch, "\(form) -d decision=reject -d reason=short $HUB/page/gates/\(id)") == 422)
      #expect(
        try await Self.status(scratch, "\(form) -d decision=perhaps $HUB/page/gates/\(id)") == 400)
      #expect(
        try await Self.status(scratch, "\(form) -d action=pause -d reason=x $HUB/page/agents/a")
          == 403)
      // A device gives at most what it has.
      for (scope, link, wanted) in [
        ("decide", "steer", 77), ("decide", "decide", 0), ("read", "decide", 77),
        ("read", "read", 0),
        ("events", "read", 77), ("all", "steer", 0),
      ] {
        let home = scratch.path("device-\(scope)-\(link)")
        try await scratch.shell(
          "CODE=$(hub-serve register-code --scope \(scope) --name \(scope)-\(link) | jq -r .code) && AGENTPIPES_HOME=\(home) pair register $HUB --code $CODE"
        )
        let run = try await scratch.shell(
          "AGENTPIPES_HOME=\(home) pair page --hub $HUB --scope \(link)")
        #expect(run.statuses == [Int32(wanted)], "\(scope) \(link): \(run.errors)")
      }
      scratch.set("AGENTPIPES_HOME", scratch.path("device-decide-decide"))
      try await Self.signIn(scratch, "--hub $HUB")
      scratch.set("AGENTPIPES_HOME", scratch.path("home"))
      #expect(try await Self.status(scratch, "-b \"$COOKIE\" $HUB/page") == 200)
      let stream = try scratch.running("curl -sN -b \"$COOKIE\" $HUB/page/stream", input: "")
      try await scratch.until("the stream is open") { stream.output.contains(": agentpipes") }
      try await scratch.shell("hub-serve revoke decide-decide")
      #expect(await stream.ended().output.contains("DeviceRevoked"))
      #expect(try await Self.status(scratch, "-b \"$COOKIE\" $HUB/page") == 401)
      let names = try await scratch.shell(
        "hub-serve devices | jq -r 'select(.signedInBy) | .revoked'")
      #expect(names.output == "true\n")
    }
  }

  @Test func `a token of a limited scope asks what its scope allows`() async throws {
    try await Self.withPage { scratch in
      let id = try await Self.gate(scratch)
      for (scope, wanted) in [
        ("read", [200, 403, 403, 403]), ("decide", [200, 200, 403, 403]),
        ("steer", [200, 409, 404, 403]),
      ] {
        let code = "hub-serve register-code --scope \(scope) | jq -r .code"
        let body = #"{"deviceName":"d","devicePublicKey":"\#(Self.key)","code":"'$CODE'"}"#
        let granted = try await scratch.shell(
          "CODE=$(\(code)); curl -s -d '\(body)' $HUB/v1/auth/device/register | jq -r .accessToken")
        let access = granted.output.trimmingCharacters(in: .newlines)
        let auth = "-H 'Authorization: Bearer \(access)'"
        let seen = [
          try await Self.status(scratch, "\(auth) $HUB/v1/agents"),
          try await Self.status(
            scratch, "\(auth) -d '{\"decision\":\"approve\"}' $HUB/v1/approval-gates/\(id)/decision"
          ),
          try await Self.status(
            scratch,
            "\(auth) -d '{\"action\":\"pause\",\"reason\":\"x\",\"requestId\":\"\(scope)\"}' $HUB/v1/agents/a/control"
          ),
          try await Self.status(scratch, "\(auth) -d '' $HUB/v1/events"),
        ]
        #expect(seen == wanted, "\(scope)")
      }
    }
  }

  @Test func `over https the cookie is bound to the host, and records lead to the page`()
    async throws
  {
    try await Self.withPage(configuration: "public_url = 'https://hub.example.org'\n") { scratch in
      let run = try await scratch.shell("pair page | jq -r .url")
      let url = run.output.trimmingCharacters(in: .newlines)
      #expect(url.hasPrefix("https://hub.example.org/page/sign-in?code="))
      let code = url.split(separator: "=").last ?? ""
      let signedIn = try await scratch.shell(
        "curl -si -H 'Host: hub.example.org' -H 'Origin: https://hub.example.org' -d code=\(code) $HUB/page/sign-in | grep -c '^Set-Cookie: __Host-agentpipes=ap1b_.*; Secure'"
      )
      #expect(signedIn.output == "1\n")
      let id = try await Self.gate(scratch)
      let gate = try await scratch.shell(
        "curl -s -H \"$AUTH\" $HUB/v1/approval-gates/\(id) | jq -r .approvalGate.webUrl")
      let page = "https://hub.example.org/page/gates/\(id)"
      #expect(gate.output == page + "\n")
      // The tools of the machine give the same link, without the hub, and show what it leads to.
      let local = try await scratch.shell(
        "unset AGENTPIPES_HUB; gate-decide list | jq -r .webUrl; gate-decide show \(id) | jq -r .webUrl; agent-stat | jq -r '.pendingGates[0].webUrl'"
      )
      #expect(local.output == String(repeating: page + "\n", count: 3))
      let own = "\(scratch.environment["HUB"] ?? "")/page/gates/\(id)"
      for link in [page, own] {
        let opened = try await scratch.shell(
          "AGENTPIPES_HUB=http://127.0.0.1:9 link-open '\(link)' | jq -r '.gateId, .status'")
        #expect(opened.output == "\(id)\npending\n", "\(opened.errors)")
      }
    }
  }

  @Test func `new events are filtered by level, agent and words`() async throws {
    try await Self.withPage { scratch in
      try await Self.signIn(scratch)
      for (agent, level, line) in [
        ("a", "info", "one two"), ("b", "warn", "warn one two"), ("b", "warn", "warn one+two"),
      ] {
        let event =
          #"{"type":"log","ts":1772013600000,"agentId":"\#(agent)","level":"\#(level)","message":"\#(line)"}"#
        try await scratch.shell(
          "curl -s -H \"$AUTH\" --data-binary @- $HUB/v1/events", input: event)
      }
      for (query, wanted) in [
        ("", ["one two", "warn one two", "warn one+two"]),
        ("?severityGte=&agentIds=&text=", ["one two", "warn one two", "warn one+two"]),
        ("?severityGte=warn&agentIds=&text=", ["warn one two", "warn one+two"]),
        ("?severityGte=warn&agentIds=a", []), ("?agentIds=+a+&text=one+two", ["one two"]),
        ("?text=one+two", ["one two", "warn one two"]), ("?text=one%2Btwo", ["warn one+two"]),
      ] {
        let shown = try await scratch.shell(
          "curl -s -b \"$COOKIE\" \"$HUB/page/live\(query)\" | sed 's/<[^>]*>/\\n/g' | grep -o '\\(warn \\)\\?one[ +]two'"
        )
        #expect(
          shown.output.split(separator: "\n").map(String.init) == wanted, "\(query)")
      }
      let chosen = try await scratch.shell(
        "curl -s -b \"$COOKIE\" \"$HUB/page/live?severityGte=warn&agentIds=%3Cb%3E&text=x\" | grep -o '<option value=\"[a-z]*\" selected=\"\">\\|value=\"&lt;b&gt;\"\\|Show all'"
      )
      #expect(
        chosen.output
          == "<option value=\"warn\" selected=\"\">\nvalue=\"&lt;b&gt;\"\nShow all\n")
      #expect(
        try await Self.status(scratch, "-b \"$COOKIE\" \"$HUB/page/live?severityGte=loud\"") == 400
      )
      // Without scripts alone, the page says what to do.
      let plain = try await scratch.shell(
        "curl -s -b \"$COOKIE\" $HUB/page/live | grep -c '<noscript><p class=\"faint\">Reload this page'"
      )
      #expect(plain.output == "1\n")
    }
  }

  @Test func `a hub without a page says so`() async throws {
    try await Scratch.withHub { scratch, _ in
      let run = try await scratch.shell("pair page")
      #expect(run.statuses == [66])
      #expect(run.errors.contains("serves no page; start it with 'hub-serve --page'"))
      #expect(try await Self.status(scratch, "$HUB/page") == 404)
      #expect(try await Self.status(scratch, "-H 'Accept: text/html' $HUB/") == 200)
    }
  }
}
