public import ArgumentParser
import Core
import Foundation
import Keys
import Requests

/// Completes ids and names by what is stored, while a person types.
///
/// Nothing is written, made or told; what cannot be read has no completions.
extension CompletionKind {
  /// Agents.
  public static var agents: CompletionKind { stored(.agent) }
  /// Swarms.
  public static var swarms: CompletionKind { stored(.swarm) }
  /// Skills and tools.
  public static var skills: CompletionKind { stored(.skill) }
  /// Incidents.
  public static var incidents: CompletionKind { stored(.incident) }
  /// Incidents that go on.
  public static var openIncidents: CompletionKind { stored(.openIncident) }
  /// Chats.
  public static var chats: CompletionKind { stored(.chat) }
  /// Answers that a chat may go on with: those of several models to one prompt.
  public static var answers: CompletionKind { stored(.answer) }
  /// Projects of chats.
  public static var projects: CompletionKind { stored(.project) }
  /// Hosts that this machine paired with.
  public static var hosts: CompletionKind { stored(.host) }
  /// Gates.
  public static var gates: CompletionKind { stored(.gate) }
  /// Gates that wait for a decision.
  public static var pendingGates: CompletionKind { stored(.pendingGate) }
  /// Pipelines.
  public static var pipelines: CompletionKind { stored(.pipeline) }

  /// Agents behind the word `agent`, and swarms behind the word `swarm`.
  public static var controlTargets: CompletionKind {
    .custom { words, index, _ in
      let before = words.prefix(max(0, index))
      let word = before.last { $0 == "agent" || $0 == "swarm" }
      return shown(names(word == "swarm" ? .swarm : .agent))
    }
  }

  /// What a threshold may be for: `all`, or something that alerts are about.
  public static var thresholdTargets: CompletionKind {
    .custom { _, _, _ in
      let all = StoredNames.Name(id: "all")
      return shown([all] + names(.swarm) + names(.agent) + names(.skill))
    }
  }

  /// Pipelines that can go on, behind `--resume`.
  public static var unfinishedPipelines: CompletionKind {
    .custom { words, _, _ in
      words.contains("--resume") ? shown(names(.unfinishedPipeline)) : []
    }
  }

  /// Secrets that may be stored: those of the providers, and those in the sealed file.
  public static var secrets: CompletionKind {
    .custom { _, _, _ in
      shown(KeyStore.likelyNames(in: directories).map { StoredNames.Name(id: $0) })
    }
  }

  /// Models that were added or described.
  public static var addedModels: CompletionKind {
    .custom { _, _, _ in
      let own = try? ConfigurationFile.read(directories.config + "/config.toml")
      let all = try? ModelsFile(directories).completing((own ?? nil) ?? Settings())
      return shown((all?.models.keys.sorted() ?? []).map { StoredNames.Name(id: $0) })
    }
  }

  private static func stored(_ kind: StoredNames.Kind) -> CompletionKind {
    .custom { _, _, _ in shown(names(kind)) }
  }

  private static var directories: Directories {
    Directories(environment: ProcessInfo.processInfo.environment)
  }

  private static func names(_ kind: StoredNames.Kind) -> [StoredNames.Name] {
    StoredNames(directories).names(kind)
  }

  /// The names as the shell that asks takes them, with what each is where it shows that.
  ///
  /// Names come from whoever ran an agent, and bash expands what it is offered: one that a shell
  /// would read as anything but a word is not offered.
  private static func shown(_ names: [StoredNames.Name]) -> [String] {
    names.filter { isWord($0.id) }.map { name in
      let text = name.text.map { String(Visible.line($0).prefix(60)) } ?? ""
      let isKnown = !text.isEmpty && text != name.id
      switch CompletionShell.requesting {
      case .some(.fish): return isKnown ? "\(name.id)\t\(text)" : name.id
      case .some(.zsh):
        let id = name.id.replacing(":", with: "\\:")
        return isKnown ? "\(id):\(text)" : id
      default: return name.id
      }
    }
  }

  private static func isWord(_ id: String) -> Bool {
    !id.isEmpty && id.count <= 200 && !id.hasPrefix("-")
      && id.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "._-+@:/%,".unicodeScalars.contains(scalar)
      }
  }
}
