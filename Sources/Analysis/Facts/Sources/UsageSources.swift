import AppHealth

/// The sources of use. Each number is from the first one that has it: the figures of a store are new users alone.
extension [SourceHistory] {
    /// Those that report use, in their order.
    var ofUsage: [SourceHistory] {
        filter { $0.capturedAt != nil && $0.source.capabilities.contains(.usage) }
    }

    /// The first that has active users of any day.
    var ofActiveUsers: SourceHistory? { ofUsage.first { $0.usage.contains { $0.activeUsers != nil } } }

    /// The first that has sessions of any day.
    var ofSessionsOfUse: SourceHistory? { ofUsage.first { $0.usage.contains { $0.sessions != nil } } }

    /// The first that has new users of any day.
    var ofNewUsers: SourceHistory? { ofUsage.first { $0.usage.contains { $0.newUsers != nil } } }
}
