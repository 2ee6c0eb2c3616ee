import Foundation

/// The tools, in the order of their use.
enum ListedTools {
  /// The name of each tool, and the abstract of its help.
  static let abstracts: [(tool: String, abstract: String)] = [
    ("ceo-plan", "Turn a goal into a pipeline of stages"),
    ("stage-run", "Run stages, in order, with approval"),
    ("web-fetch", "Turn URLs into clean text"),
    ("export-md", "Write records as Markdown files"),
    ("chat-send", "Send a prompt to one or more models"),
    ("tool-call", "List, search and call tools"),
    ("chat-log", "List, search and move chats"),
    ("key-store", "Keep secrets in the system's keyring"),
    ("gate-decide", "Approve or reject gates"),
    ("stream-tail", "Follow live events"),
    ("agent-run", "Run any command as a watched, steerable agent"),
    ("agent-adopt", "Report sessions of other programs as agents"),
    ("agent-stat", "Show the state of agents"),
    ("agent-control", "Pause, resume and terminate agents"),
    ("push-notify", "Send alerts to people"),
    ("tmux-attach", "See a remote tmux session, read-only"),
    ("model-list", "List and describe models"),
    ("image-make", "Make pictures from a description"),
    ("hub-serve", "Serve the live stream and the API"),
    ("pair", "Pair devices with hosts"),
    ("link-open", "Open an ayna: link, once you agree"),
  ]

  /// The tools, one on each line.
  static var text: String {
    abstracts.map { tool, abstract in
      "\(tool.padding(toLength: 15, withPad: " ", startingAt: 0))\(abstract)\n"
    }.joined()
  }
}
