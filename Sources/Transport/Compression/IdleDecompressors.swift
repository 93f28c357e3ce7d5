/// The decompressors that one loop has no use for at the moment: to make one costs more than to undo a small body.
final class IdleDecompressors {
    private let most: Int
    private var idle: [Decompressor] = []

    /// Keeps at most so many.
    init(most: Int) {
        self.most = most
    }

    /// One that is ready for a body; nil when there is no memory for it.
    func take(_ coding: ContentCoding) -> Decompressor? {
        if coding == .gzip, let kept = idle.popLast() { return kept }
        return Decompressor(coding)
    }

    /// Keeps one for the next body. Those of other codings than gzip go: their windows may hold megabytes.
    func keep(_ decompressor: Decompressor) {
        guard idle.count < most, decompressor.coding == .gzip, decompressor.restart() else { return }
        idle.append(decompressor)
    }
}
