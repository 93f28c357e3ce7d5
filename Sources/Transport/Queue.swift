/// First in, first out; taking the first is cheap however many wait.
struct Queue<Element> {
    private var storage: [Element?] = []
    private var head = 0

    /// What waits, in order.
    var elements: [Element] { storage[head...].compactMap { $0 } }

    var isEmpty: Bool { head == storage.count }

    mutating func append(_ element: Element) {
        storage.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < storage.count else { return nil }
        defer { dropTaken() }
        let element = storage[head]
        storage[head] = nil
        head += 1
        return element
    }

    mutating func remove(where isWanted: (Element) -> Bool) -> Element? {
        guard let index = storage.firstIndex(where: { $0.map(isWanted) ?? false }) else { return nil }
        return storage.remove(at: index)
    }

    // Moves the rest down only when half has been taken, so that each element is moved once on average.
    private mutating func dropTaken() {
        guard head >= 32, head * 2 >= storage.count else { return }
        storage.removeFirst(head)
        head = 0
    }
}
