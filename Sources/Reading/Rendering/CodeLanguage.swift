/// The language of a code block, as the class names of syntax highlighters state it.
enum CodeLanguage {
  /// Returns the language of the given preformatted element; empty if it is unknown.
  ///
  /// The class may belong to the element, to the `code` inside it, or to the boxes around it.
  static func of(_ node: Int32, in tree: NodeTree) -> [UInt8] {
    var child = tree[node].first
    var looked = 0
    while child >= 0, looked < 4 {
      if tree[child].tag != .text, let found = named(on: child, in: tree) { return found }
      child = tree[child].next
      looked += 1
    }
    var box = node
    for _ in 0..<5 {
      if let found = named(on: box, in: tree) { return found }
      box = tree[box].parent
      guard box > 0, boxes.contains(tree[box].tag) else { return [] }
    }
    return []
  }

  private static let boxes = Tag.Group(
    .div, .figure, .td, .tr, .tbody, .table, .inline, .code, .pre, .span)

  private static func named(on node: Int32, in tree: NodeTree) -> [UInt8]? {
    for attribute in [Attribute.dataLang, .dataLanguage] {
      if let value = tree.value(attribute, of: node), let found = plain(value) { return found }
    }
    guard let names = tree.value(.class, of: node), names.count < 1024 else { return nil }
    let words = names.split { isSpace($0) || $0 == UInt8(ascii: ";") }
    var isHighlighted = false
    var isBrush = false
    for word in words {
      if isBrush { return plain(word) }
      for prefix in prefixes where word.count > prefix.count && word.starts(with: prefix) {
        if let found = plain(word.dropFirst(prefix.count)) { return found }
      }
      isBrush = word.elementsEqual("brush:".utf8)
      isHighlighted = isHighlighted || highlighters.contains(String(decoding: word, as: UTF8.self))
    }
    guard isHighlighted else { return nil }
    let found = words.first { known.contains(String(decoding: $0, as: UTF8.self).lowercased()) }
    return found.map(Array.init)
  }

  private static let prefixes = [
    "language-", "lang-", "highlight-source-", "highlight-text-", "highlight-", "brush:", "src-",
    "sourceCode-", "code-", "hljs-lang-", "prism-",
  ].map { Array($0.utf8) }

  private static let highlighters: Set = [
    "hljs", "sourceCode", "highlight", "prettyprint", "src", "chroma", "prism", "shiki", "code",
    "codehilite", "syntaxhighlighter", "programlisting", "rouge", "highlighter-rouge",
  ]
  private static let known: Set = [
    "bash", "c", "c++", "clojure", "cpp", "cs", "csharp", "css", "dart", "diff", "dockerfile",
    "elixir", "erlang", "fortran", "fsharp", "go", "graphql", "groovy", "haskell", "html", "ini",
    "java", "javascript", "js", "json", "jsx", "julia", "kotlin", "latex", "less", "lisp", "lua",
    "makefile", "markdown", "matlab", "nim", "nix", "objc", "objectivec", "ocaml", "perl", "php",
    "powershell", "python", "py", "r", "ruby", "rust", "scala", "scheme", "scss", "sh", "shell",
    "sql", "swift", "toml", "ts", "tsx", "typescript", "vim", "xml", "yaml", "yml", "zig",
  ]
  /// Class names that do not name a language, and parts of highlighters' names.
  private static let none: Set = [
    "none", "text", "plain", "plaintext", "txt", "default", "nohighlight", "no-highlight", "block",
    "wrapper", "box", "container", "toolbar", "auto", "plain-text", "undefined", "snippet",
    "source", "example", "body", "content", "inner", "copy", "numbers", "highlight", "wrap",
    "table", "listing", "line", "lines", "code", "area", "group", "view", "frame",
  ]

  private static func plain(_ name: ArraySlice<UInt8>) -> [UInt8]? {
    guard (1...24).contains(name.count),
      name.allSatisfy({ isLetter($0) || isDigit($0) || "+-_#.".utf8.contains($0) }),
      !none.contains(String(decoding: name, as: UTF8.self).lowercased())
    else { return nil }
    return Array(name)
  }
}
