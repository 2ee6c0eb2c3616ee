import CodingAgents
import Testing

@testable import Hooks

@Suite("commands of shells")
struct ShellCommandTests {
  @Test(arguments: [
    "git status", " git status ", "\ngit status\n", "ls", "git log --oneline -n 5 HEAD^ -- a/b.c",
    "cat ~/notes",
    "ls *.swift", "echo 'a; b && $(c) `d` > e'", "echo \"a; b | c\"", "git commit -m 'it''s'",
    "grep -n issue#12 file", "make CC=clang", "./run", "/usr/bin/env -i ls",
    "git diff @{u}".replacing("{u}", with: "u"),
    "echo café",
  ])
  func `one program with its arguments is simple`(_ line: String) {
    #expect(ShellCommand(line).isSimple(quotes: true))
  }

  @Test(arguments: [
    "", "  ", "git status; rm -rf x", "git status && rm x", "git status || rm x", "git status | sh",
    "git status & rm x", "git status\nrm x", "git status\r\nrm x", "git status > x",
    "git status <x",
    "git status 2>&1", "cat <<E", "git $(rm x)", "git `rm x`", "git $HOME", "git ${HOME}",
    "git {a,b}", "(git status)", "{ git status; }", "! git status", "git status \\\nrm",
    "git \\; rm", "A=b git status", "PATH=. git status", "a+=b git status", "a[0]=b git status",
    "git status # fine", "git 'status", "git \"status", "git \"$(rm x)\"", "git \"`rm x`\"",
    "git \"a\\\"; rm x\"", "time git status", "if true", "for a in b", "[[ a ]]", "function f",
    "'git' status", "\"git\" status", "g*t status", "~/git status", "git status\u{0}",
    "git\u{A0}status",
    "git status \u{202E}x", "git status \u{200B}x", "git status \u{1B}[2J",
    "git status\u{2028}rm x",
    "echo !x", "noglob git status", "a 'b\nc'",
  ])
  func `everything else is not`(_ line: String) {
    #expect(!ShellCommand(line).isSimple(quotes: true))
  }

  @Test func `without POSIX quotes, a quote is not simple`() {
    #expect(ShellCommand("git status").isSimple(quotes: false))
    #expect(!ShellCommand("echo 'a’; rm x; ’'").isSimple(quotes: false))
  }

  @Test func `a long line is not simple`() {
    #expect(!ShellCommand("ls " + String(repeating: "a", count: 1 << 16)).isSimple(quotes: true))
  }

  @Test(arguments: [
    "rm -rf x", "git status; rm -rf x", "git status&&rm -rf x", "git status\nrm -rf x",
    "echo $(rm -rf x)", "echo `rm -rf x`", "(rm -rf x)", "A=b rm -rf x", "sudo rm -rf x",
    "env A=b rm -rf x", "/bin/rm -rf x", "r\\m -rf x", "'rm' -rf x", "rm   -rf   x",
    "bash -c 'rm -rf x'", "nohup timeout 5 rm -rf x", "if true; then rm -rf x; fi",
  ])
  func `a command is found in a line`(_ line: String) {
    #expect(ShellCommand(line).parts.contains("rm -rf x"), "\(ShellCommand(line).parts)")
  }

  @Test func `a word in the arguments is no command`() {
    for line in ["git rm -rf x", "git commit -m 'rm -rf x'", "echo rm -rf x"] {
      #expect(!ShellCommand(line).parts.contains("rm -rf x"))
    }
  }
}
