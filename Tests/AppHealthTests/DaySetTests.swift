import AppHealth
import Testing

struct DaySetTests {
    /// Days of a month by their numbers; the set must hold these and no others, and cut at each of them.
    @Test(arguments: [[], [1], [3, 4, 5], [1, 3, 5], [9, 2, 3, 2, 10, 11, 20], Array(1...28)] as [[Int]])
    func holdsItsDaysAndNoOthers(numbers: [Int]) {
        let start = CivilDate(daysSinceEpoch: 20_000)
        let days = numbers.map { start.advanced(by: $0) }
        let set = DaySet(days)
        for number in 0...30 {
            let day = start.advanced(by: number)
            #expect(set.contains(day) == numbers.contains(number))
            #expect(set.through(day) == DaySet(days.filter { $0 <= day }))
        }
        #expect(set == DaySet(days.reversed()))
    }
}
