import Files
import Foundation

/// Measures what large apps, long histories and many apps take, against smaller ones in the same run.
enum GrowthBench {
    static func run(_ folder: String) throws {
        try issues(folder + "/issues")
        try years(folder + "/years")
        try manyApps(folder + "/apps")
        try manyFiles(folder + "/files")
    }

    private static func issues(_ folder: String) throws {
        print("\none app with 50,000 issues × 30 days")
        let site = Nights(folder)
        let (fetch, build) = try site.night(GrowthSet(issues: 50_000, days: 30, eventDays: 10))
        line("fetch", fetch.cpu, "s")
        line("memory", fetch.megabytes, "MB", goal: 300)
        line("build", build.cpu, "s")
        line("memory", build.megabytes, "MB", goal: 300)
        try site.remove()
    }

    private static func years(_ folder: String) throws {
        print("\nan ordinary night of one app with 200 issues")
        let nights = try [365, 5 * 365].map { days in
            let site = Nights("\(folder)-\(days)")
            for ago in [2, 1] { _ = try site.night(GrowthSet(issues: 200, days: days, nightsAgo: ago)) }
            let night = try site.night(GrowthSet(issues: 200, days: days)).build
            line("with \(days / 365) years of days", night.cpu, "s")
            try site.remove()
            return night.cpu
        }
        line("ratio", nights[1] / nights[0], "×", goal: 1.3)
    }

    private static func manyApps(_ folder: String) throws {
        print("\n1,000 apps with 20 issues and 60 days each, of which 50 have news at noon")
        let all = Nights(folder)
        var set = GrowthSet(apps: 1_000, issues: 20, days: 60)
        let first = try all.night(set)
        line("fetch from nothing", first.fetch.cpu, "s")
        line("build from nothing", first.build.cpu, "s")
        line("memory of it", first.build.megabytes, "MB")
        try all.buildAgain(set)
        set.withNews = 50
        let noon = try all.night(set)
        line("fetch at noon", noon.fetch.cpu, "s")
        line("build at noon", noon.build.cpu, "s")
        line("elapsed", noon.build.elapsed, "s")
        line("memory of it", noon.build.megabytes, "MB")
        let size = try FileManager.default.attributesOfItem(atPath: all.entryPage)[.size] as? Int ?? 0
        line("entry page", Double(size) / 1_000, "kB", goal: 60)
        try all.remove()
        let some = Nights(folder + "-50")
        _ = try some.night(GrowthSet(apps: 50, issues: 20, days: 60))
        try some.buildAgain(GrowthSet(apps: 50, issues: 20, days: 60))
        let few = try some.night(GrowthSet(apps: 50, issues: 20, days: 60, withNews: 50))
        line("fetch of 50 apps alone at noon", few.fetch.cpu, "s")
        line("ratio", noon.fetch.cpu / few.fetch.cpu, "×")
        line("build of 50 apps alone at noon", few.build.cpu, "s")
        line("ratio", noon.build.cpu / few.build.cpu, "×")
        try some.remove()
    }

    /// The data set L of other generators has 100 apps with 1,000 issues and 365 days.
    private static func manyFiles(_ folder: String) throws {
        print("\n100 apps with 1,000 issues and 365 days each")
        let site = Nights(folder)
        let (fetch, build) = try site.night(GrowthSet(apps: 100, issues: 1_000, days: 365, nightsAgo: 1))
        line("memory of the fetch", fetch.megabytes, "MB", goal: 100)
        line("build", build.cpu, "s")
        line("memory of it", build.megabytes, "MB", goal: 100)
        let next = try site.night(GrowthSet(apps: 100, issues: 1_000, days: 365)).build
        line("next night", next.cpu, "s")
        line("memory of it", next.megabytes, "MB", goal: 100)
        try site.remove()
    }
}

/// A folder in which one night after the other is fetched and built.
struct Nights {
    let folder: String

    init(_ folder: String) { self.folder = folder }

    var entryPage: String { folder + "/site/index.html" }

    /// Puts the snapshots of a night there, and fetches and builds.
    func night(_ set: GrowthSet) throws -> (fetch: MeasuredRun, build: MeasuredRun) {
        try set.write(to: folder)
        return (try run("fetch"), try run("build"))
    }

    /// Builds once more an hour later, so that there is a site before the present one, as on any night but the first two.
    func buildAgain(_ set: GrowthSet) throws { _ = try run("build", "--as-of", set.instant(hour: 7)) }

    private func run(_ command: String...) throws -> MeasuredRun {
        try MeasuredRun(
            try siblingProgram("plimsoll"), command + ["--config", folder + "/plimsoll.yml"],
            environment: ProcessInfo.processInfo.environment, isQuiet: true)
    }

    func remove() throws { try FileManager.default.removeItem(atPath: folder) }
}
