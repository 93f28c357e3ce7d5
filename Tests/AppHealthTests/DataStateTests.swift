import AppHealth
import Diagnostics
import Testing

private let noon = Instant(secondsSinceEpoch: 43_200)
private let timeout = Diagnostic.error("transport.timeout", "No answer")

struct DataStateTests {
    static let states: [(DataState<Int>, value: Int?, asOf: Instant?)] = [
        (.loaded(3, asOf: noon), 3, noon), (.stale(3, asOf: noon, why: timeout), 3, noon),
        (.insufficient(3, asOf: noon, needed: 9), 3, noon), (.failed(why: timeout), nil, nil),
        (.unavailable(why: "unknown"), nil, nil),
    ]

    @Test(arguments: states)
    func stateSaysWhatThereIs(reading: DataState<Int>, value: Int?, asOf: Instant?) {
        #expect(reading.value == value)
        #expect(reading.asOf == asOf)
    }

    @Test(
        arguments: zip(
            states.map(\.0),
            [
                .loaded("3", asOf: noon), .stale("3", asOf: noon, why: timeout),
                .insufficient("3", asOf: noon, needed: 9), .failed(why: timeout),
                .unavailable(why: "unknown"),
            ] as [DataState<String>]))
    func mappingKeepsTheState(reading: DataState<Int>, expected: DataState<String>) {
        #expect(reading.map(orUnavailable: "none") { "\($0)" } == expected)
    }

    @Test(arguments: states.map(\.0))
    func mappingToNothingIsUnavailableUnlessThereWasNothing(reading: DataState<Int>) {
        let mapped: DataState<String> = reading.map(orUnavailable: "none") { _ in nil }
        switch reading {
        case .failed: #expect(mapped == .failed(why: timeout))
        case .unavailable: #expect(mapped == .unavailable(why: "unknown"))
        case .loaded, .stale, .insufficient: #expect(mapped == .unavailable(why: "none"))
        }
    }
}

struct FetchAttemptTests {
    @Test func attemptStatesItsFailure() {
        #expect(FetchAttempt(at: noon, outcome: .failed(timeout)).failure == timeout)
        #expect(FetchAttempt(at: noon, outcome: .succeeded(warnings: [timeout])).failure == nil)
    }
}
