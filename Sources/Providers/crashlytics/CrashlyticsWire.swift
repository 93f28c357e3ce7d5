/// `GET …/reports`: the reports without results.
struct CrashlyticsReports: Decodable, Sendable {
    var reports: LossyArray<Listed>?

    struct Listed: Decodable, Sendable {
        var name: WireLine
        var usage: WireProse?
    }
}

/// `GET …/reports/{id}`, one page.
struct CrashlyticsReport: TokenPage {
    static let key = "groups"
    var elements: LossyArray<Group>?
    var next: PageToken?

    /// What was counted for one issue, one version, or, without a subject, for the app.
    struct Group: Decodable, Sendable {
        var issue: CrashlyticsIssue?
        var version: CrashlyticsVersion?
        var metrics: LossyArray<CrashlyticsMetrics>?
        /// Whether it is about something that is not read: a device, a variant, ….
        var isOther: Bool

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case issue, version, metrics
            case device, operatingSystem, variant, browser, webMetricsGroup, customAttribute
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            issue = try members.decodeIfPresent(CrashlyticsIssue.self, forKey: .issue)
            version = try members.decodeIfPresent(CrashlyticsVersion.self, forKey: .version)
            metrics = try members.decodeIfPresent(LossyArray<CrashlyticsMetrics>.self, forKey: .metrics)
            isOther = CodingKeys.allCases.dropFirst(3).contains { members.contains($0) }
        }
    }

    private enum CodingKeys: String, CodingKey {
        case elements = "groups"
        case next = "nextPageToken"
    }
}

/// Counts of one span. A count of zero is not sent.
struct CrashlyticsMetrics: Decodable, Sendable {
    var start: WireInstant?
    var end: WireInstant?
    var events: WireWhole?
    var impactedUsers: WireWhole?
    var impactedSessions: WireWhole?
    /// The old name of `impactedSessionsCount`: not all sessions.
    var sessionsCount: WireWhole?
    var totalUsers: WireWhole?
    var totalSessions: WireWhole?
    /// In 0…100.
    var crashFreeUsers: Lenient<Double>?
    /// In 0…100.
    var crashFreeSessions: Lenient<Double>?

    private enum CodingKeys: String, CodingKey {
        case sessionsCount
        case start = "startTime"
        case end = "endTime"
        case events = "eventsCount"
        case impactedUsers = "impactedUsersCount"
        case impactedSessions = "impactedSessionsCount"
        case totalUsers = "totalUsersCount"
        case totalSessions = "totalSessionsCount"
        case crashFreeUsers = "crashFreeUsersPercentage"
        case crashFreeSessions = "crashFreeSessionsPercentage"
    }
}

/// A version: one `displayVersion` may have many builds.
struct CrashlyticsVersion: Decodable, Sendable {
    var displayVersion: WireName?
    var buildVersion: WireName?
    /// `1.2.3 (456)`.
    var displayName: WireName?
}

/// An issue, the same in a report and by itself.
struct CrashlyticsIssue: Decodable, Sendable {
    var id: WireName
    var title: WireLine?
    var subtitle: WireLine?
    var errorType: WireName?
    var state: WireName?
    var firstSeenTime: WireInstant?
    var lastSeenTime: WireInstant?
    var firstSeenVersion: WireName?
    var lastSeenVersion: WireName?
    var notesCount: Lenient<WireWhole>?
    var sampleEvent: WireLine?
    var uri: WireLine?
}

/// `GET …/events:batchGet`.
struct CrashlyticsEvents: Decodable, Sendable {
    var events: LossyArray<Event>?

    struct Event: Decodable, Sendable {
        var name: WireLine
        var blameFrame: Frame?
    }

    struct Frame: Decodable, Sendable {
        var file: WireLine?
        var line: Lenient<WireWhole>?
    }
}

/// `GET …/issues/{id}/notes`, one page.
struct CrashlyticsNotes: TokenPage {
    static let key = "notes"
    var elements: LossyArray<Note>?
    var next: PageToken?

    struct Note: Decodable, Sendable {
        var name: WireLine
        var author: WireName?
        var body: WireProse?
        var createTime: WireInstant
    }

    private enum CodingKeys: String, CodingKey {
        case elements = "notes"
        case next = "nextPageToken"
    }
}
