package import Diagnostics

/// What a publication is to do at a target: the difference between the site and what is there.
///
/// New files go first, as no page that is there leads to them; then what is there is replaced, when everything that
/// the new pages lead to has arrived; then removed is what no page leads to any more. Broken anywhere, every link of
/// what readers find works. Only what cannot be next to a new file, as a folder became a file or a file a folder, goes
/// right before that file comes.
package struct PublicationPlan: Sendable {
    /// A file to send.
    package struct Upload: Hashable, Sendable {
        /// The file.
        package let file: SiteFile
        /// Whether no publication has brought anything there under its path, as far as is known for certain.
        package let isNew: Bool
        /// When it goes.
        package let stage: PublicationStage
        /// What tells how it is served.
        package let served: String
    }

    /// The files to send in batches: all of one must have arrived before the next begins.
    package let batches: [[Upload]]
    /// The paths that the site has dropped.
    package let removals: [PublishedPath]
    /// Those of them where the site now has a file above or below: both cannot be there, so they go before it comes.
    private let displaced: Set<PublishedPath>
    /// The paths that the site has dropped, which stay until the next publication.
    package let leaving: [PublishedPath]
    /// How many files are there as they should be.
    package let unchanged: Int
    /// What the last publication left; nil before the first.
    package let last: LastPublication?
    /// Whose site it is; what is not known of that is taken from what is there.
    let project: PublishedProject?
    /// The same without what is taken from there; nil where nothing is known.
    private let ownProject: PublishedProject?

    /// Compares a site with what is at a target.
    ///
    /// - Parameters:
    ///   - project: whose site it is; nil where that is not known.
    ///   - served: tells how the target serves a file; one that is served otherwise is sent again.
    package init(
        _ files: [SiteFile], over last: LastPublication?, of project: PublishedProject? = nil,
        served: (SiteFile) -> String = { _ in "" }
    ) {
        self.last = last
        ownProject = project
        self.project = project?.completed(by: last?.manifest.project) ?? last?.manifest.project
        let before = last?.manifest.files ?? [:]
        var uploads: [Upload] = []
        for file in files {
            let way = served(file)
            let entry = before[file.path]
            if let entry, entry.sha256 == file.sha256, entry.size == file.size, entry.served == way {
                continue
            }
            uploads.append(
                Upload(
                    file: file, isNew: entry?.isAwaited ?? true, stage: PublicationStage(file.path.text),
                    served: way))
        }
        unchanged = files.count - uploads.count
        let wanted = Set(files.map(\.path))
        let gone = before.filter { !wanted.contains($0.key) }
        let displaced = without(gone.keys, roomFor: wanted)
        let stays = gone.filter {
            isFingerprinted($0.key.text) && !$0.value.isLeaving && !displaced.contains($0.key)
        }
        self.displaced = displaced
        leaving = stays.keys.sorted()
        removals = gone.keys.filter { stays[$0] == nil }.sorted()
        let new = PublicationStage.ofNewFiles.map { stage in uploads.filter { $0.isNew && $0.stage == stage }
        }
        let changed = PublicationStage.allCases.map { stage in
            uploads.filter { !$0.isNew && $0.stage == stage }
        }
        batches = (new + changed).filter { !$0.isEmpty }
    }

    /// What has to go before a batch comes: a folder of which the site makes a file, and a file of which it makes a
    /// folder.
    func displaced(by batch: [Upload]) -> [PublishedPath] {
        without(displaced, roomFor: Set(batch.map(\.file.path))).sorted()
    }

    /// What is to be removed when everything has arrived, as no page leads to it any more.
    var laterRemovals: [PublishedPath] {
        displaced.isEmpty ? removals : removals.filter { !displaced.contains($0) }
    }

    /// Dropped files with what the last publication knows of them, in steps in which they are compared with what is there:
    /// all that is of one step is on this machine meanwhile. A file that is larger than that has a step of its own.
    func comparisons(
        of paths: [PublishedPath], most: Int = mostComparedBytes
    ) -> [[PublishedPath: PublicationManifest.Entry]] {
        var steps: [[PublishedPath: PublicationManifest.Entry]] = []
        var room = 0
        for path in paths {
            guard let entry = last?.manifest.files[path] else { continue }
            if steps.isEmpty || entry.size > room {
                steps.append([:])
                room = most
            }
            steps[steps.count - 1][path] = entry
            // The size comes from the target: it may be any number.
            room -= entry.size
        }
        return steps
    }

    /// The most bytes of dropped files that are compared in one step.
    static let mostComparedBytes = 256 << 20

    /// The folders of removed files in which the site has no other file.
    var emptiedFolders: Set<PublishedPath> {
        let gone = Set(removals)
        let known = last?.manifest.files.keys.filter { !gone.contains($0) } ?? []
        let staying = (known + uploads.map(\.file.path)).flatMap(\.folders)
        return Set(removals.flatMap(\.folders)).subtracting(staying)
    }

    /// The files to send, in their order.
    package var uploads: [Upload] { batches.flatMap(\.self) }
    /// The bytes to send.
    package var bytes: Int { uploads.reduce(0) { $0 + $1.file.size } }
    /// Whether the target holds the site already, and its manifest the id that the project has now.
    package var isEmpty: Bool {
        batches.isEmpty && removals.isEmpty && leaving.isEmpty && last?.manifest.isComplete == true
            && last?.hasOwnFiles == true && last?.manifest.project?.id == project?.id
    }

    /// Why the site must not take the place of what is there: another project published that; nil where nothing says so.
    func projectProblem(at place: String) -> Diagnostic? {
        guard let there = last?.manifest.project, let project = ownProject, project.isOther(than: there)
        else {
            return nil
        }
        return .error(
            "publish.another-site", "\(place) holds the site of another project; nothing was published",
            details: [project.difference(from: there)],
            hints: ["choose another place, or another prefix or branch there"]
                + [project.hint(toBe: there)].compactMap(\.self) + [
                    "if that site is to be replaced, run 'plimsoll publish --to ID --adopt' once, with '--allow-removals' where most "
                        + "of its files go"
                ])
    }

    /// Why so much must not be removed; nil when it is no more than a share of what is there, in percent.
    package func removalProblem(most percent: Int, at place: String) -> Diagnostic? {
        let before = last?.manifest.files.count ?? 0
        guard removals.count * 100 > before * percent else { return nil }
        return .error(
            "publish.removals",
            "\(removals.count) of \(before) files at \(place) would be removed; nothing was published",
            details: ["at most \(percent)% are removed at once"]
                + removals.prefix(5).map { "would be removed: \($0)" },
            hints: [
                "check that the site is whole; then publish with '--allow-removals', or raise 'mostRemoved'"
            ])
    }
}

