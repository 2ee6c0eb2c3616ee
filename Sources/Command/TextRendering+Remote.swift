import Core

/// Keys, as lines for a person.
extension TextRendering {
  static func line(_ key: HostKeyRecord) -> String {
    columns([
      (key.status.rawValue, 8), (key.host, 24), (key.fingerprint, 50), (key.algorithm, 19),
      (key.file ?? "", 0),
    ])
  }

  static func line(_ key: KeyRecord) -> String {
    let secret: [(text: String, width: Int)] = [(key.name, 12), (key.masked, 20)]
    guard let fingerprint = key.fingerprint else {
      return columns(secret + [(key.source.rawValue, 0)])
    }
    return columns(secret + [(key.source.rawValue, 11), (fingerprint, 0)])
  }
}
