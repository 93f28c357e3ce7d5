import AppHealth
import Testing

@testable import Charts

struct ScaleTests {
    @Test(
        arguments: [
            (0, 10, [0, 2, 4, 6, 8, 10], 0), (98.2, 99.9, [98, 98.5, 99, 99.5, 100], 1),
            (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1], 1),
            (0, 1e15, [0, 2e14, 4e14, 6e14, 8e14, 1e15], 0), (-3, 3, [-4, -2, 0, 2, 4], 0),
            (0, 12, [0, 5, 10, 15], 0),
        ] as [(Double, Double, [Double], Int)])
    func ticksAreRound(low: Double, high: Double, expected: [Double], decimals: Int) {
        let ticks = NiceTicks(low, high, wished: 5)
        #expect(ticks.ticks == expected)
        #expect(ticks.decimals == decimals)
    }

    @Test(
        arguments: [
            (0, [0, 1]), (1, [0, 1]), (1.5, [0, 1, 2]), (3, [0, 1, 2, 3]), (12, [0, 5, 10, 15]),
        ] as [(Double, [Double])])
    func countsHaveNoTicksBetweenWholeNumbers(high: Double, expected: [Double]) {
        #expect(countTicks(0, high, wished: 4).ticks == expected)
        #expect(valueTicks(.count, values: [0, 0], intervals: [], wished: 4).ticks == [0, 1])
    }

    @Test func ticksStayWithinTheLimits() {
        let ticks = NiceTicks(99.2, 100, wished: 4, limits: 0...100)
        #expect(ticks.upper == 100 && ticks.ticks.last == 100)
    }

    @Test(arguments: [
        (1, 6000), (2, 6000), (7, 6000), (30, 6000), (90, 6000), (400, 6000), (3650, 6000), (36_525, 6000),
        (90, 900),
    ])
    func labelsOfDaysNeverTouch(count: Int, width: Int) {
        for offset in 0..<40 {
            let domain = DateDomain(last: today.advanced(by: offset * 9), count: count)
            let scale = DateScale(domain: domain, left: 0, right: width)
            let ticks = dateTicks(scale)
            #expect(!ticks.isEmpty && ticks.count <= 16)
            for (one, next) in zip(ticks, ticks.dropFirst()) {
                let room = scale.center(next.index) - scale.center(one.index)
                #expect(
                    (estimatedWidth(one.label) + estimatedWidth(next.label)) / 2 + 30 <= room,
                    "\(one.label) \(next.label)")
            }
        }
    }

    @Test func directLabelsAreMovedApart() {
        let labels = spread(
            [
                DirectLabel(.value, "a", y: 50), DirectLabel(.target, "b", y: 60),
                DirectLabel(.critical, "c", y: 1000),
            ], top: 0, bottom: 1000)
        #expect(labels.map(\.y) == [50, 185, 1000])
        let low = spread(
            [DirectLabel(.value, "a", y: 990), DirectLabel(.target, "b", y: 1000)], top: 0, bottom: 1000)
        #expect(low.map(\.y) == [865, 1000])
    }

    @Test(arguments: [
        (0, "0"), (5, ".5"), (-3, "-.3"), (1205, "120.5"), (-120, "-12"), (10, "1"), (.max, "1000000"),
    ])
    func coordinatesAreShort(value: Int, expected: String) {
        var out = SVGWriter(capacity: 8)
        out.tenths(value)
        #expect(out.text == expected)
    }
}
