import Foundation
import Testing

/// Public sites whose owner wrote what an event is called, by the real program, on one machine and on new ones.
struct PassageTests {
    private struct Night: Sendable {
        let page: String
        let titles: [String]
    }

    private static func night(_ page: String, _ titles: String...) -> Night {
        Night(page: "# About\n\n\(page)\n", titles: titles)
    }

    private static let phrase = "We write down what breaks."

    private func write(_ night: Night, number: Int, to folder: Folder) throws {
        try folder.write(
            "plimsoll.yml",
            """
            title: Quay
            asOf: 2026-11-\(18 + number)T06:00:00Z
            audience: public
            content: words
            apps:
              - {id: buoy, name: Buoy, sources: [{provider: files, path: data}]}

            """)
        try folder.write("words/about.md", night.page)
        let issues = night.titles.enumerated().map { #"{"id":"i-\#($0)","title":"\#($1)"}"# }
        try folder.write(
            "data/buoy-\(number).json",
            """
            {"format":"plimsoll-snapshot","version":1,"app":"buoy","capturedAt":"2026-11-\(18 + number)T05:00:00Z",
            "provides":["users","issues"],"health":[{"date":"2026-11-\(17 + number)","users":300,"crashedUsers":2}],
            "issues":[\(issues.joined(separator: ","))]}
            """)
    }

    /// Nights, and whether the site of the last one is built.
    private static let rows: [(nights: [Night], isBuilt: Bool)] = [
        // The owner wrote it first: no event keeps the site from being built, nor a passage from being changed.
        ([night(phrase), night(phrase, phrase)], true),
        ([night(phrase), night("Now: " + phrase, "Another", phrase)], true),
        ([night(phrase), night("Now:", phrase), night(phrase, phrase)], true),
        // The event was there first.
        ([night("Nothing.", phrase), night(phrase, phrase)], false),
        ([night("Nothing."), night(phrase, phrase)], false),
        ([night(phrase, phrase)], false),
        ([night(phrase, phrase), night(phrase, phrase)], false),
        ([night(phrase, phrase), night("Nothing.", phrase)], true),
    ]

    /// What is kept of the nights before on the machine of the last one.
    enum Machine: CaseIterable, Sendable {
        case same, withoutSite, archiveAlone, mergedArchive
    }

    /// Leaves nothing here but what an archive that was fetched elsewhere brings along.
    private func fetchElsewhere(in folder: Folder) async throws {
        let fetched = try await Program.run("fetch", in: folder)
        #expect(fetched.status == 0, "\(fetched.printed)")
        try FileManager.default.moveItem(
            atPath: folder.path + "/archive.sqlite", toPath: folder.path + "/elsewhere.sqlite")
        try? FileManager.default.removeItem(atPath: folder.path + "/archive.sqlite.builds")
        let merged = try await Program.run("archive", "merge", "elsewhere.sqlite", in: folder)
        #expect(merged.status == 0, "\(merged.printed)")
    }

    @Test(arguments: rows.indices, Machine.allCases)
    func whatTheOwnerWroteFirstIsNoLeakOnAnyMachine(row: Int, machine: Machine) async throws {
        let (nights, isBuilt) = Self.rows[row]
        let folder = try Folder()
        for (number, night) in nights.enumerated() {
            let isLast = number == nights.count - 1
            if isLast, number > 0, machine != .same {
                try? FileManager.default.removeItem(atPath: folder.path + "/site")
                if machine == .archiveAlone {
                    try? FileManager.default.removeItem(atPath: folder.path + "/archive.sqlite.builds")
                }
            }
            try write(night, number: number, to: folder)
            let isMerged = isLast && machine == .mergedArchive
            if isMerged { try await fetchElsewhere(in: folder) }
            let run = try await Program.run(isMerged ? "build" : "run", in: folder)
            guard isLast else { continue }
            #expect((run.status == 4) == !isBuilt, "\(run.status): \(run.errors)")
            #expect(run.errors.contains("[leak.title]") == !isBuilt, "\(run.errors)")
            let single = try await Program.run(
                Program.path, ["build", "--single-file", "--output", "one.html"], in: folder.path)
            #expect(single.status == 0, "\(single.errors)")
        }
    }
}
