import ArgumentParser
import Command

@main
struct PairTool: ToolGroup {
  static let configuration = toolConfiguration(
    "pair", abstract: "Pair devices with hosts",
    discussion: """
      Examples:
        pair start
        pair complete http://192.168.1.20:7878 --code 123456 --name mac
        pair status | jq .connected
        pair register http://build:7878 --code K7M4Q-2XWPT
        pair page --scope read
      """,
    subcommands: [
      StartPairing.self, CompletePairing.self, ShowStatus.self, ListPairedDevices.self,
      RevokePaired.self, Disconnect.self, ListHosts.self, ForgetHost.self, RegisterDevice.self,
      SignInBrowser.self,
    ])
}
