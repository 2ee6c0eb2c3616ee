public import Core

extension PrivateKey {
  /// The passphrase in a file: its first line.
  ///
  /// - Throws: `KeyUnreadable` where there is no such file; `PermissionDenied` where others may read it.
  public static func passphrase(inFile file: String) throws(Failure) -> String {
    guard let bytes = try PrivateFile.read(file) else {
      throw Failure(
        .keyUnreadable, "cannot open '\(Visible.line(file))': no such file", input: file)
    }
    let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    Secrets.register(text)
    return text
  }
}
