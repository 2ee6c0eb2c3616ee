import Core
import Testing

@testable import Agents

@Suite("crashes in the lines of a command")
struct CrashTests {
  /// The lines of a text as logs, in the order they were printed.
  private func logs(_ text: String, _ lines: inout OutputLines) -> [Log] {
    text.split(separator: "\n").flatMap { line in
      let bytes = Array(line.utf8)
      return lines.events(
        of: LineCutter.Line(bytes: bytes, length: bytes.count), from: .errors, at: .now)
    }.compactMap { $0 as? Log }
  }

  private var lines: OutputLines {
    OutputLines(AgentIdentity(agentId: "a", swarmId: nil, task: "t"))
  }

  @Test(arguments: [
    (
      """
      Traceback (most recent call last):
        File "x.py", line 3, in <module>
          error: int = f()
      app.Broken: no disk
      """, "app.Broken: no disk"
    ),
    (
      "  File \"x.py\", line 1\n    f(\n     ^\nSyntaxError: '(' was never closed",
      "SyntaxError: '(' was never closed"
    ),
    (
      """
        + Exception Group Traceback (most recent call last):
        |   File "x.py", line 1, in <module>
        | ExceptionGroup: two (2 sub-exceptions)
        +-+---------------- 1 ----------------
          | ValueError: a
          +---------------- 2 ----------------
          | TypeError: b
          +------------------------------------
      """, "  | ExceptionGroup: two (2 sub-exceptions)"
    ),
    (
      """
      /tmp/x.js:1
      throw new TypeError("boom")
      ^
      TypeError: boom
          at Object.<anonymous> (/tmp/x.js:1:7)
      Node.js v18.20.4
      """, "TypeError: boom"
    ),
    (
      """
      Exception in thread "main" java.lang.RuntimeException: outer
      \tat X.main(X.java:3)
      Caused by: java.lang.IllegalStateException: inner
      \t... 1 more
      """, "Exception in thread \"main\" java.lang.RuntimeException: outer"
    ),
    (
      """
      panic: boom [recovered]
      \tpanic: again
      goroutine 1 [running]:
      main.f(0x1, {0x2, 0x3})
      \t/tmp/x.go:5 +0x1d
      exit status 2
      """, "panic: boom [recovered]"
    ),
    (
      """
      thread 'main' (77) panicked at src/main.rs:2:5:
      index out of bounds: the len is 3 but the index is 5
      note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
      """, "index out of bounds: the len is 3 but the index is 5"
    ),
    (
      "thread 'main' panicked at 'boom', src/main.rs:2:5",
      "thread 'main' panicked at 'boom', src/main.rs:2:5"
    ),
    (
      """
      main/main.swift:1: Fatal error: boom
      *** Program crashed: Illegal instruction at 0x00007f ***
      Thread 0 "main" crashed:
      0 0x00007f80 _assertionFailure(_:_:file:line:flags:) + 351 in libswiftCore.so
      Registers:
      rax 0x0000000000000000  0
      """, "main/main.swift:1: Fatal error: boom"
    ),
  ])
  func `one line of a crash is an error, the one that names it`(text: String, name: String) {
    var lines = lines
    #expect(
      logs("starting\n" + text, &lines).filter { $0.level >= .error }.map(\.message) == [name])
    #expect(lines.cause == name && lines.lastWords == Visible.line(name))
  }

  @Test func `a further error of a crash names the first as its cause`() {
    var lines = lines
    let text = """
      Traceback (most recent call last):
        File "x.py", line 3, in <module>
      KeyError: 'a'
      During handling of the above exception, another exception occurred:
      Traceback (most recent call last):
        File "x.py", line 5, in <module>
      ValueError: b
      Traceback (most recent call last):
        File "x.py", line 7, in <module>
      ValueError: c
      ERROR:root:failed
      Traceback (most recent call last):
        File "x.py", line 9, in <module>
      ValueError: d
      """
    #expect(
      logs(text, &lines).filter { $0.level >= .error }.map { [$0.message, $0.body.cause] } == [
        ["KeyError: 'a'", nil], ["ValueError: b", "KeyError: 'a'"], ["ValueError: c", nil],
        ["ERROR:root:failed", nil], ["ValueError: d", "ERROR:root:failed"],
      ])
    #expect(lines.cause == "ERROR:root:failed" && lines.lastWords == "ValueError: d")
  }

  @Test func `an error is the cause of an end that comes soon after it`() {
    var lines = lines
    _ = logs("one\nERROR no disk\n  a hint\ntwo\nthree", &lines)
    #expect(lines.cause == "ERROR no disk" && lines.lastWords == "ERROR no disk / two / three")
    _ = logs("four", &lines)
    #expect(lines.cause == nil && lines.lastWords == "two / three / four")
  }

  @Test func `escape sequences are not logged, and hide no secret and no blank line`() {
    var lines = lines
    let logs = logs("\u{1B}[1m\u{1B}[31mERROR\u{1B}[0m no \u{1B}]8;;x\u{7}disk\n\u{1B}[0m", &lines)
    #expect(logs.map(\.message) == ["ERROR no disk"] && logs.map(\.level) == [.error])
  }
}
