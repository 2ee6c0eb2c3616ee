public import Core

/// The decoding of records in a stream, so that they can be shown.
public enum ShownRecord {
  private static let types: [String: any StreamRecord.Type] = {
    let types: [any StreamRecord.Type] = [
      Pipeline.self, Stage.self, Artifact.self, Page.self, Message.self, Chat.self, Project.self,
      Delta.self, ToolCall.self, ToolResult.self, FileRecord.self, ApprovalGate.self,
      DecisionReceipt.self, ControlReceipt.self, Delivery.self, Agent.self,
      Swarm.self, Incident.self, ResponseTimes.self, Overview.self, ContextHealth.self,
      SkillHealth.self,
      TerminalSession.self, Threshold.self, AuditEntry.self, URLRecord.self, UsageSum.self,
      ModelRecord.self, PriceChange.self, Check.self, ToolRecord.self, Device.self, Pairing.self,
      PairedHost.self, PairingStatus.self, Adoption.self,
    ]
    return Dictionary(uniqueKeysWithValues: types.map { ($0.type, $0) })
  }()

  /// Decodes the given record.
  ///
  /// - Returns: The record; nil if its type is unknown or it is malformed.
  public static func decoded(_ record: RawRecord) -> (any StreamRecord)? {
    guard let type = types[record.type] else { return nil }
    return try? type.init(record)
  }
}
