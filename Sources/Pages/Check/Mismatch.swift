package import Diagnostics

/// Two values of a report that should agree and do not.
package struct Mismatch: Hashable, Sendable {
    /// What was checked.
    package enum Check: String, Hashable, Sendable, CaseIterable {
        /// The parts of a total against the total.
        case total
        /// A share against the bounds of a share.
        case share
        /// The last point of a line against the number beside it.
        case lastPoint = "last-point"
        /// A number against the counts of its explanation.
        case number
        /// The HTML of a page against its Markdown.
        case twin
        /// The file of a chart against its table.
        case chartFile = "chart-file"
    }

    /// What was checked.
    package let check: Check
    /// What does not agree, without the values: `Sessions of all releases exceed those of the day`.
    package let summary: String
    /// The one value, with what it is: `releases: 1,204`.
    package let first: String
    /// The other.
    package let second: String

    /// Makes a mismatch.
    package init(_ check: Check, _ summary: String, _ first: String, _ second: String) {
        self.check = check
        self.summary = summary
        self.first = first
        self.second = second
    }

    /// What a person is told, on the page and at the end of the run.
    package func diagnostic(on path: SitePath) -> Diagnostic {
        .error(
            "check.\(check.rawValue)", summary, details: [first, second],
            at: .file(path: "\(path.stem).html"),
            hints: [
                check == .twin
                    ? "write the number in both templates of the page"
                    : "run 'plimsoll explain \(path.folder.dropLast())' and compare with the source"
            ])
    }
}
