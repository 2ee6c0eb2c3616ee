import Core
import Testing

@testable import Display

/// Rows of keys on a terminal of 80 columns, where a fingerprint takes 50.
struct KeyRowTests {
  private let fingerprint = "SHA256:HUEVphjan5t47D5A2knxekKJBR+hpWXdMxRU6Pd3SaQ"
  private let text = RecordText(width: 80)

  @Test func `a host, its status and its fingerprint are whole`() throws {
    let record = HostKeyRecord(
      host: "[127.0.0.1]:34567", algorithm: "ssh-ed25519", fingerprint: fingerprint,
      status: .replaced, file: "/home/ann/.local/share/agentpipes/known_hosts")
    #expect(try text.text(record) == "[127.0.0.1]:34567   replaced  \(fingerprint)\n")
  }

  @Test func `a stored key's masked secret and its fingerprint are whole`() throws {
    let record = KeyRecord(
      name: "default", masked: "ed25…seed", source: .file, fingerprint: fingerprint)
    #expect(try text.text(record) == "default      ed25…seed  file  \(fingerprint)\n")
  }
}
