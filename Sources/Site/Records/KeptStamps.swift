import Files

/// What the files of a site were like when a build had written them, in two runs of bytes: tens of thousands of values
/// that are read one by one take longer than all else that a build without news does.
struct KeptStamps: Codable, Sendable {
    /// The paths, each with a zero after it.
    private let paths: [UInt8]
    /// For each path its four numbers of eight bytes, the lowest first.
    private let numbers: [UInt8]

    init(_ stamps: [String: FileStamp]) {
        var (paths, numbers): ([UInt8], [UInt8]) = ([], [])
        paths.reserveCapacity(stamps.count * 64)
        numbers.reserveCapacity(stamps.count * Self.size)
        for (path, stamp) in stamps {
            paths += path.utf8
            paths.append(0)
            for number in [
                stamp.node, UInt64(bitPattern: stamp.size), UInt64(bitPattern: stamp.written),
                UInt64(bitPattern: stamp.changed),
            ] {
                for place in 0..<8 {
                    numbers.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(place))))
                }
            }
        }
        (self.paths, self.numbers) = (paths, numbers)
    }

    /// What each file was like, by its path; nil when the two runs do not fit each other.
    var stamps: [String: FileStamp]? {
        var stamps: [String: FileStamp] = [:]
        stamps.reserveCapacity(numbers.count / Self.size)
        var rest = paths[...]
        for start in stride(from: 0, to: numbers.count, by: Self.size) {
            guard start + Self.size <= numbers.count, let end = rest.firstIndex(of: 0) else { return nil }
            let numbers = (0..<4).map { number(at: start + 8 * $0) }
            stamps[String(decoding: rest[..<end], as: UTF8.self)] = FileStamp(
                node: numbers[0], size: Int64(bitPattern: numbers[1]), written: Int64(bitPattern: numbers[2]),
                changed: Int64(bitPattern: numbers[3]))
            rest = rest[(end + 1)...]
        }
        return rest.isEmpty ? stamps : nil
    }

    private func number(at start: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(numbers[start + $1]) << (8 * UInt64($1)) }
    }

    private static let size = 32
}