/// Those of some paths that cannot be next to some files: what is below one of them, or where one needs a folder.
private func without(
    _ paths: some Collection<PublishedPath>, roomFor files: Set<PublishedPath>
) -> Set<PublishedPath> {
    guard !paths.isEmpty else { return [] }
    let folders = Set(files.flatMap(\.folders))
    return Set(paths.filter { folders.contains($0) || $0.folders.contains(where: files.contains) })
}

/// What a target keeps of the last publication.
package struct LastPublication: Sendable {
    /// The files.
    package let manifest: PublicationManifest
    /// What names this state of the manifest at the target, so that another publication's is not replaced; nil where
    /// the target has no such name.
    package let revision: String?
    /// Whether what the target adds to the site by itself is there as it is to be.
    package let hasOwnFiles: Bool

    /// Makes it.
    package init(_ manifest: PublicationManifest, revision: String? = nil, hasOwnFiles: Bool = true) {
        (self.manifest, self.revision, self.hasOwnFiles) = (manifest, revision, hasOwnFiles)
    }
}

// MARK: - What is at the target meanwhile

extension PublicationManifest {
    /// What may be there once a publication has begun: all of before, and what is to be sent, unproven.
    init(beginning plan: PublicationPlan, at instant: String) {
        self.init(isComplete: false, at: instant, files: plan.last?.manifest.files ?? [:])
        project = plan.project
        for upload in plan.uploads {
            files[upload.file.path] =
                files[upload.file.path]?.unproven(sending: upload.file) ?? Entry(sending: upload.file)
        }
    }

    /// Notes that a file has arrived.
    mutating func note(_ upload: PublicationPlan.Upload) {
        files[upload.file.path] = Entry(
            size: upload.file.size, sha256: upload.file.sha256, served: upload.served)
    }

    /// Notes that the publication has come to its end.
    mutating func finish(_ plan: PublicationPlan) {
        for path in plan.removals { files[path] = nil }
        for path in plan.leaving { files[path]?.isLeaving = true }
        isComplete = true
    }

    /// What is there when all of a plan has been done at once.
    package init(after plan: PublicationPlan, at instant: String) {
        self.init(beginning: plan, at: instant)
        for upload in plan.uploads { note(upload) }
        finish(plan)
    }
}
