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

  /// `gemini --output-format stream-json`: a tool that fails, one that is refused, and thoughts.
  static let gemini = [
    #"{"type":"init","timestamp":"2026-11-20T12:00:00.000Z","session_id":"g1","model":"gemini-3-pro"}"#,
    #"{"type":"message","timestamp":"2026-11-20T12:00:00.001Z","role":"user","content":"SECRET?"}"#,
    #"{"type":"message","timestamp":"2026-11-20T12:00:00.500Z","role":"assistant","content":"SECRET ","delta":true}"#,
    #"{"type":"message","timestamp":"2026-11-20T12:00:00.600Z","role":"assistant","content":"words","delta":true}"#,
    #"{"type":"tool_use","timestamp":"2026-11-20T12:00:01.000Z","tool_name":"read_file","tool_id":"r-1","parameters":{"file_path":"SECRET"}}"#,
    #"{"type":"tool_result","timestamp":"2026-11-20T12:00:01.100Z","tool_id":"r-1","status":"error","error":{"type":"file_not_found","message":"no SECRET"}}"#,
    #"{"type":"tool_use","timestamp":"2026-11-20T12:00:02.000Z","tool_name":"run_shell_command","tool_id":"s-1","parameters":{"command":"rm SECRET"}}"#,
    #"{"type":"tool_result","timestamp":"2026-11-20T12:00:02.100Z","tool_id":"s-1","status":"error","error":{"type":"policy_violation","message":"denied"}}"#,
    #"{"type":"error","timestamp":"2026-11-20T12:00:02.200Z","severity":"warning","message":"loop detected"}"#,
    #"{"type":"novel","timestamp":"2026-11-20T12:00:02.300Z","text":"SECRET"}"#,
    #"{"type":"message","timestamp":"2026-11-20T12:00:02.500Z","role":"assistant","content":"Done.","delta":true}"#,
    #"{"type":"result","timestamp":"2026-11-20T12:00:03.000Z","status":"success","stats":{"total_tokens":137,"input_tokens":110,"output_tokens":22,"cached":30,"input":80,"duration_ms":3000,"tool_calls":2,"models":{"gemini-3-flash":{"total_tokens":12,"input_tokens":10,"output_tokens":2,"cached":0,"input":10},"gemini-3-pro":{"total_tokens":125,"input_tokens":100,"output_tokens":20,"cached":30,"input":70}}}}"#,
  ]

  /// `opencode run --format json`: a tool that fails, one that is refused, and two steps.
  static let openCode = [
    #"{"type":"step_start","timestamp":1795172400000,"sessionID":"ses_1","part":{"id":"prt_1","type":"step-start"}}"#,
    #"{"type":"tool_use","timestamp":1795172400001,"sessionID":"ses_1","part":{"id":"prt_2","type":"tool","callID":"call_1","tool":"bash","state":{"status":"error","input":{"command":"SECRET"},"error":"SECRET: no such file","time":{"start":1795172400000,"end":1795172401000}}}}"#,
    "! permission requested: external_directory (/tmp/*); auto-rejecting",
    #"{"type":"tool_use","timestamp":1795172400002,"sessionID":"ses_1","part":{"id":"prt_3","type":"tool","callID":"call_2","tool":"read","state":{"status":"error","input":{"filePath":"/tmp/SECRET"},"error":"The user rejected permission to use this specific tool call."}}}"#,
    #"{"type":"step_finish","timestamp":1795172400003,"sessionID":"ses_1","part":{"id":"prt_4","type":"step-finish","reason":"tool-calls","cost":0.05,"tokens":{"input":120,"output":60,"reasoning":5,"cache":{"read":12,"write":24}}}}"#,
    #"{"type":"text","timestamp":1795172400004,"sessionID":"ses_1","part":{"id":"prt_5","type":"text","text":"SECRET done"}}"#,
    #"{"type":"step_finish","timestamp":1795172400005,"sessionID":"ses_1","part":{"id":"prt_6","type":"step-finish","reason":"stop","cost":0.25,"tokens":{"input":10,"output":6,"reasoning":0,"cache":{"read":130,"write":0}}}}"#,
    #"{"type":"step_finish","timestamp":1795172400005,"sessionID":"ses_1","part":{"id":"prt_6","type":"step-finish","reason":"stop","cost":0.25,"tokens":{"input":10,"output":6,"reasoning":0,"cache":{"read":130,"write":0}}}}"#,
    #"{"type":"done","timestamp":1795172400006,"sessionID":"ses_1","reason":"idle","rejected":[{"permission":"external_directory"}]}"#,
  ]
}
