import Diagnostics
import Files
import Markup
import Pages

extension StagedSite {
    /// Makes files on several threads at once; the order has no influence on a byte.
    func make(
        _ files: PageList, _ markdownWriter: MarkdownPageWriter, _ threads: Int, _ old: OldPages? = nil
    ) async throws(Diagnostics) -> Tally {
        let queue = PageQueue(files)
        let result = await NoteText.$memory.withValue(KnownNotes()) {
            await written(queue, markdownWriter, min(threads, max(1, files.count)), old)
        }
        try refuseInterruption()
        switch result {
        case .success(let tally):
            if let fault = tally.fault { throw Diagnostics([fault]) }
            return tally
        case .failure(let error): throw Diagnostics([error.diagnostic])
        }
    }

    private func written(
        _ queue: PageQueue, _ markdownWriter: MarkdownPageWriter, _ threads: Int, _ old: OldPages?
    ) async -> Result<Tally, FileFailure> {
        await withTaskGroup(of: Result<Tally, FileFailure>.self) { group in
            for _ in 0..<threads {
                group.addTask { await writePages(of: queue, self, markdownWriter, old) }
            }
            var whole = Tally()
            var failure: FileFailure?
            for await result in group {
                switch result {
                case .success(let tally): whole += tally
                case .failure(let error): failure = failure ?? error
                }
            }
            if let failure { return .failure(failure) }
            return .success(whole)
        }
    }
}

@concurrent
private func writePages(
    of queue: PageQueue, _ staged: StagedSite, _ markdownWriter: MarkdownPageWriter, _ old: OldPages?
) async -> Result<Tally, FileFailure> {
    var writer = ByteWriter(capacity: 1 << 16)
    var tally = Tally()
    do throws(FileFailure) {
        while let file = queue.next() {
            tally += try write(file, staged, markdownWriter, &writer, old)
            if tally.fault != nil || Task.isCancelled { break }
        }
    } catch {
        return .failure(error)
    }
    return .success(tally)
}

/// Writes the files of a page, or keeps those of an equal one of the site before.
private func write(
    _ file: PageFile, _ staged: StagedSite, _ markdownWriter: MarkdownPageWriter, _ writer: inout ByteWriter,
    _ old: OldPages?
) throws(FileFailure) -> Tally {
    let prepared = file.prepare()
    let digest = old == nil ? nil : prepared.digest?()
    if let digest, let (page, files) = old?.page(file.name, digest) {
        var tally = Tally(pages: 1, keptPages: 1, files: files.count, failedChecks: page.failedChecks)
        for old in files {
            try staged.reuse(old)
            tally.bytes += old.file.size
        }
        tally.kept[file.name] = page
        return tally
    }
    let made = prepared.make(markdownWriter, &writer)
    var tally = Tally(pages: 1, files: made.files.count, failedChecks: made.failedChecks)
    tally.fault = made.fault
    if let source = made.source { tally.mainPages[file.path] = source }
    for (path, bytes) in made.files {
        try staged.write(path, bytes)
        tally.bytes += bytes.count
    }
    if let digest {
        tally.kept[file.name] = KeptPage(
            digest: digest, files: made.files.map(\.path), failedChecks: made.failedChecks)
    }
    return tally
}
