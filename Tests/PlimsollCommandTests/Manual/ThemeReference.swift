import Pages
import Templates

private let pages: [any TemplateModel.Type] = [
    PortfolioPage.self, ListPage.self, AppPage.self, ActivityPage.self, IssuesPage.self, IssuePage.self,
    ReleasesPage.self,
    ReleasePage.self, ComparePage.self, DayPage.self, UsagePage.self, WeekPage.self, MethodsPage.self,
    SourcesPage.self, ContentPage.self, NotFoundPage.self, SummaryDocument.self, SingleFilePage.self,
]

/// The manual's reference of themes: every field of every page model, with a value from the demo.
func themeReference(_ examples: FieldExamples) -> String {
    """
    # Theme reference

    This page is generated from the code: every page model and what it leads to.
    `stem` fields are URLs without an ending. The last column is a value from the demo, cut if it is long.

    """ + fieldTables(examples)
}

private func fieldTables(_ examples: FieldExamples) -> String {
    var seen: Set<String> = []
    var lines: [String] = []
    for page in pages {
        for model in modelsReached(from: page) where seen.insert(model.name).inserted {
            lines += [
                "", "## `\(model.name)`", "", "| name | kind | what it is | in the demo |",
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
    return lines.joined(separator: "\n") + "\n"
}

/// The text as code in a cell, whatever it holds.
private func code(_ text: String) -> String {
    let fence = text.contains("`") ? "``` " : "`"
    return fence + text.replacing("|", with: "\\|") + String(fence.reversed())
}
