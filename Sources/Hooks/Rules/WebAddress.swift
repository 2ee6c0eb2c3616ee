import Core

/// Addresses of pages, in the form in which rules name them.
enum WebAddress {
  /// Returns the given address as most programs read it: without white space and user, with the
  /// host in lower case, without the usual port, and without `.` and `..`.
  static func plain(_ address: String) -> String {
    let kept = address.unicodeScalars.filter { $0.value > 32 && !$0.properties.isWhitespace }
    let text = String(String.UnicodeScalarView(kept)).replacing("\\", with: "/")
    guard let mark = text.firstRange(of: ":") else { return text }
    let scheme = text[..<mark.lowerBound].lowercased()
    let rest = text[mark.upperBound...].drop { $0 == "/" }
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    var host = (rest[..<end].split(separator: "@").last ?? "").lowercased()
    for port in [":80", ":443", "."] where host.hasSuffix(port) { host.removeLast(port.count) }
    let tail = rest[end...]
    let path = tail.prefix { $0 != "?" && $0 != "#" }
    let folders = String(path).replacing("%2e", with: ".").replacing("%2E", with: ".")
    let isOpen = folders.hasSuffix("/") && folders.count > 1
    let whole = FilePath.whole(folders, in: "") + (isOpen ? "/" : "")
    return "\(scheme)://\(host)\(whole)\(tail.dropFirst(path.count))"
  }
}
