import Core
import Reading
import Testing

/// The shadow trees that a page declares.
struct ShadowTreeTests {
  @Test(
    "a declared shadow tree is the visible tree of its host",
    arguments: [
      ("<x-a><template shadowrootmode=open><p>in</template></x-a>", "in"),
      ("<x-a><template shadowrootmode=CLOSED><p>in</template><p>out</x-a>", "in"),
      (
        "<x-a><template shadowrootmode=open><p>1</p><slot></slot><p>3</p></template><p>2</x-a>",
        "1\n\n2\n\n3"
      ),
      (
        "<x-a><template shadowrootmode=open><p>1</p><slot>else</slot></template>\n </x-a><p>2",
        "1\n\nelse\n\n2"
      ),
      (
        "<x-a><p slot=b>2</p><p>3</p><p slot=c>no</p><template shadowrootmode=open>"
          + "<slot name=b></slot><slot></slot><slot name=b>4</slot></template></x-a>",
        "2\n\n3\n\n4"
      ),
      (
        "<x-a><template shadowrootmode=open><x-b><template shadowrootmode=open><p>1</p>"
          + "<slot name=s></slot></template><p slot=s>2 <slot></slot></p></x-b></template>"
          + "<i>3</i></x-a>",
        "1\n\n2 3"
      ),
      ("<div><template shadowrootmode=open>a</template></div><div>b</div>", "a\n\nb"),
      // These templates are inert.
      ("<p>a</p><template><p>no</template>", "a"),
      ("<p>a</p><template shadowrootmode><p>no</template>", "a"),
      ("<p>a</p><ul><template shadowrootmode=open><li>no</template></ul>", "a"),
      (
        "<x-a><template shadowrootmode=open>a</template><template shadowrootmode=open>no</template>"
          + "</x-a>", "a"
      ),
      ("<p>a <slot>b</slot></p>", "a b"),
    ])
  func composed(_ html: String, _ expected: String) throws {
    #expect(try text("<body>" + html) == expected)
  }

  @Test func `what is hidden in a shadow tree stays hidden`() throws {
    let shadow = "<template shadowrootmode=open><p hidden>no</p><slot></slot></template>"
    #expect(try text("<x-a>\(shadow)<p style=display:none>no</p><p>yes</p></x-a>") == "yes")
  }

  @Test func `hosts in hosts without end are read`() throws {
    let shadow = "<x-a><template shadowrootmode=open>a<slot></slot></template>"
    let html = String(repeating: shadow, count: 3000) + "b"
    #expect(try text(html).filter { $0 == "a" }.count > 100)
  }
}
