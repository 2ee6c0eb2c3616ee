import Core
import Links
import Testing

/// What links come to.
@Suite struct LinkPlanTests {
  private func plan(
    _ text: String, known: Set<String> = [], described: Set<String> = []
  ) throws -> LinkPlan {
    LinkPlan(try AynaLink(text), isKnown: known.contains, isDescribed: described.contains)
  }

  @Test func `a model is added under its name, and what is sent where is told`() throws {
    let plan = try plan(
      "ayna://add-model?name=m&provider=openai&endpoint=https://a.example/v1&key=sk-12345678")
    #expect(
      plan.lines == [
        "add the model 'm'", "  provider: openai", "  endpoint: https://a.example/v1",
        "  your prompts are sent there",
        "  the link contains a key: you are asked separately whether to store it",
      ])
    #expect(plan.added?.name == "m" && plan.secret == "sk-12345678" && plan.chat == nil)
    #expect(plan.added?.settings.provider == "openai")
  }

  @Test func `no key of a provider goes where a link says`() throws {
    let own = try plan("ayna://add-model?name=Gpt/4&provider=openai&endpoint=https://a.example")
    #expect(own.added?.settings.key == "model-gpt-4-75584e4c")
    let other = try plan("ayna://add-model?name=gpt-4&endpoint=https://a.example")
    #expect(other.added?.settings.key?.hasPrefix("model-gpt-4-") == true)
    #expect(other.added?.settings.key != own.added?.settings.key)
    let usual = try plan("ayna://add-model?name=gpt-4o&provider=openai", described: ["gpt-4o"])
    #expect(usual.added?.settings.key == nil)
    #expect(usual.lines.first == "replace the description of the model 'gpt-4o'")
  }

  @Test func `a chat is begun with what the link says, whatever it looks like`() throws {
    let plan = try plan("ayna://chat?model=gpt-4o&system=s&prompt=--help%0A%1B", known: ["gpt-4o"])
    #expect(
      plan.chat == [
        "chat-send", "--model=gpt-4o", "--system=s", "--no-input", "--", "--help\n\u{1B}",
      ])
    #expect(
      plan.lines == [
        "start a chat and send the prompt", "  model: gpt-4o", "  system:", "  | s",
        "  prompt:", "  | --help", "  | <U+001B>",
      ])
    #expect(plan.added == nil)
    let empty = try self.plan("ayna://chat")
    #expect(empty.chat == ["chat-send"])
    #expect(empty.lines == ["start a chat", "  model: the usual one"])
  }

  @Test func `a chat with a model that is not known adds it first`() throws {
    let link =
      "ayna://chat?model=my-model&provider=openai&endpoint=https://api.example.com&key=sk-xxxxxx"
      + "&prompt=Hello"
    let new = try plan(link)
    #expect(new.added?.name == "my-model" && new.secret == "sk-xxxxxx")
    #expect(new.chat == ["chat-send", "--model=my-model", "--no-input", "--", "Hello"])
    let known = try plan(link, known: ["my-model"])
    #expect(known.added == nil && known.secret == nil)
    #expect(
      known.lines == [
        "ignore the link's key: the model is already known",
        "start a chat and send the prompt", "  model: my-model", "  prompt:", "  | Hello",
      ])
  }

  @Test func `no line of a prompt looks like one of the plan, and none is cut`() throws {
    let long = String(repeating: "a", count: 50)
    let prompt = long + "%20%20model:%20the%20usual%20one%0A%20%20model:%20x%0A"
    #expect(
      try plan("ayna://chat?prompt=\(prompt)").lines == [
        "start a chat and send the prompt", "  model: the usual one", "  prompt:",
        "  | \(long)  model: t", "  | he usual one",
        "  |   model: x", "  | ",
      ])
  }

  @Test func `a key masks no words of the prompt`() throws {
    let plan = try plan(
      "ayna://chat?model=m&key=and%20then%20delete%20all&prompt=Read%20and%20then%20delete%20all")
    #expect(Secrets.redacted("Read and then delete all") == "Read and then delete all")
    #expect(plan.lines.suffix(1) == ["  | Read and then delete all"])
  }
}
