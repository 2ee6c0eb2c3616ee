import Foundation
import Testing

/// Files that go along with a prompt.
@Suite("chat-send --attach")
struct ChatFileTests {
  /// The smallest picture.
  private static let png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
  private static let pdf = "JVBERi0xLjQKJSVFT0YK"

  private func write(_ scratch: Scratch) async throws {
    try await scratch.shell("echo \(Self.png) | base64 -d >a.png; echo \(Self.pdf) | base64 -d >b")
    try scratch.write("work/c.txt", "It rains in \"Kyoto\".\n")
  }

  private static func body(_ wire: Wire) -> String {
    let text = #"File 'c.txt':\n\nIt rains in \"Kyoto\".\n"#
    switch wire {
    case .anthropic:
      return
        #"{"max_tokens":32000,"messages":[{"content":[{"source":{"data":"\#(png)","media_type":"image/png","type":"base64"},"type":"image"},"#
        + #"{"source":{"data":"\#(pdf)","media_type":"application/pdf","type":"base64"},"title":"b","type":"document"},"#
        + #"{"text":"\#(text)","type":"text"},{"text":"what is it?","type":"text"}],"role":"user"}],"model":"claude-sonnet-4-6","stream":true}"#
    case .chat:
      return
        #"{"max_completion_tokens":32000,"messages":[{"content":[{"image_url":{"url":"data:image/png;base64,\#(png)"},"type":"image_url"},"#
        + #"{"file":{"file_data":"data:application/pdf;base64,\#(pdf)","filename":"b"},"type":"file"},"#
        + #"{"text":"\#(text)","type":"text"},{"text":"what is it?","type":"text"}],"role":"user"}],"model":"gpt-5.5","prompt_cache_key":"KEY","stream":true,"stream_options":{"include_usage":true}}"#
    case .responses:
      return
        #"{"include":["reasoning.encrypted_content"],"input":[{"content":[{"image_url":"data:image/png;base64,\#(png)","type":"input_image"},"#
        + #"{"file_data":"data:application/pdf;base64,\#(pdf)","filename":"b","type":"input_file"},"#
        + #"{"text":"\#(text)","type":"input_text"},{"text":"what is it?","type":"input_text"}],"role":"user","type":"message"}],"max_output_tokens":32000,"model":"gpt-6-luna","prompt_cache_key":"KEY","store":false,"stream":true}"#
    }
  }

  @Test(arguments: Wire.allCases)
  func `pictures, documents and texts go along, and again where the chat goes on`(
    _ wire: Wire
  ) async throws {
    try await Scratch.with { scratch in
      try await write(scratch)
      let server = try await scratch.serveWires(#"[{"times":0,"text":"It is."}]"#)
      let run = try await scratch.shell(
        "chat-send -n 'what is it?' --attach a.png --attach b --attach ./c.txt \(wire.option)")
      #expect(run.statuses == [0])
      let chat = try #require(try await scratch.keptTurns().first)["chatId"]
      #expect(server.requests.map { $0["body"].replacing(chat, with: "KEY") } == [Self.body(wire)])
      let kept = try #require(try await scratch.keptTurns().first).list("attachments")
      #expect(kept.map { $0["name"] } == ["a.png", "b", "c.txt"])
      #expect(kept.map { $0["contentType"] } == ["image/png", "application/pdf", "text/plain"])
      #expect(kept.map { $0.number("bytes") } == [70, 15, 21])
      try await scratch.shell("chat-send -n more --continue \(wire.option)")
      #expect(server.requests.last?["body"].contains(Self.png) == true)
    }
  }

  @Test func `what no model reads, or none takes, is refused before anything is sent`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveWires()
      for (file, maker) in [
        ("unknown", "printf 'a\\0b'"), ("latin", "printf '\\344'"),
        ("large", "head -c 11534337 /dev/zero | tr '\\0' a"),
      ] {
        try await scratch.shell("\(maker) >\(file)")
        let run = try await scratch.shell(
          "chat-send -n ask --model claude-sonnet-4-6 --attach \(file)")
        #expect(run.statuses == [65])
      }
      try await scratch.shell("head -c 6000000 large >half")
      let both = try await scratch.shell(
        "chat-send -n ask --model claude-sonnet-4-6 --attach half --attach half")
      #expect(both.statuses == [65])
      #expect(server.requests.isEmpty)
      try scratch.expectGolden("chat-send/files-refused")
    }
  }

  @Test func `files of a record go along, too`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveWires(#"[{"times":0,"text":"It is."}]"#)
      let file =
        #"{"name":"b","contentType":"application/pdf","bytes":15,"sha256":"","data":"\#(Self.pdf)"}"#
      let run = try await scratch.shell(
        "chat-send --model claude-sonnet-4-6",
        input: #"{"type":"message","role":"user","text":"what is it?","attachments":[\#(file)]}"#
          + "\n"
          + #"{"type":"message","role":"user","text":"and?","attachments":[{"name":"x","contentType":"text/plain","bytes":1,"sha256":""}]}"#
          + "\n")
      #expect(run.statuses == [65])
      #expect(server.requests.count == 1)
      #expect(server.requests.first?["body"].contains(Self.pdf) == true)
    }
  }
}
