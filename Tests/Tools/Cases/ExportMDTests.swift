import Foundation
import Testing

@Suite("export-md")
struct ExportMDTests {
  private static let artifact = """
    {"content":"# Facts\\n\\nOne.","createdAt":"2026-02-25T10:00:00.000Z","id":"a1",\
    "labels":{"team":"blue"},"model":"claude-opus-4-6","pipelineId":"p1","project":"WAL study",\
    "role":"researcher","stageId":"s1","title":"Researcher — WAL study","type":"artifact"}
    """
  private static let page = """
    {"characters":4,"fetchedAt":"2026-02-25T10:00:00.000Z","finalURL":"https://example.org/b",\
    "markdown":"# B\\n\\nText","status":200,"text":"Text","title":"B","type":"page",\
    "url":"https://example.org/a"}
    """
  private static let message = """
    {"createdAt":"2026-02-25T10:00:00.000Z","id":"m1","model":"gpt-5.5","role":"assistant",\
    "text":"Hello.","type":"message"}
    """

  @Test func `artifacts, pages and messages become files, others pass`() async throws {
    try await Scratch.with { scratch in
      let input = [
        #"{"type":"strange" , "z":1,"a":[1, 2]}"#, Self.artifact, Self.page,
        #"{"type":"stage","role":"producer","task":"t","unknown":{"b":1,"a":2}}"#, Self.message,
      ].joined(separator: "\n")
      try await scratch.shell("export-md", input: input)
      try await scratch.shell(
        "cd ~/Documents/AgentOS && find . -type f | sort | xargs -d '\\n' tail -n +1")
      try await scratch.shell("ls ../home")
      try scratch.expectGolden("export-md/kinds")
    }
  }

