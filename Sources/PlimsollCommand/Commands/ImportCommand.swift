import ArgumentParser
import Diagnostics
import Files
import Foundation
import Markup
import Providers
import Site

/// What a table would bring, before a source is configured with it.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Show how a table of days (CSV) would be read.",
        discussion: """
            Prints the rows as they would be read, the columns that would not be, and a source to paste into \
            plimsoll.yml. Stores nothing.
            """)

    @Option(help: ArgumentHelp("Table to read.", valueName: "file"), completion: .file())
    var preview: String

    func run() throws {
        let console = Console()
        let table: TablePreview
        do throws(Diagnostic) {
            table = try read()
        } catch {
            throw console.stop(error)
        }
        let terminal = Terminal(ProcessInfo.processInfo.environment)
        console.document(
            layoutText(
                table.blocks(path: preview), width: terminal.width, hasColors: terminal.hasColors))
        for warning in table.warnings { console.report(warning) }
    }

    private func read() throws(Diagnostic) -> TablePreview {
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try readFile(preview, limit: 32 << 20)
        } catch {
            throw error.diagnostic
        }
        return try TablePreview(bytes, document: preview)
    }
}

extension TablePreview {
    /// So many rows are shown; the others are counted.
    private static let mostRows = 10

    /// The table, what is not read of it, and the source that reads it.
    func blocks(path: String) -> [Block] {
        let columns = fields.map { field in
            BlockTable.Column(field, isNumber: field != "date" && field != "release")
        }
        let shown = rows.prefix(Self.mostRows).map { row in
            row.map { [Span.text($0.isEmpty ? "–" : $0)] }
        }
        var facts = ["\(path): \(form), \(counted(rows.count, "row"))"]
        if rows.count > shown.count { facts.append("The first \(shown.count) rows:") }
        var blocks: [Block] = [.lines(facts.map { [.text($0)] })]
        if !shown.isEmpty { blocks.append(.table(BlockTable(columns, rows: shown))) }
        if !unread.isEmpty {
            let names = unread.map { "'\($0)'" }.joined(separator: ", ")
            blocks.append(.lines([[.text("Not read: \(names)")]]))
        }
        let lines = ["sources:"] + configuration(path: path).map { "  " + $0 }
        return blocks + [
            .lines([[.text("To read it, add this to the app in plimsoll.yml:")]]),
            .code(lines.joined(separator: "\n") + "\n", language: "yaml"),
        ]
    }
}
