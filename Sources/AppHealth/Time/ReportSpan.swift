/// How far back a report and what it is made from go.
package enum ReportSpan {
    /// The most days of a report: its year and the five before, so that one wrong date costs no endless site.
    package static let longest = 2_192

    /// The most days of one capture or of one statement: a wrong date costs no endless table.
    static let longestStated = 4_000
}