  @Test func `a file is created, then unchanged, then updated`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("export-md --into notes", input: Self.artifact)
      try await scratch.shell("export-md --into notes", input: Self.artifact)
      let changed = Self.artifact.replacingOccurrences(of: "One.", with: "Two.")
      try await scratch.shell("export-md --into notes", input: changed)
      try await scratch.shell("find notes -type f; stat -c %a notes/*/*")
      try scratch.expectGolden("export-md/again")
    }
  }

  @Test func `a page that is fetched again unchanged keeps its file, with the chosen fields`()
    async throws
  {
    try await Scratch.with { scratch in
      let later = Self.page.replacingOccurrences(of: "T10:00", with: "T11:00")
        .replacingOccurrences(
          of: #"{"characters""#, with: #"{"bytes":7,"sha256":"00","characters""#)
      for options in ["--into notes", "--into fields --fields status,title,fetchedAt,bytes"] {
        for page in [Self.page, later] {
          let run = try await scratch.shell("export-md \(options)", input: page)
          let status = page == later ? "unchanged" : "created"
          #expect(run.records("file").map { $0["status"] } == [status], "\(run.errors)")
        }
      }
      let notes = try await scratch.shell("sed /^exportDigest/d */project/page-b5b10dd0.md")
      #expect(
        notes.output == """
          ---
          type: page
          url: "https://example.org/a"
          status: 200
          title: B
          fetchedAt: "2026-02-25T10:00:00.000Z"
          ---

          # B

          Text
          ---
          type: page
          url: "https://example.org/a"
          title: B
          fetchedAt: "2026-02-25T10:00:00.000Z"
          ---

          # B

          Text

          """)
      let wrong = try await scratch.shell("export-md --fields titel", input: Self.page)
      #expect(wrong.statuses == [64] && wrong.errors.contains("unknown field 'titel'"))
    }
  }

  @Test func `a file that was changed by hand stays, and --replace takes it`() async throws {
    try await Scratch.with { scratch in
      let changed = Self.artifact.replacingOccurrences(of: "One.", with: "Two.")
      func export(_ options: String, _ input: String) async throws -> [String] {
        let run = try await scratch.shell("export-md --into notes \(options)", input: input)
        #expect(run.statuses == [0])
        return run.records("file").flatMap { [$0["status"], $0["path"], $0["beside"]] }
      }
      let path = "notes/WAL study/researcher-2026-02-25T10-00-00Z.md"
      #expect(try await export("", Self.artifact) == ["created", path, ""])
      try await scratch.shell("echo 'By hand.' >>'\(path)'")
      let edited = scratch.read("work/" + path)
      #expect(try await export("", Self.artifact) == ["unchanged", path, ""])
      let beside = try await export("", changed)
      #expect(beside[0] == "created" && beside[1] != path && beside[2] == path)
      #expect(try await export("", changed) == ["unchanged", beside[1], path])
      #expect(try await export("--dry-run", changed) == ["unchanged", beside[1], path])
      #expect(scratch.read("work/" + path) == edited)
      #expect(scratch.read("work/" + beside[1]).hasSuffix("\nTwo.\n"))
      let text = try await scratch.shell("export-md --into notes --text", input: changed)
      #expect(text.output.hasSuffix(", beside \(path), which was changed by hand\n"))
      #expect(try await export("--replace", changed) == ["updated", path, ""])
      #expect(scratch.read("work/" + path).hasSuffix("\nTwo.\n"))
    }
  }

  @Test func `ids that only Unicode holds for equal have two files, and lose no turn`() async throws
  {
    try await Scratch.with { scratch in
      let input = ["caf\u{E9}", "cafe\u{301}"].flatMap { id in
        [
          #"{"type":"chat","id":"\#(id)","createdAt":"2026-02-25T10:00:00.000Z"}"#,
          #"{"type":"message","id":"\#(id)","chatId":"\#(id)","role":"user","text":"x"}"#,
        ]
      }
      let run = try await scratch.shell(
        "export-md --into out", input: input.joined(separator: "\n"))
      #expect(run.statuses == [0])
      #expect(run.records("file").map { $0["status"] } == ["created", "created"])
      try await scratch.shell("grep -c '^messages: 1' out/*/*.md")
      #expect(Set(run.records("file").map { $0["path"] }).count == 2)
    }
  }

  @Test func `names of projects and roles cannot leave the folder`() async throws {
    try await Scratch.with { scratch in
      let names = ["../../up", "/etc", "..", ".", "", "a/b\\\\c:d", "tab\\tnul\\u0000", "Ünï 東京"]
      let input = names.enumerated().map { index, name in
        Self.artifact.replacingOccurrences(of: "WAL study\"", with: name + "\"")
          .replacingOccurrences(of: "\"a1\"", with: "\"a\(index)\"")
          .replacingOccurrences(of: "\"researcher\"", with: "\"\(index % 2 == 0 ? "../r" : name)\"")
      }
      try await scratch.shell("export-md --into out", input: input.joined(separator: "\n"))
      try await scratch.shell("find .. -name '*.md' | sort; ls")
      try scratch.expectGolden("export-md/names")
    }
  }

  @Test func `links that lead out of the folder are not followed`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        "mkdir -p out elsewhere && ln -s ../elsewhere 'out/WAL study' && export-md --into out",
        input: Self.artifact)
      try await scratch.shell("find elsewhere -type f")
      try scratch.expectGolden("export-md/links")
    }
  }

  @Test func `bad lines are told and the rest goes on`() async throws {
    try await Scratch.with { scratch in
      let input = [
        Self.artifact, "not json", #"{"type":"artifact","id":"x"}"#, #"{"type":"page"}"#, "",
        #"{"no":"type"}"#, Self.message,
      ].joined(separator: "\n")
      try await scratch.shell("export-md --into out", input: input)
      try scratch.expectGolden("export-md/bad-lines")
    }
  }

  @Test func `a folder that cannot be written is a failure of each record`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        "echo a file > out; export-md --into out", input: Self.artifact + "\n" + Self.message)
      try await scratch.shell("export-md --into ''", input: Self.artifact)
      try await scratch.shell("export-md --into", input: Self.artifact)
      try await scratch.shell("export-md operand", input: Self.artifact)
      try scratch.expectGolden("export-md/no-folder")
    }
  }

  @Test func `help, version, text and verbose`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("export-md --help")
      try await scratch.shell("export-md --version")
      try await scratch.shell("export-md --text --into out", input: Self.artifact)
      try await scratch.shell(
        "export-md --json --verbose --timings --into out", input: Self.artifact)
      try scratch.expectGolden("export-md/help")
    }
  }

  @Test func `the path is noted in a store that exists`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels()
      try await scratch.shell("stage-run --yolo >run.ndjson", input: Plan.one)
      try await scratch.shell("export-md --into out <run.ndjson | jq -c '[.type, .status]'")
      let shown = try await scratch.shell("stage-run --show \(Plan.pipeline)")
      #expect(
        shown.records("artifact").map { $0["filePath"].hasPrefix("out/P/researcher-") } == [true])
    }
  }

  @Test func `a template names the files, and a dry run only tells them`() async throws {
    try await Scratch.with { scratch in
      let input = [Self.artifact, Self.page, Self.message].joined(separator: "\n")
      let template = "--template '{date}/{host} {title}'"
      try await scratch.shell("export-md --into out --dry-run \(template)", input: input)
      try await scratch.shell("ls")
      try await scratch.shell("export-md --into out \(template)", input: input)
      try await scratch.shell("export-md --into out --dry-run \(template)", input: input)
      try await scratch.shell("find out -type f | sort")
      try await scratch.shell("export-md --template '../{title}'", input: input)
      try await scratch.shell("export-md --template '{name}'", input: input)
      try scratch.expectGolden("export-md/template")
    }
  }

  @Test func `a chat and its messages become one file`() async throws {
    try await Scratch.with { scratch in
      let input = [
        #"{"type":"message","id":"m2","chatId":"c1","role":"assistant","text":"```\nopen","#
          + #""model":"gpt-5.5","createdAt":"2026-02-25T10:00:02.000Z"}"#,
        #"{"type":"project","id":"p1","name":"WAL study"}"#,
        #"{"type":"chat","id":"c1","projectId":"p1","title":"On logs","#
          + #""createdAt":"2026-02-25T10:00:00.000Z"}"#,
        #"{"type":"message","id":"m1","chatId":"c1","role":"user","text":"Why?","#
          + #""createdAt":"2026-02-25T10:00:01.000Z"}"#,
        #"{"type":"message","id":"m1","chatId":"c1","role":"user","text":"Else?"}"#,
        #"{"type":"message","id":"m9","chatId":"c9","role":"user","text":"Alone.","#
          + #""createdAt":"2026-02-25T10:00:03.000Z"}"#,
      ].joined(separator: "\n")
      try await scratch.shell("export-md --into out", input: input)
      try await scratch.shell("export-md --into out 2>/dev/null | jq -r .status", input: input)
      try await scratch.shell("find out -type f | sort | xargs -d '\\n' tail -n +1")
      try scratch.expectGolden("export-md/chat")
    }
  }

  @Test func `a file that cannot be whole is not there, and the old one stays`() async throws {
    try await Scratch.with { scratch in
      let long = Self.artifact.replacingOccurrences(
        of: "One.", with: String(repeating: "long ", count: 20_000))
      try await scratch.shell("export-md --into out", input: Self.artifact)
      try await scratch.shell("cksum out/*/* >sums")
      let other = long.replacingOccurrences(of: "\"a1\"", with: "\"a2\"")
      try await scratch.shell(
        "(ulimit -f 32; exec export-md --into out)", input: [long, other].joined(separator: "\n"))
      try await scratch.shell("cksum out/*/* | cmp - sums; ls -A out/*")
      try scratch.expectGolden("export-md/too-long")
    }
  }

  @Test func `the umask gives the modes, and a link at a file's place is replaced`() async throws {
    try await Scratch.with { scratch in
      let file = "'out/WAL study/researcher-2026-02-25T10-00-00Z.md'"
      try await scratch.shell("(umask 077; exec export-md --into out)", input: Self.artifact)
      try await scratch.shell("stat -c '%a %F' out out/* out/*/*")
      try await scratch.shell("echo mine >mine && rm \(file) && ln -s ../../mine \(file)")
      try await scratch.shell("export-md --into out", input: Self.artifact)
      try await scratch.shell("cat mine; stat -c '%a %F' out/*/*")
      try scratch.expectGolden("export-md/modes")
    }
  }

  @Test func `a store is opened for artifacts alone`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("mkdir -p ../home/data && echo no store >../home/data/store.db")
      try await scratch.shell("export-md --into out", input: Self.message)
      try await scratch.shell("export-md --into out --dry-run", input: Self.artifact)
      try await scratch.shell("export-md --into out", input: Self.artifact)
      try await scratch.shell("ls out")
      try scratch.expectGolden("export-md/store")
    }
  }
}
