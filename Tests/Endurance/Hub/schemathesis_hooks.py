"""What schemathesis is told of hub-serve: lines of JSON and protobuf are bytes."""

import schemathesis


@schemathesis.serializer("application/x-ndjson", "application/x-protobuf")
def text(context, value):
    return value if isinstance(value, bytes) else str(value).encode()
