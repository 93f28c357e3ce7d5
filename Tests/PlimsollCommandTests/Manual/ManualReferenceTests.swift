import Attaching
import Configuration
import Foundation
import Publishing
import Testing

/// The pages of the manual that are made from the program, whole or in their tables; `make docs` or
/// `UPDATE_GOLDEN=1` writes them again.
struct ManualReferenceTests {
    private func check(_ page: String, _ expected: String) throws {
        let path = "\(ManualPage.folder)/\(page).md"
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(expected.utf8).write(to: URL(filePath: "\(bundled)/\(path)"))
        } else {
            let isCurrent = try Folder.text(at: "\(bundled)/\(path)") == expected
            #expect(isCurrent, "\(path) differs from the program; 'make docs' rewrites it")
        }
    }

    @Test func commandsPageIsCurrent() async throws {
        try check("commands", commandsReference(try await CommandHelp.program.value))
    }

    @Test func themeReferenceIsCurrent() async throws {
        let reference = themeReference(try await demoExamples())
        #expect(!reference.contains("| – |\n"), "every field has an example")
        try check("theme-fields", reference)
    }

    @Test func configurationTablesAreCurrent() throws {
        let page = try ManualPage.named("configuration").text
        for table in keyTables { #expect(page.contains("\n## \(table.title)\n"), "\(table.title)") }
        #expect(page.contains("\n### Keys of a provider\n"))
        try check("configuration", configurationReference(page))
    }

    @Test func tablesOfPublishTargetsAreCurrent() throws {
        let page = try ManualPage.named("publishing").text
        for target in standardTargets {
            #expect(page.contains("\n\(targetHeading(target))\n"), "\(target.name)")
        }
        try check("publishing", publishingReference(page))
    }

    @Test func tablesOfAttachTargetsAreCurrent() throws {
        let page = try ManualPage.named("attaching").text
        for target in standardAttachTargets {
            #expect(page.contains("\n\(attachHeading(target))\n"), "\(target.name)")
        }
        try check("attaching", attachingReference(page))
    }
}
