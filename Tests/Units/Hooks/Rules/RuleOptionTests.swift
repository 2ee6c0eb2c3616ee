import CodingAgents
import Core
import Hooks
import Testing

/// Options and addresses that a wildcard does not cover.
@Suite("options and addresses in rules of hooks")
struct RuleOptionTests {
  private func rules(allow: [String], deny: [String] = [], ask: [String] = []) throws -> HookRules {
    var settings = Settings.HookSettings()
    (settings.allow, settings.deny, settings.ask) = (allow, deny, ask)
    return try HookRules(settings)
  }

  private func verdict(_ line: String, _ allow: [String]) throws -> HookRules.Verdict {
    try rules(allow: allow).verdict(
      on: HookRequest(
        HookForm(.claude, "PreToolUse"), tool: "Bash", input: ["command": .string(line)]))
  }

  @Test(arguments: [
    "git log --output=x", "git log --output x", "git log --outp=x", "git log --o=x",
    "git log \"--output=x\"", "git log --out'put'=x", "git log '-'-output=x", "git log\t--output=x",
    "git log -p --output=/w/.git/hooks/post-commit", "git log -- -o", "git log -oFile",
    "git log -po x", "git diff --ext-diff", "git diff --ext", "git fetch --upload-pack=x",
    "git fetch --upl=x", "git ls-remote --exec=x y", "git push --receive-pack=x", "git -c a=b log",
    "git -c core.pager='sh -c id' log", "git -C /x log", "git --git-dir=/x log", "git grep -O x",
    "git --config-env=core.pager=X log", "git --exec-path=/x log", "git grep --open=x y",
    "git rebase -x id", "/usr/bin/git rebase -x id", "git clone -u x y", "git clone --template=x y",
    "git archive --remote=x --exec=y", "sort -o x y", "sort -nox y", "sort --compress-program=sh x",
    "find . -exec id +", "find . -execdir id +", "find . -delete", "find . -fprint x",
    "find . -ok id", "rg --pre sh x", "tar --checkpoint-action=exec=sh x", "tar --to-command=sh x",
    "tar --use=sh x", "tar cIf sh x", "tar xf x", "curl -o x https://a.example/",
    "curl -sSfLo x https://a.example/",
    "curl -K x", "curl --remote-name https://a.example/", "sed -i s/a/b/ x", "sed --in-place x",
    "rsync -e sh a b", "fd x -x id", "make --eval=x", "npm run --script-shell=x", "ssh -oA=b host",
    "node --require=./x", "go test -exec x", "tool --outputFile=x", "tool --output_file x",
  ])
  func `an option that writes or runs is not covered by a wildcard`(_ line: String) throws {
    let program = line.prefix { $0 != " " && $0 != "\t" }
    #expect(try verdict(line, ["Bash(\(program)*)"]) == .ask)
    #expect(try verdict(line, ["Bash(\(program) *)", "Bash(*)", "Bash", "*"]) == .ask)
    let box = HookRequest(
      HookForm(.claude, "PreToolUse"), tool: "mcp__box__run", input: ["command": .string(line)])
    #expect(
      try rules(allow: ["mcp__box__*", #"mcp__box__run({"command":"*"})"#]).verdict(on: box) == .ask
    )
  }

  @Test(arguments: [
    "git log -p", "git log --oneline -n 5 HEAD^ -- a/b", "git --no-pager log",
    "git diff --no-ext-diff", "git commit -am 'fix code'", "git log --stat --all", "sort -n x",
    "find . -name x -type f", "grep -rnoc -C 3 x src", "wc -c x", "ls --color -C", "tar -tf x",
    "rg --pretty -i x", "curl -fsSL https://a.example/", "go test -run X ./x", "npm test",
    "git diff a..b", "git diff a...b", "git log main..",
  ])
  func `other options are covered`(_ line: String) throws {
    let rule = "Bash(\(line.prefix { $0 != " " }) *)"
    #expect(try verdict(line, [rule]) == .allow(rule))
  }

  @Test func `a rule covers the options that it names, each once`() throws {
    for (rule, line, isAllowed) in [
      ("git log --output=*", "git log --output=x", true),
      ("git log --output=*", "git log --output=x -p", true),
      ("git log --output=*", "git log --output=x --output=y", false),
      ("git log --output*", "git log --output x", true),
      ("git log --out*", "git log --output=x", false),
      ("git log -*", "git log --output=x", false),
      ("git log ??output=*", "git log --output=x", false),
      ("git log --output-indicator-new=*", "git log --output=x", false),
      ("git -c color.ui=never *", "git -c color.ui=never log", true),
      ("git -c color.ui=never *", "git -c color.ui=never -c core.pager=x log", false),
      ("git -c color.ui=never *", "git -c color.ui=never log --output=x", false),
      ("sort -o *", "sort -o x y", true), ("sort -o *", "sort -n -o x y", false),
      ("sort -*o *", "sort -no x", false), ("sort -no *", "sort -no x", true),
    ] {
      #expect(
        try verdict(line, ["Bash(\(rule))"]) == (isAllowed ? .allow("Bash(\(rule))") : .ask),
        "\(rule): \(line)")
    }
  }

