"""Writes the bodies beside it: what OpenTelemetry's SDK for Python sends of one made-up run.

The clock and the ids are fixed. Whichever exporter is installed is taken, each in a virtual
environment of its own: opentelemetry-exporter-otlp-proto-http gives NAME.bin, and
opentelemetry-exporter-otlp-json-http NAME.json.

With an address the same is sent there, and nothing is written; how, OTEL_EXPORTER_OTLP_HEADERS and
OTEL_EXPORTER_OTLP_COMPRESSION say.

usage: python capture.py [ADDRESS]
"""

import http.server
import itertools
import logging
import pathlib
import sys
import threading
import time

BEGINNING = 1_772_013_600_000_000_000


class Clock:
    """Goes on with each look at it, of the thread that makes the run."""

    now = BEGINNING

    @staticmethod
    def look():
        if threading.current_thread() is threading.main_thread():
            Clock.now += 1_500_000
        return Clock.now


time.time_ns = Clock.look
time.time = lambda: Clock.look() / 1e9

from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler  # noqa: E402
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor  # noqa: E402
from opentelemetry.sdk.metrics import Histogram, MeterProvider  # noqa: E402
from opentelemetry.sdk.metrics.export import InMemoryMetricReader  # noqa: E402
from opentelemetry.sdk.metrics.view import (  # noqa: E402
    ExponentialBucketHistogramAggregation,
    View,
)
from opentelemetry.sdk.resources import Resource  # noqa: E402
from opentelemetry.sdk.trace import TracerProvider  # noqa: E402
from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: E402
from opentelemetry.sdk.trace.id_generator import IdGenerator  # noqa: E402
from opentelemetry.trace import SpanKind  # noqa: E402

try:
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import (
        OTLPMetricExporter,
    )
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    ENDING = "bin"
except ImportError:
    from opentelemetry.exporter.otlp.json.http._log_exporter import OTLPLogExporter
    from opentelemetry.exporter.otlp.json.http.metric_exporter import (
        OTLPMetricExporter,
    )
    from opentelemetry.exporter.otlp.json.http.trace_exporter import OTLPSpanExporter

    ENDING = "json"

FOLDER = pathlib.Path(__file__).parent


class FixedIds(IdGenerator):
    """Ids that count up."""

    def __init__(self):
        self.next = itertools.count(1)

    def generate_span_id(self):
        return 0xA000000000000000 + next(self.next)

    def generate_trace_id(self):
        return 0xB0000000000000000000000000000000 + next(self.next)


class Capture(http.server.BaseHTTPRequestHandler):
    """Keeps what is sent to it; log records come one by one."""

    bodies = {}

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        name = self.path.rsplit("/", 1)[-1]
        Capture.bodies.setdefault(name, []).append(body)
        self.send_response(200)
        self.send_header("Content-Type", self.headers["Content-Type"])
        answer = b"{}" if ENDING == "json" else b""
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


def send_spans(resource, address):
    provider = TracerProvider(resource=resource, id_generator=FixedIds())
    provider.add_span_processor(
        BatchSpanProcessor(OTLPSpanExporter(endpoint=f"{address}/v1/traces"))
    )
    tracer = provider.get_tracer("maker", "1.2")
    with tracer.start_as_current_span(
        "invoke_agent planner",
        attributes={
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": "planner",
            "gen_ai.conversation.id": "talk-1",
        },
    ):
        with tracer.start_as_current_span(
            "chat big-model",
            kind=SpanKind.CLIENT,
            attributes={
                "gen_ai.operation.name": "chat",
                "gen_ai.system": "example",
                "gen_ai.request.model": "big-model",
                "gen_ai.usage.prompt_tokens": 1200,
                "gen_ai.usage.completion_tokens": 34,
                "gen_ai.response.finish_reasons": ["stop", "length"],
                "gen_ai.request.temperature": 0.25,
                "gen_ai.request.stream": True,
            },
        ):
            pass
        try:
            with tracer.start_as_current_span(
                "execute_tool read_file",
                attributes={
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": "read_file",
                },
                record_exception=False,
            ) as span:
                span.add_event("opened", {"path": "notes.md", "size": 12})
                span.add_event("exception", {"exception.type": "FileNotFoundError"})
                raise FileNotFoundError("no notes.md — ‘gone’")
        except FileNotFoundError:
            pass
    provider.shutdown()


def without_folder(record):
    record.pathname = pathlib.Path(record.pathname).name
    return True


def send_logs(resource, address):
    provider = LoggerProvider(resource=resource)
    provider.add_log_record_processor(
        BatchLogRecordProcessor(OTLPLogExporter(endpoint=f"{address}/v1/logs"))
    )
    logger = logging.Logger("maker")
    logger.addFilter(without_folder)
    logger.addHandler(LoggingHandler(logger_provider=provider))
    logger.debug("a detail")
    logger.info("line %d of %s", 2, "many", extra={"gen_ai.conversation.id": "talk-1"})
    logger.warning({"free": 0.1, "disk": ["a", "b"], "full": True})
    logger.error("it broke", extra={"gen_ai.tool.name": "read_file"})
    logger.critical("it is over")
    provider.shutdown()


def send_metrics(resource, address):
    reader = InMemoryMetricReader()
    provider = MeterProvider(
        [reader],
        resource=resource,
        views=[
            View(
                instrument_name="reach",
                instrument_type=Histogram,
                aggregation=ExponentialBucketHistogramAggregation(),
            )
        ],
    )
    meter = provider.get_meter("maker", "1.2")
    meter.create_counter("calls", unit="1").add(3, {"gen_ai.tool.name": "read_file"})
    meter.create_up_down_counter("open").add(-2)
    meter.create_gauge("heat", unit="Cel").set(36.6, {"place": "desk"})
    duration = meter.create_histogram("gen_ai.client.operation.duration", unit="s")
    for seconds in [0.5, 1.25, 7.0]:
        duration.record(seconds, {"gen_ai.operation.name": "chat"})
    reach = meter.create_histogram("reach")
    for metres in [1, 10, 1000]:
        reach.record(metres)
    OTLPMetricExporter(endpoint=f"{address}/v1/metrics").export(reader.get_metrics_data())


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Capture)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    if len(sys.argv) > 1:
        address = sys.argv[1]
    resource = Resource(
        {
            "service.name": "planner-service",
            "service.namespace": "makers",
            "service.instance.id": "planner-1",
            "telemetry.sdk.language": "python",
            "team": "tools",
        }
    )
    for send in [send_spans, send_logs, send_metrics]:
        # How often an exporter looks at the clock does not matter.
        Clock.now = BEGINNING
        send(resource, address)
    server.shutdown()
    for name, bodies in Capture.bodies.items():
        for index, body in enumerate(bodies):
            number = f"-{index + 1}" if len(bodies) > 1 else ""
            (FOLDER / f"{name}{number}.{ENDING}").write_bytes(body)


if __name__ == "__main__":
    main()
