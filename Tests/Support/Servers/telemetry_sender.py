"""Sends telemetry with the exporters of OpenTelemetry's SDK, for tests.

  telemetry_sender.py export grpc|http ENDPOINT FILE…
      Exports the bodies of OTLP in JSON that the files hold; prints the result of each.
  telemetry_sender.py call ADDRESS METHOD [--bytes N] [--times N] [--token T] [--gzip]
      Calls a method over gRPC with a message of N zero bytes, several times on one connection at
      once; prints each different outcome with its count.

Exporters take the token and the compression from the SDK's own variables.
"""

import argparse
import collections
import json
import pathlib
import sys

import grpc
from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter as GRPCLogs
from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter as GRPCMetrics
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter as GRPCSpans
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter as HTTPLogs
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter as HTTPMetrics
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter as HTTPSpans
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
from opentelemetry.sdk.metrics.export import (
    AggregationTemporality,
    Metric,
    MetricsData,
    NumberDataPoint,
    ResourceMetrics,
    ScopeMetrics,
    Sum,
)
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, SpanKind, TraceFlags

EXPORTERS = {
    "grpc": (GRPCLogs, GRPCMetrics, GRPCSpans),
    "http": (HTTPLogs, HTTPMetrics, HTTPSpans),
}


def value(json_value):
    ((kind, content),) = json_value.items()
    return int(content) if kind == "intValue" else content


def attributes(members):
    return {each["key"]: value(each["value"]) for each in members.get("attributes", [])}


class Counted:
    """An exporter of logs that remembers its results."""

    def __init__(self, exporter):
        self.exporter = exporter
        self.results = []

    def export(self, batch):
        self.results.append(self.exporter.export(batch))
        return self.results[-1]

    def shutdown(self):
        self.exporter.shutdown()

    def force_flush(self, timeout_millis=30000):
        return True


def export_logs(body, exporter):
    counted = Counted(exporter)
    for group in body["resourceLogs"]:
        provider = LoggerProvider(resource=Resource(attributes(group["resource"])))
        provider.add_log_record_processor(SimpleLogRecordProcessor(counted))
        for scope in group["scopeLogs"]:
            logger = provider.get_logger(scope.get("scope", {}).get("name", ""))
            for record in scope["logRecords"]:
                logger.emit(
                    LogRecord(
                        timestamp=int(record["timeUnixNano"]),
                        observed_timestamp=int(record["timeUnixNano"]),
                        severity_number=SeverityNumber(record.get("severityNumber", 9)),
                        body=value(record.get("body", {"stringValue": ""})),
                        attributes=attributes(record),
                    )
                )
    return counted.results


def points(data):
    for point in data["dataPoints"]:
        yield NumberDataPoint(
            attributes=attributes(point),
            start_time_unix_nano=int(point["startTimeUnixNano"]),
            time_unix_nano=int(point["timeUnixNano"]),
            value=int(point["asInt"]) if "asInt" in point else point["asDouble"],
        )


def export_metrics(body, exporter):
    groups = []
    for group in body["resourceMetrics"]:
        scopes = []
        for scope in group["scopeMetrics"]:
            metrics = [
                Metric(
                    name=metric["name"],
                    description="",
                    unit=metric.get("unit", ""),
                    data=Sum(
                        data_points=list(points(metric["sum"])),
                        aggregation_temporality=AggregationTemporality(
                            metric["sum"]["aggregationTemporality"]
                        ),
                        is_monotonic=True,
                    ),
                )
                for metric in scope["metrics"]
            ]
            name = scope.get("scope", {}).get("name", "")
            scopes.append(ScopeMetrics(InstrumentationScope(name), metrics, ""))
        groups.append(ResourceMetrics(Resource(attributes(group["resource"])), scopes, ""))
    return [exporter.export(MetricsData(groups))]


def context(trace, span):
    return SpanContext(int(trace, 16), int(span, 16), False, TraceFlags(1)) if span else None


def export_spans(body, exporter):
    spans = [
        ReadableSpan(
            name=span["name"],
            context=context(span["traceId"], span["spanId"]),
            parent=context(span["traceId"], span.get("parentSpanId")),
            resource=Resource(attributes(group["resource"])),
            attributes=attributes(span),
            kind=SpanKind.INTERNAL,
            instrumentation_scope=InstrumentationScope(scope.get("scope", {}).get("name", "")),
            start_time=int(span["startTimeUnixNano"]),
            end_time=int(span["endTimeUnixNano"]),
        )
        for group in body["resourceSpans"]
        for scope in group["scopeSpans"]
        for span in scope["spans"]
    ]
    return [exporter.export(spans)]


def export(options):
    logs, metrics, spans = EXPORTERS[options.protocol]
    paths = {"logs": "", "metrics": "", "traces": ""}
    if options.protocol == "http":
        paths = {signal: f"/v1/{signal}" for signal in paths}
    for file in options.files:
        body = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
        if "resourceLogs" in body:
            results = export_logs(body, logs(endpoint=options.endpoint + paths["logs"]))
        elif "resourceMetrics" in body:
            results = export_metrics(body, metrics(endpoint=options.endpoint + paths["metrics"]))
        else:
            results = export_spans(body, spans(endpoint=options.endpoint + paths["traces"]))
        outcome = "SUCCESS" if all(each.name == "SUCCESS" for each in results) else "FAILURE"
        print(pathlib.Path(file).stem, outcome)


def call(options):
    metadata = [("authorization", f"Bearer {options.token}")] if options.token else []
    compression = grpc.Compression.Gzip if options.gzip else grpc.Compression.NoCompression
    outcomes = collections.Counter()
    with grpc.insecure_channel(
        options.address, options=[("grpc.max_send_message_length", -1)]
    ) as channel:
        method = channel.unary_unary(options.method)
        calls = [
            method.future(bytes(options.bytes), metadata=metadata, compression=compression)
            for _ in range(options.times)
        ]
        for each in calls:
            try:
                outcomes[f"OK, {len(each.result())} bytes"] += 1
            except grpc.RpcError as error:
                outcomes[f"{error.code().name}: {error.details()}"] += 1
    for outcome, count in sorted(outcomes.items()):
        print(count, outcome)


def main():
    parser = argparse.ArgumentParser()
    verbs = parser.add_subparsers(required=True)
    exporting = verbs.add_parser("export")
    exporting.add_argument("protocol", choices=EXPORTERS)
    exporting.add_argument("endpoint")
    exporting.add_argument("files", nargs="+")
    exporting.set_defaults(run=export)
    calling = verbs.add_parser("call")
    calling.add_argument("address")
    calling.add_argument("method")
    calling.add_argument("--bytes", type=int, default=0)
    calling.add_argument("--times", type=int, default=1)
    calling.add_argument("--token")
    calling.add_argument("--gzip", action="store_true")
    calling.set_defaults(run=call)
    options = parser.parse_args()
    options.run(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
