import Foundation
import Processes
import Synchronization
import TestSupport
import Testing

/// Signals to processes whose ids are reused.
struct ProcessSignalTests {
  @Test func `the process that is meant receives the signal`() {
    let table = ScriptedProcesses()
    let identity = table.start(70)
    #expect(ProcessSignal.send(SIGTERM, to: identity, in: table, if: { true }) == .sent)
    #expect(table.received(identity) == [SIGTERM])
  }

  @Test func `a later process with the same id, an ended one and a zombie receive nothing`() {
    let table = ScriptedProcesses()
    let identity = table.start(70)
    let later = table.start(70)
    #expect(ProcessSignal.send(SIGTERM, to: identity, in: table, if: { true }) == .gone)
    #expect(table.received(later) == [])
    table.end(70)
    #expect(ProcessSignal.send(SIGTERM, to: later, in: table, if: { true }) == .gone)
    let zombie = table.start(70, state: "Z")
    #expect(ProcessSignal.send(SIGTERM, to: zombie, in: table, if: { true }) == .gone)
    #expect(table.received(zombie) == [])
    let first = table.start(1)
    #expect(ProcessSignal.send(SIGTERM, to: first, in: table, if: { true }) == .gone)
    #expect(table.received(first) == [])
  }

  @Test func `a process that has left its session receives nothing`() {
    let table = ScriptedProcesses()
    let identity = table.start(70)
    #expect(ProcessSignal.send(SIGTERM, to: identity, in: table, if: { false }) == .refused)
    #expect(table.received(identity) == [])
  }

  @Test func `of 10,000 races of exits and reused ids, none reaches another process`() {
    let random = Mutex(SeededRandom(seed: 11))
    let table = ScriptedProcesses { table, _ in
      let choice = random.withLock { Int.random(in: 0..<4, using: &$0) }
      if choice == 0 { table.start(70) }
      if choice == 1 { table.end(70) }
    }
    var meant: Set<ProcessIdentity> = []
    var sent = 0
    for _ in 0..<10_000 {
      let identity = table.start(70)
      meant.insert(identity)
      let outcome = ProcessSignal.send(SIGSTOP, to: identity, in: table, if: { true })
      #expect(table.received(identity).count == (outcome == .sent ? 1 : 0))
      sent += outcome == .sent ? 1 : 0
    }
    let received = table.state.withLock { $0.received }
    #expect(Set(received.keys).isSubset(of: meant))
    #expect(received.values.reduce(0) { $0 + $1.count } == sent)
    #expect(sent > 100 && sent < 10_000)
  }

  @Test func `an entry is read whatever the program's name is`() throws {
    let fields = "S 4 5 6 34817 7 4194304 1 2 3 4 5 6 7 8 20 0 1 0 9876 1 2"
    let entry = try #require(ProcessEntry("41 (a) (b c) \(fields)\n"))
    #expect(entry.identity == ProcessIdentity(id: 41, start: 9876))
    #expect(entry.name == "a) (b c" && entry.parent == 4 && entry.hasTerminal)
    for text in ["", "41", "41 (a)", "41 (a) S 4", ")(", "x (a) \(fields)"] {
      #expect(ProcessEntry(text) == nil, "\(text)")
    }
  }

  #if os(Linux)
    @Test func `this process is found with its files, folder and words`() throws {
      let table = SystemProcesses()
      let entry = try #require(table.entry(getpid()))
      #expect(entry.identity.id == getpid() && !entry.hasEnded && !entry.isStopped)
      #expect(table.ids.contains(getpid()))
      #expect(table.folder(of: getpid()) == FileManager.default.currentDirectoryPath)
      #expect(!table.words(of: getpid()).isEmpty)
      let home = try Home()
      let path = try home.file("f", "")
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      var status = stat()
      #expect(fstat(file.fileDescriptor, &status) == 0)
      let open = table.files(of: getpid()).first { $0.inode == UInt64(status.st_ino) }
      #expect(open?.device == UInt64(status.st_dev) && open?.isWritable == true)
      #expect(open?.path.hasSuffix("/f") == true)
      try file.close()
    }

    @Test func `a child receives the signal, and after its end nothing does`() async throws {
      let home = try Home()
      let child = try Child(
        ["/bin/sleep", "100"], environment: [:], folder: home.path, streams: [:])
      let table = SystemProcesses()
      let identity = try #require(table.entry(child.id)).identity
      #expect(ProcessSignal.send(SIGTERM, to: identity, in: table, if: { true }) == .sent)
      #expect(await child.ended() == .signal(SIGTERM))
      #expect(ProcessSignal.send(SIGTERM, to: identity, in: table, if: { true }) == .gone)
    }
  #endif
}
