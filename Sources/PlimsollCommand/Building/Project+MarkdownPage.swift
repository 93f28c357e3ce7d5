import AppHealth
import Diagnostics
import Site

extension Project {
    /// The Markdown of one page at an instant, for the audience of the configuration.
    func markdownPage(
        of address: String, asOf: Instant, _ console: Console
    ) throws(Diagnostics) -> MarkdownPage {
        let (input, problems) = try siteInput(of: self, asOf: asOf, threads: 1)
        for problem in problems { console.tell(problem) }
        let archive = try openArchive(self)
        return try MarkdownPage(at: pageFolders(address), of: input) { app throws(Diagnostics) in
            try readHistory(of: app, sourcesByApp[app.id] ?? [], archive, asOf, console)
        }
    }
}
