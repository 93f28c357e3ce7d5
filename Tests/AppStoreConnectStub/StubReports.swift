/// What a stand-in for App Store Connect knows of one app.
package struct StubReports: Sendable {
    /// A report's processing of one day.
    package struct Instance: Sendable {
        package var processed: String
        /// The text of each segment.
        package var segments: [String]

        package init(_ processed: String, _ segments: String...) {
            self.processed = processed
            self.segments = segments
        }
    }

    /// The report requests as JSON.
    package var requests = [
        #"{"type":"analyticsReportRequests","id":"rq-old","attributes":{"accessType":"ONGOING","stoppedDueToInactivity":true}}"#,
        #"{"type":"analyticsReportRequests","id":"rq-1","attributes":{"accessType":"ONGOING","stoppedDueToInactivity":false}}"#,
    ]
    /// A build that was uploaded.
    package struct Build: Sendable {
        package var number: String
        package var version: String
        package var uploadedAt: String
        package var isProcessed: Bool
        package var platform: String

        package init(
            _ number: String, _ version: String, _ uploadedAt: String, isProcessed: Bool = true,
            platform: String = "IOS"
        ) {
            self.number = number
            self.version = version
            self.uploadedAt = uploadedAt
            self.isProcessed = isProcessed
            self.platform = platform
        }
    }

    /// The instances of each report by its name, in the order of the list.
    package var reports: [(name: String, instances: [Instance])]
    /// How many instances a page of their list has.
    package var instancesOfPage = 1
    /// How many of the newest instances are still listed.
    package var listedInstances = Int.max
    /// The builds, newest first; a page has three.
    package var builds = [
        Build("422", "4.2", "2026-11-12T08:00:00-08:00", isProcessed: false),
        Build("421", "4.2", "2026-11-11T08:00:00-08:00"), Build("420", "4.2", "2026-11-10T08:00:00-08:00"),
        Build("410", "4.1", "2026-11-02T08:00:00-08:00"),
    ]

    package init(_ reports: [(name: String, instances: [Instance])] = Self.usual) {
        self.reports = reports
    }

    /// The instances of a report.
    package subscript(name: String) -> [Instance] {
        get { reports.first { $0.name == name }?.instances ?? [] }
        set {
            for index in reports.indices where reports[index].name == name {
                reports[index].instances = newValue
            }
        }
    }

    package static let sessionColumns =
        "Date\tApp Name\tApp Apple Identifier\tApp Version\tDevice\tPlatform Version\tSource Type\tTerritory\tSessions\tTotal Session Duration\tUnique Devices"
    package static let crashColumns =
        "Date\tApp Name\tApp Apple Identifier\tApp Version\tDevice\tPlatform Version\tCrashes\tUnique Devices"
    package static let installColumns =
        "Date\tApp Name\tApp Apple Identifier\tEvent\tDownload Type\tApp Version\tDevice\tCounts\tUnique Devices"

    /// A line of the sessions.
    package static func sessions(
        _ date: String, _ version: String, _ device: String, _ sessions: String, devices: String = ""
    ) -> String {
        "\(date)\tFerry \"quay\"\t1234567890\t\(version)\t\(device)\tiOS 26.1\tApp Store search\tPT\t\(sessions)\t900\t\(devices)"
    }

    /// A line of the crashes.
    package static func crashes(_ date: String, _ version: String, _ device: String, _ crashes: String)
        -> String
    {
        "\(date)\tFerry\t1234567890\t\(version)\t\(device)\tiOS 26.1\t\(crashes)\t"
    }

    /// A line of the installs and deletions.
    package static func installs(_ date: String, _ event: String, _ type: String, _ counts: String) -> String
    {
        "\(date)\tFerry\t1234567890\t\(event)\t\(type)\t4.2\tiPhone\t\(counts)\t"
    }

    /// Lines that end as the service ends them.
    package static func table(_ lines: String...) -> String { lines.map { $0 + "\n" }.joined() }

    /// Three reports; the newer processing of the sessions replaces the 17th of the older one.
    package static let usual: [(name: String, instances: [Instance])] = [
        ("App Sessions Detailed", [Instance("2026-11-19", table(sessionColumns))]),
        (
            "App Sessions Standard",
            [
                Instance(
                    "2026-11-18",
                    table(
                        sessionColumns, sessions("2026-11-16", "4.1", "iPhone", "70", devices: "30"),
                        sessions("2026-11-16", "4.2", "iPad", "8", devices: "5"),
                        sessions("2026-11-17", "4.1", "iPhone", "20", devices: "11"))),
                Instance(
                    "2026-11-19",
                    table(
                        sessionColumns, sessions("2026-11-17", "4.1", "iPhone", "60", devices: "29"),
                        sessions("2026-11-17", "4.2", "iPhone", "40", devices: "21")),
                    table(sessionColumns, sessions("2026-11-18", "4.2", "iPhone", "5"))),
            ]
        ),
        (
            "App Store Installation and Deletion Standard",
            [
                Instance(
                    "2026-11-19",
                    table(
                        installColumns, installs("2026-11-17", "Install", "First-time download", "6"),
                        installs("2026-11-17", "Install", "First-time download", "3"),
                        installs("2026-11-17", "Install", "Redownload", "50"),
                        installs("2026-11-17", "Delete", "First-time download", "7"),
                        installs("2026-11-18", "Install", "Auto-update", "80")))
            ]
        ),
        (
            "App Crashes",
            [
                Instance(
                    "2026-11-19",
                    table(
                        crashColumns, crashes("2026-11-16", "4.1", "iPhone", "0"),
                        crashes("2026-11-17", "4.1", "iPhone", "9"),
                        crashes("2026-11-17", "4.2", "iPhone", "5"),
                        crashes("2026-11-17", "4.2", "iPad", "1")))
            ]
        ),
    ]
}
