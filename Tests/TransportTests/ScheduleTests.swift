import Testing

@testable import Transport

struct ScheduleTests {
    private struct Item: Identifiable, Equatable { var id: Int }

    private let first = Origin(scheme: .http, host: "a", port: 80)
    private let second = Origin(scheme: .http, host: "b", port: 80)

    @Test func holdsTheLimitOfAnOriginAndOfAll() {
        var schedule = Schedule<Item>(perOrigin: 2, total: 3)
        for id in 0..<4 { schedule.enqueue(Item(id: id), for: first) }
        for id in 10..<13 { schedule.enqueue(Item(id: id), for: second) }
        #expect(
            [schedule.next(), schedule.next(), schedule.next(), schedule.next()].map { $0?.id } == [
                0, 10, 1, nil,
            ])
        schedule.ended(first)
        #expect(schedule.next()?.id == 11)
        schedule.ended(second)
        #expect(schedule.next()?.id == 2)
    }

    @Test func keepsTheOrderOfMany() {
        var schedule = Schedule<Item>(perOrigin: 1, total: 1)
        for id in 0..<1000 { schedule.enqueue(Item(id: id), for: first) }
        #expect(schedule.remove(500, for: first)?.id == 500)
        var order: [Int] = []
        while let item = schedule.next() {
            order.append(item.id)
            schedule.ended(first)
        }
        #expect(order == Array(0..<500) + Array(501..<1000))
    }

    @Test func dropsWhatIsRemoved() {
        var schedule = Schedule<Item>(perOrigin: 1, total: 1)
        schedule.enqueue(Item(id: 1), for: first)
        schedule.enqueue(Item(id: 2), for: first)
        #expect(schedule.remove(1, for: first)?.id == 1 && schedule.remove(1, for: first) == nil)
        #expect(schedule.next()?.id == 2)
        schedule.ended(first)
        schedule.ended(first)
        schedule.enqueue(Item(id: 3), for: second)
        #expect(schedule.removeAll() == [Item(id: 3)] && schedule.next() == nil)
    }
}
