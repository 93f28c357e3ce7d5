import AppHealth
import Configuration
import Diagnostics
import Providers
import Settings
import Testing

/// The keys of every provider.
let schemas = standardProviders.map(\.schema)

/// A text of a configuration with what it must lead to.
struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    /// `id line:column hint | hint` for each problem; the place is `-` where only the file is known.
    let problems: [String]

    init(_ name: String, _ text: String, _ problems: String...) {
        self.testDescription = name
        self.text = text
        self.problems = problems
    }
}

/// A problem in the form that a `Case` writes it.
func reported(_ problem: Diagnostic) -> String {
    let place =
        switch problem.location {
        case .file("plimsoll.yml", let line?, let column?): "\(line):\(column)"
        case .file("plimsoll.yml", nil, nil): "-"
        default: "elsewhere: \(problem.location.map(\.description) ?? "nowhere")"
        }
    return ([problem.id, place] + [problem.hints.joined(separator: " | ")].filter { !$0.isEmpty }).joined(
        separator: " ")
}

/// Checks what a text leads to; one that has errors gives no configuration.
func check(_ one: Case, sourceLocation: SourceLocation = #_sourceLocation) {
    let (configuration, problems) = readConfiguration(one.text, path: "plimsoll.yml", sources: schemas)
    #expect(problems.map(reported) == one.problems, sourceLocation: sourceLocation)
    #expect(
        (configuration == nil) == problems.contains { $0.severity == .error }, sourceLocation: sourceLocation)
    for problem in problems {
        #expect(!problem.summary.isEmpty && !problem.summary.hasSuffix("."), sourceLocation: sourceLocation)
    }
}

/// The configuration of a text that has no faults.
func configuration(_ text: String) throws -> SiteConfiguration {
    let (configuration, problems) = readConfiguration(text, path: "plimsoll.yml", sources: schemas)
    try #require(problems.map(reported) == [])
    return try #require(configuration)
}

/// One app, to stand below a configuration whose fault lies elsewhere.
let oneApp = """
    apps:
      - id: harbour
        sources:
          - provider: files
            path: data

    """

/// A configuration with one source of these lines; the source begins in line 4, column 9.
func source(_ lines: String) -> String {
    "apps:\n  - id: harbour\n    sources:\n      - "
        + lines.split(separator: "\n").joined(separator: "\n        ") + "\n"
}
