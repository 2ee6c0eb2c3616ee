"""What schemathesis is told of hub-serve: lines of JSON and protobuf are bytes, and companions have no token."""

import os
import pathlib
import sys
import urllib.parse

import schemathesis

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import contract_companion as companion


@schemathesis.serializer("application/x-ndjson", "application/x-protobuf")
def text(context, value):
    return value if isinstance(value, bytes) else str(value).encode()


def is_operators(operation):
    """Whether the operator asks this."""
    return operation.path == "/companion/pairing/start" or operation.method.upper() == "DELETE"


def without_token(request):
    request.headers.pop("Authorization", None)
    return request


@schemathesis.hook
def before_call(context, case, kwargs):
    """A companion is known by its address."""
    if case.operation.path.startswith("/companion/") and not is_operators(case.operation):
        kwargs["auth"] = without_token


@schemathesis.hook
def after_call(context, case, response):
    """The companion that reads pairs again, where it let go of the hub or may have been shut out."""
    ends = case.operation.path == "/companion/disconnect" or case.operation.method.upper() == "DELETE"
    if ends and response.status_code == 200:
        port = urllib.parse.urlsplit(response.request.url).port
        companion.pair(port, os.environ["HUB_TOKEN"], "reader")
