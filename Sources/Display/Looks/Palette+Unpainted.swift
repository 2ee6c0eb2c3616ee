extension Palette {
  /// A line without the sequences that a palette writes: CSI … m, and OSC … ST.
  static func unpainted(_ line: String) -> String {
    guard line.utf8.contains(0x1B) else { return line }
    var plain = String.UnicodeScalarView()
    var rest = line.unicodeScalars[...]
    while let first = rest.popFirst() {
      guard first == "\u{1B}" else {
        plain.append(first)
        continue
      }
      let ending: Unicode.Scalar = rest.popFirst() == "]" ? "\\" : "m"
      while let next = rest.popFirst(), next != ending {}
    }
    return String(plain)
  }
}
