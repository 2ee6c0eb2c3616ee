import ArgumentParser
import Chats
import Command
import Core

@main
struct ChatLog: ToolGroup {
  static let configuration = toolConfiguration(
    "chat-log", abstract: "List, show, search and move what was said in chats",
    discussion: """
      Examples:
        chat-log list
        chat-log search 'WAL checkpoint' | jq -r .chatId | sort -u
        ssh laptop chat-log export | chat-log import
      """,
    subcommands: [
      ListChats.self,
    ])
}

struct ListChats: Tool {
  static let configuration = verbConfiguration("list", abstract: "List chats, the newest first")

  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let keys = session.keys(try session.configuration())
    guard let chats = try ChatStore.existing(in: session.directories, keys: keys) else { return }
    try session.write(try chats.chats())
  }
}
