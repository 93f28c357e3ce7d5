/// The bytes of a file with gaps for texts that each build fills in.
struct GappedText: Codable, Sendable {
    /// A place for a text.
    struct Gap: Codable, Sendable {
        /// How many of the bytes come before it.
        let offset: Int
        /// Which text it is.
        let text: Int
    }

    /// The bytes without the texts.
    let bytes: [UInt8]
    /// The gaps, in their order.
    let gaps: [Gap]

    /// Finds the gaps in bytes in which a mark is for each text.
    init(_ marked: [UInt8], marks: [[UInt8]]) {
        var (bytes, gaps): ([UInt8], [Gap]) = ([], [])
        bytes.reserveCapacity(marked.count)
        var begin = 0
        while let next = Self.first(of: marks, in: marked, from: begin) {
            bytes += marked[begin..<next.place]
            gaps.append(Gap(offset: bytes.count, text: next.mark))
            begin = next.place + marks[next.mark].count
        }
        bytes += marked[begin...]
        (self.bytes, self.gaps) = (bytes, gaps)
    }

    private static func first(
        of marks: [[UInt8]], in bytes: [UInt8], from begin: Int
    ) -> (place: Int, mark: Int)? {
        var rest = bytes[begin...]
        while let start = marks.first?.first, let place = rest.firstIndex(of: start) {
            if let mark = marks.firstIndex(where: { bytes[place...].starts(with: $0) }) {
                return (place, mark)
            }
            rest = bytes[(place + 1)...]
        }
        return nil
    }

    /// Whether the gaps are in order, and for so many texts.
    func fits(_ count: Int) -> Bool {
        var begin = 0
        return gaps.allSatisfy { gap in
            defer { begin = gap.offset }
            return (0..<count).contains(gap.text) && (begin...max(begin, bytes.count)).contains(gap.offset)
        }
    }

    /// The bytes with the texts, which it has to fit.
    func filled(_ texts: [String]) -> [UInt8] {
        var filled: [UInt8] = []
        filled.reserveCapacity(bytes.count + gaps.count * 24)
        var begin = 0
        for gap in gaps {
            filled += bytes[begin..<gap.offset]
            filled += texts[gap.text].utf8
            begin = gap.offset
        }
        return filled + bytes[begin...]
    }
}
