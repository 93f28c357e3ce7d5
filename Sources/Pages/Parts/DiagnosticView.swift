package import Diagnostics
package import Templates

/// An error or a warning as a page shows it.
package struct DiagnosticView: TemplateModel {
    package static let modelName = "diagnostic"
    /// What it tells.
    package let diagnostic: Diagnostic

    /// A view of a diagnostic.
    package init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }

    package static let fields: [Field<DiagnosticView>] = [
        .text("severity", "`note`, `warning` or `error`") { $0.diagnostic.severity.rawValue },
        .text("id", "Its stable name, such as `transport.timeout`") { $0.diagnostic.id },
        .text("summary", "The headline") { printable($0.diagnostic.summary) },
        .optionalText("location", "The endpoint, file or key path") {
            $0.diagnostic.location.map { printable("\($0)") }
        },
        .texts("details", "More lines") { $0.diagnostic.details.map(printable) },
        .texts("hints", "What to do next") { $0.diagnostic.hints.map(printable) },
    ]
}
