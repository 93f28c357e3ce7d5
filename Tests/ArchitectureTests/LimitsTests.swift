import Foundation
import Testing

/// The table of limits in the manual: each has its constant in the code, and a test that goes up to it and beyond.
struct LimitsTests {
    /// A row of the manual, the constant that it states, and the test of it.
    struct Row: Sendable {
        let input: String
        let limit: String
        let source: String
        let code: String
        let test: String
        let name: String

        init(
            _ input: String, _ limit: String, _ source: String, _ code: String, _ test: String, _ name: String
        ) {
            (self.input, self.limit, self.source, self.code) = (input, limit, source, code)
            (self.test, self.name) = (test, name)
        }
    }

    private static let rows = [
        Row(
            "body of a response", "64 MiB", "Transport/Messages/Request.swift", "bodyBytes = 64 << 20",
            "TransportTests/FaultTests.swift", "bodyBytes"),
        Row(
            "header lines of a response", "128 KiB", "Transport/Messages/Request.swift",
            "headerBytes = 128 << 10",
            "TransportTests/FaultTableTests.swift", "header"),
        Row(
            "redirects of a request", "5, within the origin", "Transport/Messages/Request.swift",
            "redirects = 5",
            "TransportTests/RedirectTests.swift", "endsAfterTheLimit"),
        Row(
            "URL", "16,384 bytes", "Transport/Messages/Address.swift", "longest = 16_384",
            "TransportTests/AddressTests.swift", "tooLong(bytes:"),
        Row(
            "JSON", "512 values", "Providers/Decoding/JSONScan.swift", "deepest = 512",
            "ProvidersTests/DecodingFailureTests.swift", "more than 512 nested levels"),
        Row(
            "keys and values of a JSON text", "8,000,000", "Providers/Decoding/JSONScan.swift",
            "mostTokens = 8_000_000",
            "ProvidersTests/DecodingFailureTests.swift", "aListOfOnesTakesNoMoreThanItMay"),
        Row(
            "days of one entry of `coverage`", "4,000", "AppHealth/Time/ReportSpan.swift",
            "longestStated = 4_000",
            "AppHealthTests/CoverageTests.swift", "newestDaysOfASpanAreKnown"),
        Row(
            "CSV file, read by `import`", "32 MiB", "Providers/files/csv/TablePreview.swift",
            "mostBytes = 32 << 20",
            "ProvidersTests/CSVSnapshotTests.swift", "TablePreview"),
        Row(
            "fields in a line of CSV", "64", "Providers/files/csv/CSVTable.swift", "mostFields = 64",
            "ProvidersTests/CSVTextTests.swift", "tooManyFields"),
        Row(
            "faulty lines of a CSV file", "1,000", "Providers/files/csv/CSVTable.swift", "mostFaults = 1000",
            "ProvidersTests/CSVTextTests.swift", "5000"),
        Row(
            "capture of a file", "1 hour", "AppHealth/Time/Instant.swift", "mostAheadSeconds = 3600",
            "ProvidersTests/FilesProviderTests.swift", "whatIsAheadOfTheClockIsSetAside"),
        Row(
            "YAML file", "8 MiB", "Configuration/YAMLBounds.swift", "bytes = 8 << 20",
            "ConfigurationTests/YAMLBoundsTests.swift", "YAMLBounds.bytes"),
        Row(
            "values of a YAML file", "200,000", "Configuration/YAMLBounds.swift", "values = 200_000",
            "ConfigurationTests/YAMLBoundsTests.swift", "YAMLBounds.values"),
        Row(
            "lists and mappings in each other in YAML", "64", "Configuration/YAMLBounds.swift", "depth = 64",
            "ConfigurationTests/YAMLBoundsTests.swift", "YAMLBounds.depth"),
        Row(
            "sections and partials in each other in a page", "500", "Templates/Program/Execution.swift",
            "depthLimit = 500", "TemplatesTests/RenderingTests.swift", "nested too deeply"),
        Row(
            "sections, blocks and partials in each other in a theme", "500",
            "Templates/Program/Resolver+Bounds.swift", "depthLimit = Execution.depthLimit",
            "TemplatesTests/ExpansionTests.swift", "partialsAreInEachOtherUpToADepth"),
        Row(
            "tags of a template with its partials", "100,000", "Templates/Program/Resolver+Bounds.swift",
            "tagLimit = 100_000", "TemplatesTests/ExpansionTests.swift", "blocksThatMultiplyEachOtherEnd"),
        Row(
            "text of a template with its partials", "64 MiB", "Templates/Program/Resolver+Bounds.swift",
            "textLimit = Execution.byteLimit", "TemplatesTests/ExpansionTests.swift",
            "textThatIsMultipliedEnds"),
        Row(
            "partials of a template", "20,000", "Templates/Program/Resolver.swift", "routineLimit = 20_000",
            "TemplatesTests/ExpansionTests.swift", "partialsAreCounted"),
        Row(
            "cells of a row of a table in CommonMark", "those of its head",
            "Markup/Documents/Reading/TableSource.swift", "most: head.count",
            "MarkupTests/CommonMarkBoundsTests.swift", "longRowsAndTitlesAddNothing"),
        Row(
            "sections and partials that a page goes through", "10,000,000",
            "Templates/Program/Execution.swift",
            "entryLimit = 10_000_000", "TemplatesTests/PageLimitsTests.swift", "aPageEndsAtItsBounds"),
        Row(
            "delimiter of a template", "16 bytes", "Templates/Syntax/Scanner.swift", "longestDelimiter = 16",
            "TemplatesTests/TemplateErrorTests.swift", "{{= aaaaaaaaaaaaaaaaa b =}}"),
        Row(
            "page, style sheet, drawing or feed", "64 MiB", "SiteChecks/BuiltFile.swift",
            "mostBytes = 64 << 20", "SiteChecksTests/SiteCheckTests.swift", "(64 << 20) + 1"),
        Row(
            "page |", "64 MiB", "Templates/Program/Execution.swift", "byteLimit = 64 << 20",
            "TemplatesTests/PageLimitsTests.swift", "aPageEndsAtItsBounds"),
        Row(
            "request to `serve`", "16,384 bytes", "Preview/PreviewServer.swift", "bytes = 16_384",
            "PreviewTests/PreviewServerTests.swift", "aRequestIsBounded"),
        Row(
            "time of a client of `serve`", "10 seconds", "Preview/PreviewServer.swift",
            "milliseconds = 10_000",
            "PreviewTests/PreviewServerTests.swift", "aClientThatWaitsTooLongIsLetGo"),
        Row(
            "clients of `serve` at once", "64", "Preview/PreviewServer.swift", "connections = 64",
            "PreviewTests/PreviewServerTests.swift", "aClientThatWaitsTooLongIsLetGo"),
        Row(
            "token or key file", "64 KiB", "PlimsollCommand/Project/Secrets.swift", "limit: 1 << 16",
            "PlimsollCommandTests/BoundsTests.swift", "aTokenFileIsReadUpToItsLimit"),
        Row(
            "CommonMark text", "8 MiB", "Markup/CommonMarkTree.swift", "limit: Int = 8 << 20",
            "MarkupTests/CommonMarkBoundsTests.swift", "most = 8 << 20"),
        Row(
            "lists in each other in CommonMark", "24", "Markup/Documents/Reading/DocumentReader.swift",
            "deepest = 24", "MarkupTests/CommonMarkBoundsTests.swift", "listsAreReadUpToTheirDepth"),
        Row(
            "template file", "4 MiB", "Site/Theme/ThemeLayers.swift", "limit: 4 << 20",
            "PlimsollCommandTests/BoundsTests.swift", "templates/app.md\", 4 << 20"),
        Row(
            "`plimsoll.yml`", "4 MiB", "PlimsollCommand/Project/Project.swift", "limit: 4 << 20",
            "PlimsollCommandTests/BoundsTests.swift", "plimsoll.yml\", 4 << 20"),
        Row(
            "`mutes.yml`", "4 MiB", "Site/Content/MutesFile.swift", "limit: 4 << 20",
            "PlimsollCommandTests/BoundsTests.swift", "mutes.yml\", 4 << 20"),
        Row(
            "your pages and notes, each", "4 MiB", "Site/Content/ContentFolder.swift", "limit: 4 << 20",
            "PlimsollCommandTests/BoundsTests.swift", "signs.md\", 4 << 20"),
        Row(
            "`theme.yml`", "64 KiB", "Site/Theme/ThemeFile.swift", "limit: 1 << 16",
            "PlimsollCommandTests/BoundsTests.swift", "theme.yml\", 1 << 16"),
        Row(
            "snapshot file", "32 MiB", "Providers/files/FilesProvider.swift", "mostBytes = 32 << 20",
            "ProvidersTests/FilesBoundsTests.swift", "snapshotFileBytes"),
        Row(
            "files of a folder of snapshots", "500,000", "Providers/files/FilesProvider.swift",
            "mostFiles = 500_000", "ProvidersTests/FilesBoundsTests.swift", "snapshotFileCount"),
        Row(
            "payloads of a folder of MetricKit", "100,000", "Providers/metrickit/MetricKitProvider.swift",
            "mostFiles = 100_000", "ProvidersTests/FilesBoundsTests.swift", "payloadCount"),
        Row(
            "payload of MetricKit", "16 MiB", "Providers/metrickit/MetricKitProvider.swift",
            "mostBytes = 16 << 20", "ProvidersTests/FilesBoundsTests.swift", "metricKitBytes"),
        Row(
            "cursor of a list", "1,000 bytes", "Providers/Requests/LinkHeader.swift", "longest = 1_000",
            "ProvidersTests/FilesBoundsTests.swift", "cursorBytes"),
        Row(
            "pages of apps that a build may lose", "half of them, from 20 on", "Site/Files/StagedSite.swift",
            "leastPages = 20", "SiteTests/StagedSiteTests.swift", "aBuildThatLosesMostOfTheSiteIsRefused"),
    ]

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }

    @Test func everyLimitOfTheManualHasARow() throws {
        let lines = try Self.text("Content/manual/limits.md").split(separator: "\n").filter {
            $0.hasPrefix("| ") && !$0.hasPrefix("| input ")
        }
        for line in lines { #expect(Self.rows.contains { line.hasPrefix("| \($0.input)") }, "\(line)") }
        #expect(lines.count == Self.rows.count)
    }

    @Test(arguments: rows.indices) func aLimitIsInTheCodeAndTested(index: Int) throws {
        let row = Self.rows[index]
        let line = try #require(
            try Self.text("Content/manual/limits.md").split(separator: "\n").first {
                $0.hasPrefix("| \(row.input)")
            })
        #expect(line.contains("| \(row.limit)"), "\(line)")
        #expect(try Self.text("Sources/" + row.source).contains(row.code), "\(row.code)")
        #expect(try Self.text("Tests/" + row.test).contains(row.name), "\(row.name) in \(row.test)")
    }
}
