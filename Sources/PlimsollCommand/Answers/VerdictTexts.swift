import Analysis
import AppHealth
import Diagnostics
import Formatting
import Foundation
import Markup
import Pages

/// For people at a terminal: the verdict, why, and the releases it was compared with.
func verdictText(_ document: VerdictDocument) -> String {
    let rows = document.ages.map { row in
        "  \(row.version): \(row.sampleText(of: document.unit))\(row.crashFree) at the same age, \(row.atSessions) at the same \(document.countName)"
    }
    let head = "\(document.title): \(document.verdict.words.sentenceCased)"
    let lines =
        [head, document.why, document.detail ?? "", document.openAlertsText ?? "", document.freshness] + rows
    return lines.filter { !$0.isEmpty }.map(printable).joined(separator: "\n") + "\n"
}

/// To paste into a pull request or a release: all text is escaped.
func verdictMarkdown(_ document: VerdictDocument) -> String {
    func escaped(_ text: String) -> String { Markup(escaping: text, language: .markdown).text }
    var lines = [
        "### \(escaped(document.title)): \(document.verdict.words.sentenceCased)", "",
        escaped(document.why + (document.detail.map { " " + $0 } ?? "")), "",
    ]
    if let alerts = document.openAlertsText { lines += [escaped(alerts), ""] }
    lines.append(escaped(document.freshness))
    if !document.ages.isEmpty {
        lines += [
            "",
            "| Release | \(document.unit.sentenceCased) | Crash-free at the same age | Same \(document.countName) |",
            "|---|--:|--:|--:|",
        ]
        lines += document.ages.map { row in
            "| "
                + [row.version, row.sessions, row.crashFree, row.atSessions].map(escaped).joined(
                    separator: " | ") + " |"
        }
    }
    return lines.joined(separator: "\n") + "\n"
}

/// For programs; what is unknown is null.
func verdictDocument(_ document: VerdictDocument) -> some Encodable { VerdictFile(document) }

/// The shape of the JSON.
private struct VerdictFile: Encodable {
    struct Counts: Encodable {
        let release: String
        var sessions: Int?
        var crashedSessions: Int?
        var userDays: Int?
        var crashedUserDays: Int?

        init(_ counts: VerdictDocument.Counts, _ basis: Basis) {
            release = counts.release
            switch basis {
            case .sessions: (sessions, crashedSessions) = (counts.total, counts.crashed)
            case .users: (userDays, crashedUserDays) = (counts.total, counts.crashed)
            }
        }
    }

    struct Alert: Encodable {
        let id: String
        let title: String
        let day: String
        let text: String
    }

    let format = "plimsoll-verdict"
    let version = 1
    let app: String
    let release: String?
    let asOf: String
    let verdict: String
    let why: String
    let neededSessions: Int?
    let neededUserDays: Int?
    let age: Int?
    let sessions: Int?
    let crashedSessions: Int?
    let userDays: Int?
    let crashedUserDays: Int?
    let crashFreeLower: Double?
    let crashFreeUpper: Double?
    let target: Double
    let critical: Double
    let isWorse: Bool?
    let earlierReleases: [Counts]
    let sameDays: [Counts]?
    let openAlerts: [Alert]

    init(_ document: VerdictDocument) {
        app = document.app.text
        release = document.release
        asOf = document.asOf.description
        verdict = document.verdict.name
        why = document.why
        neededSessions = document.basis == .sessions ? document.needed : nil
        neededUserDays = document.basis == .users ? document.needed : nil
        age = document.age
        let own = document.own.map { Counts($0, document.basis) }
        (sessions, crashedSessions) = (own?.sessions, own?.crashedSessions)
        (userDays, crashedUserDays) = (own?.userDays, own?.crashedUserDays)
        crashFreeLower = document.crashFree?.lower
        crashFreeUpper = document.crashFree?.upper
        target = document.targets.target
        critical = document.targets.critical
        isWorse = document.isWorse
        earlierReleases = document.earlier.map { Counts($0, document.basis) }
        sameDays = document.sameDays.isEmpty ? nil : document.sameDays.map { Counts($0, document.basis) }
        openAlerts = document.openAlerts.map { alert in
            Alert(id: alert.id, title: alert.title, day: "\(alert.day)", text: alert.text)
        }
    }
}
