/// What coding agents print, made up by the forms that their sources and pages tell.
enum Fixtures {
  /// `claude -p --output-format stream-json --verbose`: two tools at once, one of them an agent that
  /// calls a tool itself.
  static let claude = [
    #"{"type":"system","subtype":"init","cwd":"/tmp","session_id":"c1","tools":["Bash","Read"],"mcp_servers":[],"model":"claude-opus-4-6","permissionMode":"default","apiKeySource":"none","uuid":"u1"}"#,
    #"{"type":"assistant","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"SECRET: let me look a"}],"stop_reason":null,"usage":{"input_tokens":4,"cache_creation_input_tokens":900,"cache_read_input_tokens":15000,"output_tokens":2}},"parent_tool_use_id":null,"session_id":"c1","uuid":"u2"}"#,
    #"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"SECRET"}},"session_id":"c1","uuid":"u3"}"#,
    #"{"type":"assistant","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4-6","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"cat SECRET"}}],"usage":{"input_tokens":4,"cache_creation_input_tokens":900,"cache_read_input_tokens":15000,"output_tokens":30}},"parent_tool_use_id":null,"session_id":"c1","uuid":"u4"}"#,
    #"{"type":"assistant","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4-6","content":[{"type":"tool_use","id":"toolu_2","name":"Task","input":{"prompt":"SECRET"}}],"usage":{"input_tokens":4,"cache_creation_input_tokens":900,"cache_read_input_tokens":15000,"output_tokens":60}},"parent_tool_use_id":null,"session_id":"c1","uuid":"u5"}"#,
    #"{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":"SECRET: no such file","is_error":true}]},"parent_tool_use_id":null,"session_id":"c1","uuid":"u6"}"#,
    #"{"type":"assistant","message":{"id":"msg_2","type":"message","role":"assistant","model":"claude-haiku-4-5","content":[{"type":"tool_use","id":"toolu_3","name":"Read","input":{"file_path":"SECRET"}}],"usage":{"input_tokens":300,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":9}},"parent_tool_use_id":"toolu_2","session_id":"c1","uuid":"u7"}"#,
    #"{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_3","type":"tool_result","content":[{"type":"text","text":"SECRET text"}]}]},"parent_tool_use_id":"toolu_2","session_id":"c1","uuid":"u8"}"#,
    #"{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_2","type":"tool_result","content":[{"type":"text","text":"SECRET of a agent"}]}]},"parent_tool_use_id":null,"session_id":"c1","uuid":"u9"}"#,
    #"{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"},"session_id":"c1","uuid":"u10"}"#,
    #"{"type":"assistant","message":{"id":"msg_3","type":"message","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"Done"}],"usage":{"input_tokens":2,"cache_creation_input_tokens":0,"cache_read_input_tokens":16000,"output_tokens":4}},"parent_tool_use_id":null,"session_id":"c1","uuid":"u11"}"#,
    #"{"type":"result","subtype":"success","is_error":false,"duration_ms":11419,"duration_api_ms":7754,"num_turns":3,"result":"SECRET","session_id":"c1","total_cost_usd":0.0523,"usage":{"input_tokens":6,"cache_creation_input_tokens":900,"cache_read_input_tokens":31000,"output_tokens":64},"modelUsage":{"claude-opus-4-6":{"inputTokens":6,"outputTokens":64,"cacheReadInputTokens":31000,"cacheCreationInputTokens":900,"webSearchRequests":0,"costUSD":0.0513,"contextWindow":200000},"claude-haiku-4-5":{"inputTokens":300,"outputTokens":9,"cacheReadInputTokens":0,"cacheCreationInputTokens":0,"webSearchRequests":0,"costUSD":0.001,"contextWindow":200000}},"permission_denials":[],"uuid":"u12"}"#,
  ]

  /// `codex exec --json`: two turns of one thread, whose usage grows.
  static let codex = [
    #"{"type":"thread.started","thread_id":"0199a213-81c0-7800-8aa1-bbab2a035a53"}"#,
    #"{"type":"turn.started"}"#,
    #"{"type":"item.completed","item":{"id":"item_0","type":"reasoning","text":"SECRET"}}"#,
    #"{"type":"item.started","item":{"id":"item_1","type":"command_execution","command":"bash -lc 'ls SECRET'","aggregated_output":"","exit_code":null,"status":"in_progress"}}"#,
    #"{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"bash -lc 'ls SECRET'","aggregated_output":"SECRET","exit_code":2,"status":"failed"}}"#,
    #"{"type":"item.started","item":{"id":"item_2","type":"mcp_tool_call","server":"docs","tool":"search","arguments":{"q":"SECRET"},"result":null,"error":null,"status":"in_progress"}}"#,
    #"{"type":"item.completed","item":{"id":"item_2","type":"mcp_tool_call","server":"docs","tool":"search","arguments":{"q":"SECRET"},"result":{"content":[],"structured_content":null},"error":null,"status":"completed"}}"#,
    #"{"type":"item.completed","item":{"id":"item_3","type":"file_change","changes":[{"path":"SECRET","kind":"update"}],"status":"completed"}}"#,
    #"{"type":"item.completed","item":{"id":"item_4","type":"agent_message","text":"SECRET done."}}"#,
    #"{"type":"turn.completed","usage":{"input_tokens":1200,"cached_input_tokens":200,"output_tokens":345}}"#,
    #"{"type":"turn.started"}"#,
    #"{"type":"item.started","item":{"id":"item_5","type":"web_search","query":"SECRET","action":{"type":"other"}}}"#,
    #"{"type":"turn.completed","usage":{"input_tokens":2000,"cached_input_tokens":500,"output_tokens":400}}"#,
    #"{"type":"turn.failed","error":{"message":"stream disconnected"}}"#,
  ]
}
