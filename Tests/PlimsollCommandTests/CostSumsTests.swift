import Providers
import Testing

@testable import PlimsollCommand

/// What all queries of a source read together, by the estimates of a server that may say anything.
struct CostSumsTests {
    @Test func estimatesBeyondAllBoundsAddUp() {
        var sums = CostSums()
        for _ in 0..<3 {
            _ = sums.add(.reading(rows: .max / 2, bytes: .max / 2))
            _ = sums.add(.bytes(.max / 2))
            _ = sums.add(.atMost(bytes: .max / 2))
        }
        #expect(sums.lines(nil).last == "  total: 9,223,372,036,854,775,807 rows")
    }
}
