import AppHealth
import Diagnostics

/// From the entries of a snapshot file to the nouns of AppHealth; an impossible entry costs that entry.
struct SnapshotMapping {
    let file: SnapshotFile
    private let app: App
    private let sourceID: Slug
    var losses: SkippedValues

    init(file: SnapshotFile, app: App, sourceID: Slug, losses: SkippedValues) {
        self.file = file
        self.app = app
        self.sourceID = sourceID
        self.losses = losses
    }

    mutating func snapshot() -> Snapshot {
        let source = source()
        var result = Snapshot(app: app, source: source, capturedAt: file.capturedAt.instant)
        result.health = health()
        result.usage = usage()
        result.releases = releases()
        let issues = issues()
        result.issues = issues.map(\.issue)
        result.issueDays = issueDays(ofIssuesAt: Set(issues.map(\.index)))
        result.healthHours = healthHours()
        result.issueHours = issueHours(ofIssuesAt: Set(issues.map(\.index)))
        result.notes = notes()
        tellUnprovided(source.capabilities)
        result.warnings = losses.warnings
        return result
    }

    private mutating func source() -> Source {
        let words = file.source
        let name = words?.name?.nonEmpty
        let delay = words?.delay?.nonEmpty
        return Source(
            id: sourceID, provider: SnapshotReader.provider,
            sessionDefinition: words?.session?.text ?? "", userDefinition: words?.user?.text ?? "",
            zone: words?.zone?.nonEmpty ?? "UTC",
            delay: [name, delay].compactMap(\.self).joined(separator: ": "), capabilities: capabilities())
    }

    private mutating func capabilities() -> Set<Capability> {
        var result: Set<Capability> = []
        for item in file.provides.items {
            if let capability = Capability(rawValue: item.value.text) {
                result.insert(capability)
            } else {
                losses.refuse(
                    word: item.value.text, at: "provides[\(item.index)]",
                    among: Capability.allCases.map(\.rawValue))
            }
        }
        return result
    }

    /// What is given though the producer does not list it would be kept and never shown.
    private mutating func tellUnprovided(_ capabilities: Set<Capability>) {
        let lists: [(name: String, isGiven: Bool, needs: [Capability])] = [
            ("health", file.health?.items.isEmpty == false, [.sessions, .users, .releaseHealth]),
            ("hours", file.hours?.items.isEmpty == false, [.hours]),
            ("usage", file.usage?.items.isEmpty == false, [.usage]),
            ("releases", file.releases?.items.isEmpty == false, [.releases]),
            ("issues", file.issues?.items.isEmpty == false, [.issues]),
            ("notes", file.notes?.items.isEmpty == false, [.notes]),
        ]
        for list in lists where list.isGiven && capabilities.isDisjoint(with: list.needs) {
            let words = list.needs.map(\.rawValue).joined(separator: ", ")
            losses.refuse(
                "provides", expected: "\(words), for '\(list.name)' is given", found: "none of it")
        }
    }

    /// The entries of a list that the transform accepts; it gets each with its path.
    mutating func accepted<Entry, Value>(
        _ list: LossyArray<Entry>?, _ name: String,
        _ transform: (Entry, EntryPath, inout SkippedValues) -> Value?
    ) -> [Value] {
        (list?.items ?? []).compactMap {
            transform($0.value, EntryPath(list: name, index: $0.index), &losses)
        }
    }
}

/// Where an entry stands: `issues[3].days[0]`. Few are ever written out.
struct EntryPath: CustomStringConvertible {
    var list: String
    var index: Int

    var description: String { "\(list)[\(index)]" }
}
