import Core
import Links
import Testing

/// What links ask for, and what is wrong with some.
@Suite struct AynaLinkTests {
  private func reason(_ text: String) -> String {
    do throws(Failure) {
      _ = try AynaLink(text)
      return ""
    } catch {
      return error.code == .badUsage ? error.explanation : "\(error)"
    }
  }

  @Test func `a model is described`() throws {
    let link = try AynaLink(
      "ayna://add-model?name=my%2Fmodel&provider=azure&endpoint=https%3A%2F%2Fa.example%2Fv1"
        + "&key=sk-12345678&type=responses")
    #expect(link.action == .addModel && link.model == "my/model" && link.provider == "azure")
    #expect(link.endpoint == "https://a.example/v1" && link.kind == "responses")
    #expect(link.key == "sk-12345678" && link.prompt == nil && link.describesModel)
  }

  @Test func `a chat is asked for`() throws {
    let link = try AynaLink(
      "AYNA://chat/?prompt=What%20is%20the%20capital%20of%20France?&system=a+b%0Ac%3Dd=e")
    #expect(link.action == .chat && link.model == nil && !link.describesModel)
    #expect(link.prompt == "What is the capital of France?")
    #expect(link.system == "a+b\nc=d=e")
    #expect(try AynaLink("ayna://chat").prompt == nil)
  }

  @Test(arguments: [
    ("https://chat?prompt=a", "the link must begin with 'ayna://'"),
    ("ayna:chat?prompt=a", "the link must begin with 'ayna://'"),
    ("ayna://", "unknown action '' in the link: expected 'add-model' or 'chat'"),
    ("ayna://delete?a=b", "unknown action 'delete' in the link: expected 'add-model' or 'chat'"),
    ("ayna://chat&key=sk-1", "unknown action '…' in the link: expected 'add-model' or 'chat'"),
    ("ayna://chat?sk-12345678", "the link's '…' has no value, or is not percent-encoded as UTF-8"),
    ("ayna://add-model?provider=openai", "the link has no 'name'"),
    (
      "ayna://add-model?name=a&prompt=b",
      "the link has an unknown parameter 'prompt': 'add-model' has endpoint, key, "
        + "name, provider, type"
    ),
    (
      "ayna://chat?name=a",
      "the link has an unknown parameter 'name': 'chat' has endpoint, key, model, "
        + "prompt, provider, system, type"
    ),
    ("ayna://chat?model=a&model=b", "the link has 'model' twice"),
    ("ayna://chat?model=a&m%6Fdel=a", "the link has 'model' twice"),
    ("ayna://chat?model", "the link's 'model' has no value, or is not percent-encoded as UTF-8"),
    (
      "ayna://chat?key=sk-abc%ff",
      "the link's 'key' has no value, or is not percent-encoded as UTF-8"
    ),
    ("ayna://chat?=a", "the link has a parameter without a name"),
    ("ayna://chat?model=", "the link's 'model' is empty or contains a NUL"),
    ("ayna://chat?prompt=a%00b", "the link's 'prompt' is empty or contains a NUL"),
    ("ayna://chat?prompt=a#b", "the link has a '#'"),
    (
      "ayna://add-model?name=a&provider=google",
      "the link's 'provider' must be one of openai, github, azure, apple"
    ),
    (
      "ayna://add-model?name=a&type=text", "the link's 'type' must be one of chat, responses, image"
    ),
    ("ayna://chat?model=a&type=image", "the link's 'type' must not be 'image' for a chat"),
    (
      "ayna://chat?provider=openai",
      "the link describes a model but has no 'model'"
    ),
    (
      "ayna://add-model?name=a%1B%5B2J", "the link's 'name' contains invisible characters"
    ),
    (
      "ayna://add-model?name=a&endpoint=file:///etc/passwd",
      "the link's 'endpoint' must be an http or https URL without user name and password"
    ),
    (
      "ayna://add-model?name=a&endpoint=https://u:p@a.example",
      "the link's 'endpoint' must be an http or https URL without user name and password"
    ),
  ])
  func `what is wrong is told, and no value repeated`(link: String, expected: String) {
    #expect(reason(link) == expected)
  }
}
