import Testing

@testable import Postgres

/// Parameters of statements, in the form of PostgreSQL.
struct PlaceholderTextTests {
  @Test(arguments: [
    ("SELECT 1", "SELECT 1", 0),
    ("?", "$1", 1),
    ("a = ? AND b IN (?,?)", "a = $1 AND b IN ($2,$3)", 3),
    ("'?' || ?", "'?' || $1", 1),
    ("'it''s ?', ?", "'it''s ?', $1", 1),
    ("'' || ?", "'' || $1", 1),
    ("\"why?\" = ?", "\"why?\" = $1", 1),
    ("? -- ?\n, ?", "$1 -- ?\n, $2", 2),
    ("/* ? */ ? /*/ ? */ ?", "/* ? */ $1 /*/ ? */ $2", 2),
    ("1 - ? / ?", "1 - $1 / $2", 2),
    ("'ä?' = ?", "'ä?' = $1", 1),
    ("? 'open ?", "$1 'open ?", 1),
    ("? -- open ?", "$1 -- open ?", 1),
    ("? /* open ?", "$1 /* open ?", 1),
    ("?,?,?,?,?,?,?,?,?,?,?", "$1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11", 11),
  ])
  func `question marks outside of literals, names and comments are numbered`(
    statement: String, text: String, count: Int
  ) {
    let placeholders = PlaceholderText(statement)
    #expect(placeholders.text == text)
    #expect(placeholders.count == count)
  }
}
