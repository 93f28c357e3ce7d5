/// Which calls between routines are part of a circle, in one pass over all of them: a theme has up to twenty thousand.
struct CallCycles {
    private var next: [Int: [Int]] = [:]
    /// Routines that reach each other have the same number.
    private var circles: [Int: Int] = [:]

    init(_ calls: some Sequence<(from: Int, to: Int)>) {
        var before: [Int: [Int]] = [:]
        for call in calls {
            next[call.from, default: []].append(call.to)
            before[call.to, default: []].append(call.from)
        }
        // Those that are finished last reach all others of their circle, and on the way back nothing beyond it.
        for routine in routinesByEnd().reversed() where circles[routine] == nil {
            var waiting = [routine]
            while let member = waiting.popLast() {
                guard circles[member] == nil else { continue }
                circles[member] = routine
                waiting += before[member] ?? []
            }
        }
    }

    /// Whether a call comes back to where it is made.
    func contains(from: Int, to: Int) -> Bool { circles[from] == circles[to] }

    /// The routines, each behind all that it reaches but for those of its circle.
    private func routinesByEnd() -> [Int] {
        var (ended, seen): ([Int], Set<Int>) = ([], [])
        for start in next.keys.sorted() where seen.insert(start).inserted {
            var path = [(routine: start, rest: next[start] ?? [])]
            while let last = path.indices.last {
                guard let called = path[last].rest.popLast() else {
                    ended.append(path.removeLast().routine)
                    continue
                }
                if seen.insert(called).inserted { path.append((called, next[called] ?? [])) }
            }
        }
        return ended
    }
}
