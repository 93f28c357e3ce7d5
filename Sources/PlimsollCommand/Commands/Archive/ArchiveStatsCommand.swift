import AppHealth
import Archive
import ArgumentParser
import Diagnostics
import Formatting

/// How large the archive is.
struct ArchiveStatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show the size of the archive, its rows and its growth per night.",
        discussion: """
            Growth is the median of the nights with data among the last \(ArchiveStatistics.recentDays) days, at the \
            mean size of a row; the first night of a source does not count. 'revised' counts rows beyond the first one of each value: what 'plimsoll archive compact' may \
            remove when it is old. Changes nothing.
            """)

    @OptionGroup var configuration: ConfigurationOption

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.text

    func run() throws {
        let console = Console()
        let project = try loadProject(configuration.file, console)
        do throws(ArchiveError) {
            let archive = try Archive(at: project.archive, for: .reading)
            let statistics = try archive.statistics(at: project.now)
            try archive.close()
            switch format {
            case .text: for line in lines(statistics, of: project) { console.result(line) }
            case .json: console.document(json: ArchiveStatsDocument(statistics))
            }
        } catch {
            throw console.stop(project.diagnostic(error))
        }
    }

    private func lines(_ statistics: ArchiveStatistics, of project: Project) -> [String] {
        var lines = [
            project.archive,
            "  size       \(sizeText(statistics.bytes)), of which \(sizeText(statistics.freeBytes)) free",
        ]
        if let captures = statistics.captures {
            lines.append("  captured   \(captures.lowerBound) to \(captures.upperBound)")
        }
        lines.append("  rows       \(countText(statistics.rows))")
        if let rows = statistics.rowsPerNight, let bytes = statistics.bytesPerNight {
            let nights = counted(statistics.nights.count, "night")
            let (rows, size) = (countText(Int(rows.rounded())), sizeText(Int(bytes.rounded())))
            lines.append("  growth     \(rows) rows, \(size) a night (median of \(nights))")
        } else {
            lines.append(
                "  growth     – (no night after a first one in the last \(ArchiveStatistics.recentDays) days)"
            )
        }
        for kind in statistics.kinds where kind.rows > 0 {
            let gap = String(repeating: " ", count: max(1, Self.nameWidth - kind.name.count))
            lines.append(
                "  \(kind.name)\(gap)\(countText(kind.rows)) rows, \(countText(kind.revised)) revised")
        }
        for app in statistics.apps.prefix(Self.shownApps) {
            lines.append("  \(app.app): \(countText(app.rows)) rows")
        }
        let more = statistics.apps.count - Self.shownApps
        if more > 0 { lines.append("  and \(more) more apps ('--format json' has all)") }
        return lines
    }

    private static let shownApps = 10
    private static let nameWidth = 21
}

/// What `archive stats --format json` prints; a member that is null is not known.
private struct ArchiveStatsDocument: Encodable {
    private struct Kind: Encodable {
        let kind: String
        let rows: Int
        let revised: Int
        let recentRows: Int
    }

    private struct AppPart: Encodable {
        let app: String
        let rows: Int
    }

    private let format = "plimsoll-archive-stats"
    private let version = 1
    private let bytes: Int
    private let freeBytes: Int
    private let rows: Int
    private let firstCapture: String?
    private let lastCapture: String?
    private let recentNights: Int
    private let rowsPerNight: Double?
    private let bytesPerNight: Double?
    private let kinds: [Kind]
    private let apps: [AppPart]

    init(_ statistics: ArchiveStatistics) {
        (bytes, freeBytes, rows) = (statistics.bytes, statistics.freeBytes, statistics.rows)
        firstCapture = statistics.captures.map { "\($0.lowerBound)" }
        lastCapture = statistics.captures.map { "\($0.upperBound)" }
        recentNights = statistics.nights.count
        rowsPerNight = statistics.rowsPerNight.map { ($0 * 10).rounded() / 10 }
        bytesPerNight = statistics.bytesPerNight.map { $0.rounded() }
        kinds = statistics.kinds.map {
            Kind(kind: $0.name, rows: $0.rows, revised: $0.revised, recentRows: $0.recent)
        }
        apps = statistics.apps.map { AppPart(app: $0.app, rows: $0.rows) }
    }
}
