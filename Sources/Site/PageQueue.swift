import Synchronization

/// Pages that threads take one after the other, so that none waits while another has many large ones left.
final class PageQueue: Sendable {
    private let files: PageList
    private let taken = Atomic(0)

    init(_ files: PageList) { self.files = files }

    /// The next page; nil when all are taken.
    func next() -> PageFile? {
        let place = taken.add(1, ordering: .relaxed).oldValue
        return files.indices.contains(place) ? files[place] : nil
    }
}
