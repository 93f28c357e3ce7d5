package import AppHealth
import Formatting

/// How the rows of a page are spread over several pages, each of which stays small. Few apps are on one page.
package struct PageParts: Hashable, Encodable, Sendable {
    /// The places of the rows of each part; at least one part.
    package let ranges: [Range<Int>]

    /// Fills one part after the other.
    ///
    /// - Parameters:
    ///   - sizes: how much room each row takes.
    ///   - most: how much room a part has; a row that takes more has one for itself.
    ///   - apps: how many apps there are: all rows of few apps are on one page.
    init(of sizes: [Int], most: Int, apps: Int) {
        guard apps > AppLists.entryLimit else {
            ranges = [0..<sizes.count]
            return
        }
        var ranges: [Range<Int>] = []
        var (start, filled) = (0, 0)
        for (place, size) in sizes.enumerated() {
            if filled > 0, filled + size > most {
                ranges.append(start..<place)
                (start, filled) = (place, 0)
            }
            filled += size
        }
        self.ranges = ranges + [start..<sizes.count]
    }

    /// As many rows as fit on each part.
    ///
    /// - Parameters:
    ///   - rows: how many rows there are.
    ///   - most: how many a part has room for.
    init(of rows: Int, most: Int) {
        ranges = rows == 0 ? [0..<0] : stride(from: 0, to: rows, by: most).map { $0..<min(rows, $0 + most) }
    }

    /// How many parts there are.
    package var count: Int { ranges.count }

    /// The rows of a part, from 1.
    func rows(of part: Int) -> Range<Int> {
        ranges.indices.contains(part - 1) ? ranges[part - 1] : 0..<0
    }

    /// Links to the parts: to all, or of many to the first, the last and those around this one; none when there is one.
    func links(
        from part: Int, _ links: Links, around: Int = .max, to path: (Int) -> SitePath
    ) -> [LinkItem] {
        guard count > 1 else { return [] }
        let isShown = { number in number == 1 || number == count || abs(number - part) <= around }
        return (1...count).filter(isShown).map { number in
            LinkItem(
                title: rangeText(rows(of: number)), stem: links.stem(to: path(number)),
                isCurrent: number == part)
        }
    }

    /// What a page of several says of itself after its title: `, apps 21–40 of 1,000`; nothing where there is one.
    func suffix(of part: Int) -> String { span(of: part).map { ", apps \($0)" } ?? "" }

    /// What a part after the first holds: `21–40 of 1,000`; nil for the first.
    func span(of part: Int) -> String? {
        guard part > 1, let last = ranges.last else { return nil }
        return "\(rangeText(rows(of: part))) of \(countText(last.upperBound))"
    }
}

/// `981–1,000`
func rangeText(_ rows: Range<Int>) -> String {
    rows.count == 1
        ? countText(rows.upperBound) : "\(countText(rows.lowerBound + 1))–\(countText(rows.upperBound))"
}

extension AppSummaryRow {
    /// The sources of an app as rows of a page.
    func sources(_ links: Links) -> [SourceRow] {
        sources.map { source in
            var row = source
            row.stem = links.stem(to: .app(id))
            return row
        }
    }
}

/// The sources of all apps on the pages of sources.
package struct SourceList: Sendable {
    /// The apps: of many, those first of which a source has problems.
    let apps: [AppSummaryRow]
    /// How they are spread over pages.
    package let parts: PageParts

    /// How many rows and messages a page has room for.
    private static let partSize = 40

    /// The sources of apps.
    package init(_ digests: [AppSummaryRow]) {
        let isWhole = digests.count <= AppLists.entryLimit
        func isBad(_ app: AppSummaryRow) -> Bool {
            app.hasOldData || app.sources.contains(where: \.hasProblems)
        }
        apps = isWhole ? digests : digests.filter(isBad) + digests.filter { !isBad($0) }
        parts = PageParts(
            of: apps.map { app in
                app.sources.reduce(0) { $0 + 1 + $1.warnings.count + ($1.failure == nil ? 0 : 1) }
            }, most: Self.partSize, apps: digests.count)
    }
}

/// How the sources of all apps count, and the targets of the apps, on the pages of methods.
package struct MethodsList: Sendable {
    /// The apps in the order of the configuration.
    let apps: [AppSummaryRow]
    /// The levels of each app by name.
    let targets: [(app: String, levels: Targets)]
    /// How they are spread over pages.
    package let parts: PageParts

    /// How many sources a page has room for.
    private static let partSize = 20

    /// The sources and the levels of apps.
    package init(_ digests: [AppSummaryRow], targets: [(app: String, levels: Targets)]) {
        apps = digests
        self.targets = targets
        parts = PageParts(
            of: digests.map { max(1, $0.sources.count) }, most: Self.partSize, apps: digests.count)
    }

    /// The levels on a part; those of apps of which nothing else is known are on the last one.
    func targets(of part: Int) -> ArraySlice<(app: String, levels: Targets)> {
        let rows = parts.rows(of: part)
        let end = part == parts.count ? targets.count : min(rows.upperBound, targets.count)
        return targets[min(rows.lowerBound, end)..<end]
    }
}
