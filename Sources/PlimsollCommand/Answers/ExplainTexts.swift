import AppHealth
import Diagnostics
import Foundation
import Pages

/// For people at a terminal: each number with what it was made of.
func explainText(_ pages: [ExplainedPage]) -> String {
    pages.map { page in
        let head = page.path + (page.numbers.isEmpty ? ": no numbers on this page" : "")
        return ([head] + page.numbers.map(numberText)).joined(separator: "\n\n")
    }.joined(separator: "\n\n") + "\n"
}

private func numberText(_ number: Explanation) -> String {
    let interval = number.interval.map { " (\($0))" } ?? ""
    var lines: [(String, String?)] = [
        ("state", number.stateNote), ("period", number.window.isEmpty ? nil : number.window),
    ]
    lines += number.rows.enumerated().map { ($0 == 0 ? "inputs" : "", "\($1.what): \($1.count)") }
    lines += [("formula", number.formula), ("interval", number.intervalFormula)]
    if let origin = number.origin {
        let source = origin.source
        lines += [
            ("source", "\(source.id), \(source.provider), days in \(source.zone)"),
            ("captured", origin.capturedAt.map { "\($0)" } ?? "never"),
        ]
    }
    lines.append((number.definition.map { "a \($0.unit)" } ?? "", number.definition?.meaning))
    let texts = lines.compactMap { name, text in
        text.map { "    \(name.padding(toLength: 10, withPad: " ", startingAt: 0)) \(printable($0))" }
    }
    return (["  \(printable(number.id)): \(printable(number.label)) \(number.value)\(interval)"] + texts)
        .joined(separator: "\n")
}

/// For programs; what is unknown is null.
func explainDocument(_ pages: [ExplainedPage], asOf: Instant) -> some Encodable {
    ExplainFile(pages, asOf: asOf)
}

/// The shape of the JSON.
private struct ExplainFile: Encodable {
    struct Page: Encodable {
        let path: String
        let numbers: [Number]
    }

    struct Row: Encodable {
        let what: String
        let count: String
    }

    struct Number: Encodable {
        let id: String
        let label: String
        let value: String
        let interval: String?
        let state: String?
        let window: String?
        let rows: [Row]
        let formula: String?
        let intervalFormula: String?
        let source: String?
        let provider: String?
        let zone: String?
        let capturedAt: String?
        let sessionDefinition: String?
        let userDefinition: String?

        init(_ number: Explanation) {
            let source = number.origin?.source
            id = number.id
            label = number.label
            value = number.value
            interval = number.interval
            state = number.stateNote
            window = number.window.isEmpty ? nil : number.window
            rows = number.rows.map { Row(what: $0.what, count: $0.count) }
            formula = number.formula
            intervalFormula = number.intervalFormula
            self.source = source?.id.text
            provider = source?.provider
            zone = source?.zone
            capturedAt = number.origin?.capturedAt?.description
            sessionDefinition = source.map(\.sessionDefinition)
            userDefinition = source.map(\.userDefinition)
        }
    }

    let format = "plimsoll-explain"
    let version = 1
    let asOf: String
    let pages: [Page]

    init(_ pages: [ExplainedPage], asOf: Instant) {
        self.asOf = asOf.description
        self.pages = pages.map { Page(path: $0.path, numbers: $0.numbers.map(Number.init)) }
    }
}
