import DequeModule

/// Which of the waiting items may start: first come first served within an origin, the origins in turn, never
/// more than so many at once for one origin and in all.
struct Schedule<Item: Identifiable> {
    private struct Lane {
        var waiting = Deque<Item>()
        var running = 0
    }

    private let perOrigin: Int
    private let total: Int
    private var lanes: [Origin: Lane] = [:]
    private var turn: [Origin] = []
    private var running = 0

    init(perOrigin: Int, total: Int) {
        self.perOrigin = max(perOrigin, 1)
        self.total = max(total, 1)
    }

    mutating func enqueue(_ item: Item, for origin: Origin) {
        if lanes[origin] == nil { turn.append(origin) }
        lanes[origin, default: Lane()].waiting.append(item)
    }

    /// Takes the next item that may start; the caller must say when it has ended.
    mutating func next() -> Item? {
        guard running < total else { return nil }
        for (index, origin) in turn.enumerated() {
            // No lane is taken out: a second name of its queue would let all of it be copied for each item.
            guard let running = lanes[origin]?.running, running < perOrigin,
                let item = lanes[origin]?.waiting.popFirst()
            else { continue }
            lanes[origin]?.running += 1
            self.running += 1
            turn.append(turn.remove(at: index))
            return item
        }
        return nil
    }

    mutating func ended(_ origin: Origin) {
        guard let count = lanes[origin]?.running, count > 0 else { return }
        lanes[origin]?.running = count - 1
        running -= 1
        dropIfIdle(origin)
    }

    /// Takes a waiting item out; nil when it does not wait.
    mutating func remove(_ id: Item.ID, for origin: Origin) -> Item? {
        guard let index = lanes[origin]?.waiting.firstIndex(where: { $0.id == id }) else { return nil }
        let item = lanes[origin]?.waiting.remove(at: index)
        dropIfIdle(origin)
        return item
    }

    /// Takes every waiting item out.
    mutating func removeAll() -> [Item] {
        let all = turn.flatMap { lanes[$0]?.waiting ?? [] }
        for origin in turn { lanes[origin]?.waiting = [] }
        return all
    }

    private mutating func dropIfIdle(_ origin: Origin) {
        guard let lane = lanes[origin], lane.waiting.isEmpty, lane.running == 0 else { return }
        lanes[origin] = nil
        turn.removeAll { $0 == origin }
    }
}
