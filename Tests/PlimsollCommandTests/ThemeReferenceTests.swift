import Foundation
import Pages
import Templates
import Testing

/// The reference of fields in `Themes/README.md` is made from the code; `UPDATE_GOLDEN=1` writes it anew.
struct ThemeReferenceTests {
    private static let pages: [any TemplateModel.Type] = [
        PortfolioPage.self, AppPage.self, ActivityPage.self, IssuesPage.self, IssuePage.self,
        ReleasesPage.self,
        ReleasePage.self, ComparePage.self, DayPage.self, UsagePage.self, MethodsPage.self, HealthPage.self,
        ContentPage.self,
        NotFoundPage.self, SummaryDocument.self, SingleFilePage.self,
    ]

    @Test func theReadmeListsEveryFieldOfEveryModel() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Themes/README.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.range(of: "<!-- fields -->\n"))
        let end = try #require(text.range(of: "<!-- end of fields -->"))
        let reference = Self.reference(try await demoExamples())
        #expect(!reference.contains("| – |\n"), "every field has an example")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            let whole = text[..<start.upperBound] + reference + text[end.lowerBound...]
            try String(whole).write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let isCurrent = String(text[start.upperBound..<end.lowerBound]) == reference
        #expect(isCurrent, "Themes/README.md differs from the code; UPDATE_GOLDEN=1 rewrites it")
    }

    private static func reference(_ examples: FieldExamples) -> String {
        var seen: Set<String> = []
        var lines: [String] = []
        for page in pages {
            for model in modelsReached(from: page) where seen.insert(model.name).inserted {
                lines += [
                    "", "### `\(model.name)`", "", "| name | kind | what it is | in the demo |",
                    "|---|---|---|---|",
                ]
                lines += model.fields.map { field in
                    let models =
                        field.models.isEmpty
                        ? "" : " of " + field.models.map { "`\($0)`" }.joined(separator: ", ")
                    let example = examples.example(field.name, of: model.name).map(code) ?? "–"
                    let doc = field.doc.replacing("|", with: "\\|")
                    return "| `\(field.name)` | \(field.kind.rawValue)\(models) | \(doc) | \(example) |"
                }
            }
        }
        return lines.dropFirst().joined(separator: "\n") + "\n\n"
    }

    /// The text as code in a cell, whatever it holds.
    private static func code(_ text: String) -> String {
        let fence = text.contains("`") ? "``` " : "`"
        return fence + text.replacing("|", with: "\\|") + String(fence.reversed())
    }
}
