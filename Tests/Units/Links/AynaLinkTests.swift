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
    #expect(Secrets.redacted("of sk-12345678") != "of sk-12345678")
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
    ("https://chat?prompt=a", "the link does not begin with 'ayna://'"),
    ("ayna:chat?prompt=a", "the link does not begin with 'ayna://'"),
    ("ayna://", "the link asks for '', which is neither 'add-model' nor 'chat'"),
    ("ayna://delete?a=b", "the link asks for 'delete', which is neither 'add-model' nor 'chat'"),
    ("ayna://chat&key=sk-1", "the link asks for '…', which is neither 'add-model' nor 'chat'"),
    ("ayna://chat?sk-12345678", "the link's '…' has no value, or is not percent-encoded as UTF-8"),
    ("ayna://add-model?provider=openai", "the link lacks a 'name'"),
    (
      "ayna://add-model?name=a&prompt=b",
      "the link has a parameter 'prompt', which 'add-model' does not: known are endpoint, key, "
        + "name, provider, type"
    ),
    (
      "ayna://chat?name=a",
      "the link has a parameter 'name', which 'chat' does not: known are endpoint, key, model, "
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
    ("ayna://chat?model=", "the link's 'model' is empty, or holds a NUL"),
    ("ayna://chat?prompt=a%00b", "the link's 'prompt' is empty, or holds a NUL"),
    ("ayna://chat?prompt=a#b", "the link has a '#', which must be written '%23'"),
    (
      "ayna://add-model?name=a&provider=google",
      "the link's 'provider' is none of openai, github, azure, apple"
    ),
    ("ayna://add-model?name=a&type=text", "the link's 'type' is none of chat, responses, image"),
    ("ayna://chat?model=a&type=image", "the link's 'type' is 'image', which is not for chats"),
    (
      "ayna://chat?provider=openai",
      "the link describes a model, and lacks its name in 'model'"
    ),
    (
      "ayna://add-model?name=a%1B%5B2J", "the link's 'name' holds characters that nobody sees"
    ),
    (
      "ayna://add-model?name=a&endpoint=file:///etc/passwd",
      "the link's 'endpoint' is no http or https URL, without a name or a password"
    ),
    (
      "ayna://add-model?name=a&endpoint=https://u:p@a.example",
      "the link's 'endpoint' is no http or https URL, without a name or a password"
    ),
  ])
  func `what is wrong is told, and no value repeated`(link: String, expected: String) {
    #expect(reason(link) == expected)
  }
}
