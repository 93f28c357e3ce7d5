/// The table of logs as the OpenTelemetry collector's ClickHouse exporter makes it, with the columns of one of its
/// versions.
package struct TelemetryTable: Sendable {
    /// Whether the name of an event has a column.
    package var hasEventName: Bool
    /// Whether the whole second of an event has one.
    package var hasTimestampTime: Bool

    /// Makes a table of a version.
    package init(hasEventName: Bool = true, hasTimestampTime: Bool = true) {
        (self.hasEventName, self.hasTimestampTime) = (hasEventName, hasTimestampTime)
    }

    /// The statement that makes it.
    package var statement: String {
        let second = hasTimestampTime ? "TimestampTime" : "toDateTime(Timestamp)"
        let map = "Map(LowCardinality(String), String) CODEC(ZSTD(1))"
        let columns = [
            "Timestamp DateTime64(9) CODEC(Delta(8), ZSTD(1))",
            hasTimestampTime ? "TimestampTime DateTime DEFAULT toDateTime(Timestamp)" : nil,
            "TraceId String CODEC(ZSTD(1))", "SpanId String CODEC(ZSTD(1))", "TraceFlags UInt8",
            "SeverityText LowCardinality(String) CODEC(ZSTD(1))", "SeverityNumber UInt8",
            "ServiceName LowCardinality(String) CODEC(ZSTD(1))", "Body String CODEC(ZSTD(1))",
            "ResourceSchemaUrl LowCardinality(String) CODEC(ZSTD(1))", "ResourceAttributes \(map)",
            "ScopeSchemaUrl LowCardinality(String) CODEC(ZSTD(1))", "ScopeName String CODEC(ZSTD(1))",
            "ScopeVersion LowCardinality(String) CODEC(ZSTD(1))", "ScopeAttributes \(map)",
            "LogAttributes \(map)", hasEventName ? "EventName String CODEC(ZSTD(1))" : nil,
            "INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1",
            "INDEX idx_log_attr_key mapKeys(LogAttributes) TYPE bloom_filter(0.01) GRANULARITY 1",
            "INDEX idx_log_attr_value mapValues(LogAttributes) TYPE bloom_filter(0.01) GRANULARITY 1",
            "INDEX idx_body Body TYPE tokenbf_v1(32768, 3, 0) GRANULARITY 8",
        ]
        return """
            CREATE TABLE otel_logs (\(columns.compactMap(\.self).joined(separator: ", ")))
            ENGINE = MergeTree PARTITION BY toDate(\(second)) PRIMARY KEY (ServiceName, \(second))
            ORDER BY (ServiceName, \(second), Timestamp)
            SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1
            """
    }

    /// The statement that writes rows of ``row(_:_:service:at:of:)``, which follow it.
    package var insertion: String {
        """
        INSERT INTO otel_logs (Timestamp, ServiceName, Body, ResourceAttributes, LogAttributes\
        \(hasEventName ? ", EventName" : "")) FORMAT TabSeparated

        """
    }

    /// A row of an event.
    ///
    /// - Parameters:
    ///   - attributes: Its own.
    ///   - resource: Those of the app that sent it.
    ///   - isOld: Whether its name is an attribute, although there is a column.
    package func row(
        _ event: String, _ attributes: [String: String], resource: [String: String], service: String,
        at seconds: Int, isOld: Bool = false
    ) -> String {
        let isAttribute = isOld || !hasEventName
        let own =
            isAttribute && !event.isEmpty ? attributes.merging(["event.name": event]) { $1 } : attributes
        let name = hasEventName ? [isAttribute ? "" : event] : []
        return
            (["\(seconds).250000000", service, "", Self.map(resource), Self.map(own)] + name).joined(
                separator: "\t")
    }

    private static func map(_ values: [String: String]) -> String {
        func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "\\'") + "'" }
        let pairs = values.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(quoted($0.value))" }
        return "{" + pairs.joined(separator: ",") + "}"
    }
}
