#!/usr/bin/env python3
"""Has composio-client, with its strict reading of answers, ask the server in composio_server.py.

    composio_client_check.py BASE KEY

The server must have been started with --plan '{"execute":[null,{"error":"refused"}]}'. Prints `accepted`.
"""

import sys
import urllib.request

import composio_client


def main():
    base, key = sys.argv[1:]
    client = composio_client.Composio(
        base_url=base, api_key=key, max_retries=0, _strict_response_validation=True
    )
    router = client.tool_router.session
    session = router.create(
        user_id="ana", toolkits={"enable": ["gmail"]}, preload={"tools": "all"}
    ).session_id
    assert router.retrieve(session).config.user_id == "ana"
    page = router.tools(session, limit=500)
    names = [tool.slug for tool in page.items]
    while page.next_cursor:
        page = router.tools(session, cursor=page.next_cursor)
        names += [tool.slug for tool in page.items]
    assert "GMAIL_SEND_EMAIL" in names and "COMPOSIO_SEARCH_TOOLS" in names, names
    assert client.tools.retrieve("GMAIL_SEND_EMAIL").toolkit.slug == "gmail"
    found = router.search(session, queries=[{"use_case": "send an email"}])
    assert found.results[0].primary_tool_slugs == ["GMAIL_SEND_EMAIL"]
    call = {"tool_slug": "GMAIL_SEND_EMAIL", "arguments": {"to": "a@example.org"}}
    try:
        router.execute(session, **call)
        raise AssertionError("executed without a connection")
    except composio_client.BadRequestError as error:
        assert error.body["error"]["slug"] == "ToolRouterV2_NoActiveConnection"
    link = router.link(session, toolkit="gmail")
    assert router.toolkits(session, toolkits=["gmail"]).items[0].connected_account is None
    urllib.request.urlopen(link.redirect_url).read()
    account = router.toolkits(session, toolkits=["gmail"]).items[0].connected_account
    assert account.status == "ACTIVE", account
    refused = router.execute(session, **call)
    assert refused.error == "refused" and refused.log_id, refused
    done = router.execute(session, **call)
    assert done.error is None and done.data["arguments"] == call["arguments"], done
    meta = router.execute_meta(session, slug="COMPOSIO_SEARCH_TOOLS", arguments={"queries": []})
    assert meta.log_id and meta.error is None
    for wrong, kind in [
        (lambda: router.retrieve("trs_none"), composio_client.NotFoundError),
        (lambda: client.with_options(api_key="no").tool_router.session.retrieve(session),
         composio_client.AuthenticationError),
    ]:
        try:
            wrong()
            raise AssertionError(kind)
        except kind:
            pass
    print("accepted")


if __name__ == "__main__":
    main()
