public import ArgumentParser
public import Core
import Foundation
import Keys
import Storage

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
  /// A function that returns titles by id; the store alone has none of what is sealed.
  public typealias Titles = @Sendable (Directories) -> [String: String]

  /// Returns chats, with their titles.
  public static func chats(_ titles: @escaping Titles) -> CompletionKind { sealed(.chat, titles) }
  /// Returns projects of chats, with their names.
  public static func projects(_ titles: @escaping Titles) -> CompletionKind {
    sealed(.project, titles)
  }
  /// Answers that a chat may go on with: those of several models to one prompt.
  public static var answers: CompletionKind { stored(.answer) }
  /// Hosts that this machine paired with, and those of the configuration.
  public static var hosts: CompletionKind {
    .custom { _, _, _ in
      let paired = names(.host)
      let known = Set(paired.map(\.id))
      let configured = settings.hosts.filter { !known.contains($0.key) }
        .keys.sorted()
      return shown(paired + configured.map { StoredNames.Name(id: $0) })
    }
  }
  /// Hubs of the configuration.
  public static var hubs: CompletionKind {
    .custom { _, _, _ in shown(settings.hubs.keys.sorted().map { StoredNames.Name(id: $0) }) }
  }
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
    .custom { _, _, _ in shown(settings.models.keys.sorted().map { StoredNames.Name(id: $0) }) }
  }

  private static func sealed(
    _ kind: StoredNames.Kind, _ titles: @escaping Titles
  ) -> CompletionKind {
    .custom { _, _, _ in
      let titles = titles(directories)
      return shown(names(kind).map { StoredNames.Name(id: $0.id, text: titles[$0.id]) })
    }
  }

  private static func stored(_ kind: StoredNames.Kind) -> CompletionKind {
    .custom { _, _, _ in shown(names(kind)) }
  }

  static var directories: Directories {
    Directories(environment: ProcessInfo.processInfo.environment)
  }

  /// The configuration, with the models that were added; that of a file with a mistake is empty.
  static var settings: Settings {
    let own = (try? ConfigurationFile.read(directories.config + "/config.toml")) ?? nil
    return (try? ModelsFile(directories).completing(own ?? Settings())) ?? own ?? Settings()
  }

  private static func names(_ kind: StoredNames.Kind) -> [StoredNames.Name] {
    StoredNames(directories).names(kind)
  }

  /// Returns the names as the shell that asks takes them, with titles.
  ///
  /// Names come from whoever ran an agent, and a shell obeys what it is offered: a name that a shell
  /// would read as anything but a word is not offered. An older script for bash expands titles, too;
  /// ours sets a variable to ask for them.
  static func shown(_ names: [StoredNames.Name]) -> [String] {
    let takesTitles = ProcessInfo.processInfo.environment["SAP_TITLES"] != nil
    return names.filter { isWord($0.id) }.map { name in
      let text = name.text.map { String(Visible.line($0).prefix(60)) } ?? ""
      let isKnown = !text.isEmpty && text != name.id
      switch CompletionShell.requesting {
      case .some(.fish): return isKnown ? "\(name.id)\t\(text)" : name.id
      case .some(.bash): return isKnown && takesTitles ? "\(name.id)\t\(text)" : name.id
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
