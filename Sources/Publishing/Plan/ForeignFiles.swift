import Diagnostics
import Files

/// What a place holds that no publication put there and that a site would touch.
package struct ForeignFiles: Equatable, Sendable {
    /// Files of the same names as new files of the site: they are replaced when the owner adopts them.
    package var replaced: [PublishedPath] = []
    /// Files where the site needs a folder, and files of a folder where the site needs a file. Nothing replaces them: a
    /// whole folder of someone else's could go with one name.
    package var blocking: [PublishedPath] = []
    /// What else is at a place that no publication was made to, where that alone is a reason to ask.
    package var others: [PublishedPath] = []
    /// Files under names that a broken publication was about to send, with what it wrote of them: they are someone else's
    /// unless they have its bytes.
    private(set) var awaited: [PublishedPath: PublicationManifest.Entry] = [:]

    /// Nothing is in the way.
    package init() {}

    /// Finds out what is in the way of a plan.
    ///
    /// - Parameter there: what the place holds under the names of the files to send, of the folders above them and below
    ///   them; folders are not among it.
    package init(_ there: some Sequence<PublishedPath>, under plan: PublicationPlan) {
        let known = plan.last?.manifest.files ?? [:]
        let files = Set(plan.uploads.map(\.file.path))
        let folders = Set(files.flatMap(\.folders))
        for path in there.sorted() where path != PublicationManifest.path {
            if let entry = known[path] {
                if entry.isAwaited, entry.isComparable, files.contains(path) { awaited[path] = entry }
            } else if files.contains(path) {
                replaced.append(path)
            } else if folders.contains(path) || path.folders.contains(where: files.contains) {
                blocking.append(path)
            }
        }
    }

    /// Adds those of the awaited files that have other bytes.
    mutating func add(_ changed: some Sequence<PublishedPath>) {
        replaced = (replaced + changed).sorted()
        awaited = [:]
    }

    /// Refuses a publication that would touch files of others.
    ///
    /// - Parameter adopts: whether the owner allows to replace files, and to publish next to others.
    func refuse(at place: String, adopts: Bool) throws(Diagnostic) {
        if !blocking.isEmpty { throw inTheWay(blocking, at: place) }
        guard !adopts else { return }
        if !replaced.isEmpty {
            throw .error(
                "publish.foreign-files",
                "\(place) holds files of the same names that plimsoll did not publish; nothing was published",
                details: firstFive("would be replaced", replaced),
                hints: ["choose an empty place, or publish with '--adopt' to replace them"])
        }
        if !others.isEmpty {
            throw .error(
                "publish.foreign-files",
                "\(place) holds files, and plimsoll never published there; nothing was published",
                details: firstFive("is there", others),
                hints: ["choose an empty place, or publish with '--adopt' to add the site to what is there"])
        }
    }
}

/// That what others put or changed there is where the site needs something of another kind.
func inTheWay(_ paths: [PublishedPath], at place: String) -> Diagnostic {
    .error(
        "publish.in-the-way",
        "\(place) holds files of others where the site needs a folder, or a folder where it needs a file; nothing was published",
        details: firstFive("is in the way", paths),
        hints: ["move them away, then publish again; '--adopt' replaces files of the same names only"])
}

/// The first paths of a list, a line for each, and how many more there are.
func firstFive(_ what: String, _ paths: [PublishedPath]) -> [String] {
    let more = paths.count - 5
    return paths.prefix(5).map { "\(what): \($0)" } + (more > 0 ? ["and \(more) more"] : [])
}
