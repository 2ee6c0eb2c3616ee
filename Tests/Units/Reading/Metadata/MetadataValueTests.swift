import Testing

@testable import Reading

struct MetadataValueTests {
  @Test(
    "dates become ISO 8601",
    arguments: [
      ("2024-03-12", "2024-03-12"), ("2024-3-2", "2024-03-02"), ("20240312", "2024-03-12"),
      ("2024-03-12T09:05:00Z", "2024-03-12T09:05:00Z"),
      ("2024-03-12 09:05:00 +0100", "2024-03-12T09:05:00+01:00"),
      ("2024-03-12T09:05:00.123-05:00", "2024-03-12T09:05:00-05:00"),
      ("2024-03-12T09:05:00", "2024-03-12"),
      ("Tue, 12 Mar 2024 09:05:00 GMT", "2024-03-12T09:05:00Z"),
      ("March 12, 2024", "2024-03-12"), ("Mar. 12th 2024", "2024-03-12"),
      ("12 March 2024", "2024-03-12"), ("12. März 2024", "2024-03-12"),
      ("12 de marzo de 2024", "2024-03-12"), ("2 février 2023", "2023-02-02"),
      ("2024 Mar 12", "2024-03-12"), ("2024年3月12日", "2024-03-12"), ("13/03/2024", "2024-03-13"),
      ("03/13/2024", "2024-03-13"), ("12.03.2024", "2024-03-12"),
      ("1710201600", "2024-03-12T00:00:00Z"),
    ])
  func date(_ text: String, _ expected: String) {
    #expect(DateValue.normalised(text) == expected)
  }

  @Test(
    "what is no date, or two, is none",
    arguments: [
      "", "12/03/2024", "2024-13-01", "2024-02-30", "March 2024", "May 5", "99999999999999",
      "2024", "1e999", "12 12 12", "0000-00-00",
    ])
  func noDate(_ text: String) {
    #expect(DateValue.normalised(text) == nil)
  }

  @Test(
    "authors are names",
    arguments: [
      ("By Ann Author", "Ann Author"), ("Written by: Ann Author", "Ann Author"),
      ("Posted by ann on March 12, 2024", "ann"), ("Ann Author | The Site", "Ann Author"),
      ("  Ann\n Author ", "Ann Author"), ("by Ann Author, Bo Writer", "Ann Author, Bo Writer"),
    ])
  func author(_ text: String, _ expected: String) {
    #expect(AuthorName.cleaned(text) == expected)
  }

  @Test(
    "what is no name is none",
    arguments: [
      "", "By", "https://a.example/ann", "ann@a.example", "undefined", "Follow", "{{author}}", "42",
    ])
  func noAuthor(_ text: String) {
    #expect(AuthorName.cleaned(text) == nil)
  }

  private func title(
    _ tag: String, heading: String? = nil, site: String? = nil, graph: String? = nil
  ) -> String? {
    var choice = TitleChoice(tag: tag, openGraph: graph)
    choice.headings = [heading].compactMap(\.self)
    choice.sites = [site].compactMap(\.self)
    return choice.chosen()
  }

  @Test func `a title loses the site and nothing else`() {
    #expect(
      title("A tale of two - cities | The Site", site: "The Site") == "A tale of two - cities")
    #expect(title("The Site: news - A tale", site: "The Site: news") == "A tale")
    #expect(title("A tale of two :: Unknown") == "A tale of two")
    #expect(title("A well-known tale") == "A well-known tale")
    #expect(title("C++ | Rust", heading: "C++ | Rust") == "C++ | Rust")
    #expect(title("Tale | The Site", heading: "The Site", site: "The Site") == "Tale")
    #expect(title("The Site", site: "The Site") == "The Site")
  }

  @Test func `a heading that says the same is the title`() {
    #expect(
      title("Ten tales to read | Site", heading: "The ten tales you have to read")
        == "The ten tales you have to read")
    #expect(title("Ten tales to read", heading: "Sign up for our letter") == "Ten tales to read")
    #expect(title("Tales | Site", heading: "Tales ¶") == "Tales")
  }
}
