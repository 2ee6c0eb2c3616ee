import Core
import Testing

@testable import Postgres

/// Addresses of databases.
@Suite("addresses of PostgreSQL", .enabled(if: SystemLibrary.pq.isAvailable, "libpq is missing"))
struct PostgresAddressTests {
  @Test(arguments: [
    ("postgresql://hub@db1,db2/agentpipes?target_session_attrs=read-write", "db1,db2/agentpipes"),
    ("postgres://hub@db1:5433/agentpipes", "db1/agentpipes"),
    ("postgresql:///agentpipes", "agentpipes"),
    ("postgresql://hub@/agentpipes?host=/run/postgresql", "/run/postgresql/agentpipes"),
    ("postgresql://?service=agents", "postgresql"),
  ])
  func `the name has the hosts and the database, and no user`(url: String, name: String) throws {
    #expect(try PostgresAddress(url).name == name)
  }

  @Test(arguments: [
    "postgresql://hub:sesame@db1/agentpipes", "postgresql://db1/agentpipes?password=sesame",
    "postgresql://db1/agentpipes?sslpassword=sesame", "postgresql://hub:sesame@[::1/agentpipes",
    "postgresql://hub:%zzsesame@db1/agentpipes", "postgresql://db1/agentpipes?sesame=1",
    "host=db1 password=sesame", "sesame", "",
  ])
  func `a URL that is wrong or has a password is refused, and is not quoted`(url: String) {
    let failure = #expect(throws: Failure.self) { try PostgresAddress(url) }
    #expect(failure?.code == .badUsage)
    let words = [failure?.explanation, failure?.cause, failure?.input, failure?.nextStep]
    #expect(words.compactMap(\.self).allSatisfy { !$0.contains("sesame") })
    #expect(failure?.explanation.contains("\n") == false)
  }

  @Test func `what the URL sets replaces what keeps connections alive`() throws {
    func value(_ name: String, _ url: String) throws -> String? {
      try PostgresAddress(url).parameters.first { $0.name == name }?.value
    }
    #expect(try value("connect_timeout", "postgresql://db1/a") == "3")
    #expect(try value("connect_timeout", "postgresql://db1/a?connect_timeout=20") == "20")
    #expect(try value("client_encoding", "postgresql://db1/a?client_encoding=LATIN1") == "UTF8")
  }
}