  @Test func `a wildcard does not leave a folder`() throws {
    for (rule, line, isAllowed) in [
      ("cat src/*", "cat src/a", true), ("cat src/*", "cat src/../x", false),
      ("cat src/*", "cat src/a ../x", false), ("cat src/*", "cat src/..", false),
      ("cat src/*", "cat src/.?/x", false), ("cat src/*", "cat src/.* x", false),
      ("cat src/*", "cat src/'.*' x", true), ("cat *", "cat --file=../x", false),
      ("cat *", "cat -f../x", false), ("cat *", "cat a:../x", false),
      ("cat *", "cat '..'/x", false),
      ("cat ../*", "cat ../x", true), ("cat ../*", "cat ../../x", false),
    ] {
      #expect(
        try verdict(line, ["Bash(\(rule))"]) == (isAllowed ? .allow("Bash(\(rule))") : .ask),
        "\(rule): \(line)")
    }
    #expect(try verdict("cat ../x", ["Bash"]) == .allow("Bash"))
  }

  @Test func `an option before a command does not hide it`() throws {
    let allow = ["Bash(git *)", "Bash(kubectl *)"]
    let rules = try rules(allow: allow, deny: ["Bash(git push*)"], ask: ["Bash(kubectl delete *)"])
    for (line, rule) in [
      ("git --no-pager push x", "Bash(git push*)"), ("git -P push x", "Bash(git push*)"),
      ("git -p --no-pager push", "Bash(git push*)"),
      ("git --literal-pathspecs push", "Bash(git push*)"),
      ("kubectl -n x delete pod y", "Bash(kubectl delete *)"),
      ("kubectl --context x -v 3 delete pod y", "Bash(kubectl delete *)"),
    ] {
      let request = HookRequest(
        HookForm(.claude, "PreToolUse"), tool: "Bash", input: ["command": .string(line)])
      #expect(rules.verdict(on: request) == .caution(rule), "\(line)")
    }
  }

  // MARK: Addresses

  private static let unsafe = [
    "https://evil.example/a.example.org/", "https://evil.example?.example.org/",
    "https://evil.example#.example.org/", "https://evil.example\\.example.org/",
    "https://u@a.example.org/", "https://evil.example:80@a.example.org/",
    "https://a.example.org/x/../y", "https://a.example.org/x/%2E%2e/y", "https://a.example.org/ x",
    " https://a.example.org/", "https://evil.example/https://a.example.org/", "a.example.org/x",
    "https://a.example.org:444/x", "//a.example.org/x", "https://evil.example/%0A.example.org/",
    "https://evil.example\t.example.org/", "https://evil。example/.example.org/",
  ]

  @Test func `a wildcard before the path stays inside the host`() throws {
    let fetch = "WebFetch(https://*.example.org/*)"
    let get = #"mcp__web__get({"url":"https://*.example.org/*"})"#
    let ask = "web_fetch(read https://*.example.org/*)"
    let rules = try rules(allow: [fetch, get, ask])
    func verdicts(_ address: String) -> [HookRules.Verdict] {
      [
        ("WebFetch", ["url": address, "prompt": "x"]), ("mcp__web__get", ["url": address]),
        ("web_fetch", ["prompt": "read " + address]),
      ].map { tool, input in
        rules.verdict(
          on: HookRequest(
            HookForm(.claude, "PreToolUse"), tool: tool,
            input: input.mapValues { JSONValue.string($0) }))
      }
    }
    for address in ["https://a.example.org/", "https://a.b.example.org/x/y?z=1&u=/..a#b"] {
      #expect(verdicts(address) == [.allow(fetch), .allow(get), .allow(ask)], "\(address)")
    }
    for address in Self.unsafe {
      let found = verdicts(address)
      #expect(found[0] == .ask && found[1] == .ask, "\(address)")
      // In a sentence, white space ends an address.
      let isSentence = address.unicodeScalars.contains { $0.properties.isWhitespace }
      #expect(isSentence || found[2] == .ask, "\(address)")
    }
    #expect(verdicts("https://a.example.org/ and https://evil.example/")[2] == .ask)
  }

  @Test(arguments: [
    "https://evil.example/x", "https://EVIL.example/x", "HTTPS://evil.example",
    "https://u:p@evil.example/", "https://evil.example:443/x", "https://evil.example./x",
    " https://evil.example/x", "https:\\\\evil.example\\x", "https://evil.exa\tmple/x",
  ])
  func `deny finds a host in other forms`(_ address: String) throws {
    let rules = try rules(allow: ["WebFetch"], deny: ["WebFetch(https://evil.example/*)"])
    for input in [
      ["url": address], ["url": "https://a.example/", "urls": address],
    ] as [[String: String]] {
      let call = HookRequest(
        HookForm(.claude, "PreToolUse"), tool: "WebFetch",
        input: input.mapValues { JSONValue.string($0) })
      guard input.count == 1 || address.contains("://") else { continue }
      #expect(rules.verdict(on: call) == .deny("WebFetch(https://evil.example/*)"), "\(input)")
    }
  }
}
