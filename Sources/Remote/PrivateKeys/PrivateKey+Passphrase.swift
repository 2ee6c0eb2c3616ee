public import Core

extension PrivateKey {
  /// Reads a passphrase from the first line of the given file.
  ///
  /// - Throws: `KeyUnreadable` if the file does not exist; `PermissionDenied` if others may read
  ///   it.
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
