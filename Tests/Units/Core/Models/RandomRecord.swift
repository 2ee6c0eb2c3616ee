@testable import Core
import TestSupport

/// Makes values of every record type, with every optional member now present, now absent.
extension SeededRandom {
  mutating func timestamp() -> Timestamp {
    Timestamp(milliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &self))
  }

  mutating func number() -> Double {
    switch Int.random(in: 0..<4, using: &self) {
    case 0: 0
    case 1: .random(in: 0...1, using: &self)
    case 2: .random(in: -1e12...1e12, using: &self)
    default: Double(Int.random(in: -1000...1000, using: &self)) / 1e6
    }
  }

  mutating func count() -> Int {
    chance(8) ? one(of: [.max, .min, 1 << 53], else: 0) : .random(in: 0...1_000_000, using: &self)
  }

  mutating func labels() -> [String: String]? {
    maybe { random in
      var labels: [String: String] = [:]
      for _ in 0..<3 { labels[random.text()] = random.text() }
      return labels
    }
  }

  mutating func failure() -> Failure {
    Failure(
      one(of: FailureCode.allCases, else: .badInput), text(),
      kind: maybe { FailureKind(rawValue: $0.text()) },
      retryAfterSeconds: maybe { $0.number() }, status: maybe { $0.count() },
      url: maybe { $0.text() }, redirects: maybe { $0.texts() }, input: maybe { $0.text() },
      cause: maybe { $0.text() })
  }

  mutating func usage() -> Usage {
    Usage(
      inputTokens: count(), outputTokens: count(), cacheReadTokens: count(),
      cacheWriteTokens: count(), cacheWrite1hTokens: maybe { $0.count() },
      reasoningTokens: maybe { $0.count() })
  }

  mutating func texts() -> [String] {
    (0..<Int.random(in: 0...3, using: &self)).map { _ in text() }
  }

  mutating func role() -> Role { chance(4) ? Role(rawValue: text()) : .producer }

  mutating func goal() -> Goal {
    Goal(text: text()).with {
      $0.project = maybe { $0.text() }
      $0.urls = maybe { $0.texts() }
      $0.labels = labels()
    }
  }

  mutating func pipeline() -> Pipeline {
    Pipeline(id: text(), goal: text()).with {
      $0.project = maybe { $0.text() }
      $0.status = one(of: PipelineStatus.allCases, else: .waiting)
      $0.stageCount = maybe { $0.count() }
      $0.model = maybe { $0.text() }
      $0.usage = maybe { $0.usage() }
      $0.costUSD = maybe { $0.number() }
      $0.createdAt = maybe { $0.timestamp() }
      $0.finishedAt = maybe { $0.timestamp() }
      $0.error = maybe { $0.failure() }
      $0.labels = labels()
    }
  }

  mutating func source() -> Source {
    Source(
      url: text(), status: maybe { $0.count() }, characters: maybe { $0.count() },
      truncated: maybe { $0.chance(2) }, error: maybe { $0.failure() })
  }

  mutating func stage() -> Stage {
    Stage(id: text(), pipelineId: text(), position: count(), role: role(), task: text()).with {
      $0.researchURLs = maybe { $0.texts() }
      $0.status = one(of: StageStatus.allCases, else: .waiting)
      $0.approved = chance(2)
      $0.model = maybe { $0.text() }
      $0.temperature = maybe { $0.number() }
      $0.usage = maybe { $0.usage() }
      $0.costUSD = maybe { $0.number() }
      $0.startedAt = maybe { $0.timestamp() }
      $0.finishedAt = maybe { $0.timestamp() }
      $0.sources = maybe { [$0.source(), $0.source()] }
      $0.stopReason = maybe { $0.text() }
      $0.error = maybe { $0.failure() }
      $0.labels = labels()
    }
  }

  mutating func artifact() -> Artifact {
    Artifact(id: text(), role: role(), title: text(), content: text(), createdAt: timestamp()).with
    {
      $0.pipelineId = maybe { $0.text() }
      $0.stageId = maybe { $0.text() }
      $0.project = maybe { $0.text() }
      $0.kind = text()
      $0.model = maybe { $0.text() }
      $0.filePath = maybe { $0.text() }
      $0.labels = labels()
    }
  }

  mutating func page() -> Page {
    Page(pageOrigin(), pageFacts())
  }

  private mutating func pageOrigin() -> PageOrigin {
    var origin = PageOrigin(url: text())
    origin.path = maybe { $0.text() }
    origin.project = maybe { $0.text() }
    origin.finalURL = maybe { $0.text() }
    origin.redirects = maybe { $0.texts() }
    origin.downgraded = maybe { $0.chance(2) }
    origin.robots = maybe { $0.text() }
    origin.status = maybe { $0.count() }
    origin.contentType = maybe { $0.text() }
    origin.bytes = maybe { $0.count() }
    origin.partial = maybe { $0.chance(2) }
    origin.fetchedAt = maybe { $0.timestamp() }
    origin.fromCache = maybe { $0.chance(2) }
    origin.timing = maybe { PageTiming(nameLookupMs: $0.number(), totalMs: $0.number()) }
    origin.error = maybe { $0.failure() }
    origin.labels = labels()
    return origin
  }

  private mutating func pageFacts() -> PageFacts {
    var facts = PageFacts()
    facts.charset = maybe { $0.text() }
    facts.title = maybe { $0.text() }
    facts.author = maybe { $0.text() }
    facts.text = maybe { $0.text() }
    facts.markdown = maybe { $0.text() }
    facts.characters = maybe { $0.count() }
    facts.truncated = maybe { $0.chance(2) }
    facts.links = maybe { [PageLink(url: $0.text(), text: $0.text())] }
    return facts
  }

  mutating func message() -> Message {
    Message(role: text(), text: text()).with {
      $0.id = maybe { $0.text() }
      $0.chatId = maybe { $0.text() }
      $0.project = maybe { $0.text() }
      $0.model = maybe { $0.text() }
      $0.usage = maybe { $0.usage() }
      $0.costUSD = maybe { $0.number() }
      $0.stopReason = maybe { $0.text() }
      $0.complete = maybe { $0.chance(2) }
      $0.createdAt = maybe { $0.timestamp() }
      $0.labels = labels()
    }
  }

  mutating func gate() -> ApprovalGate {
    var gate = ApprovalGate(
      ts: Int64(count()), gateId: text(), status: one(of: GateStatus.allCases, else: .pending),
      summary: text(), requestedAt: timestamp())
    gate.id = maybe { $0.text() }
    gate.expiresAt = maybe { $0.timestamp() }
    gate.requestedBy = maybe { $0.text() }
    gate.agentId = maybe { $0.text() }
    gate.pipelineId = maybe { $0.text() }
    gate.stageId = maybe { $0.text() }
    gate.revision = count()
    gate.context = maybe { GateContext(why: $0.text(), risk: $0.maybe { $0.text() }) }
    gate.webUrl = maybe { $0.text() }
    gate.labels = labels()
    return gate
  }

  mutating func receipt() -> DecisionReceipt {
    DecisionReceipt(
      requestId: text(), gateId: text(), decision: chance(2) ? .approve : .reject,
      status: one(of: GateStatus.allCases, else: .pending), reason: maybe { $0.text() },
      actor: text(), ts: Int64(count()), replayed: chance(2), labels: labels())
  }

  mutating func delta() -> Delta {
    Delta(model: text(), text: text()).with {
      $0.stageId = maybe { $0.text() }
      $0.messageId = maybe { $0.text() }
      $0.labels = labels()
    }
  }

  mutating func file() -> FileRecord {
    FileRecord(
      path: text(), status: one(of: FileStatus.allCases, else: .created), bytes: count(),
      sha256: text()
    ).with {
      $0.artifactId = maybe { $0.text() }
      $0.labels = labels()
    }
  }

  mutating func key() -> KeyRecord {
    KeyRecord(
      name: text(), masked: text(), source: one(of: KeySource.allCases, else: .file),
      labels: labels())
  }

  mutating func errorRecord() -> ErrorRecord {
    var record = ErrorRecord(failure(), tool: maybe { $0.text() })
    record.labels = labels()
    return record
  }

  mutating func url() -> URLRecord { URLRecord(url: text(), labels: labels()) }
}
