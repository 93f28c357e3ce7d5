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

struct SourceReadingTests {
    private static let good = FetchAttempt(at: noon, outcome: .succeeded(warnings: [timeout]))
    private static let bad = FetchAttempt(at: noon, outcome: .failed(timeout))

    @Test(
        arguments: [
            (nil, nil, 7, .unavailable(why: "never fetched")),
            (nil, good, 7, .unavailable(why: "never fetched")),
            (nil, bad, 7, .failed(why: timeout)), (noon, nil, 7, .loaded(7, asOf: noon)),
            (noon, good, 7, .loaded(7, asOf: noon)), (noon, bad, 7, .stale(7, asOf: noon, why: timeout)),
            (noon, good, nil, .unavailable(why: "no sessions")),
            (noon, bad, nil, .unavailable(why: "no sessions")),
            (noon, good, 0, .loaded(0, asOf: noon)),
        ] as [(Instant?, FetchAttempt?, Int?, DataState<Int>)])
    func stateFollowsFromCaptureAndAttempt(
        capturedAt: Instant?, attempt: FetchAttempt?, value: Int?, expected: DataState<Int>
    ) {
        let history = SourceHistory(
            source: .knowing([.sessions]), capturedAt: capturedAt, lastAttempt: attempt)
        #expect(history.reading(.sessions, missing: "no sessions") { _ in value } == expected)
    }

    @Test(arguments: Capability.allCases)
    func whatASourceCannotKnowIsUnavailableWhateverItSays(capability: Capability) {
        let able = Set(Capability.allCases).subtracting([capability])
        let history = SourceHistory(source: .knowing(able), capturedAt: noon, lastAttempt: Self.bad)
        #expect(
            history.reading(capability, missing: "missing") { _ in 7 }
                == .unavailable(why: "files doesn't provide this"))
    }

    @Test func attemptStatesItsFailure() {
        #expect(Self.bad.failure == timeout)
        #expect(Self.good.failure == nil)
    }
}

extension Source {
    fileprivate static func knowing(_ capabilities: Set<Capability>) -> Source {
        Source(
            id: Slug(anyText: "files"), provider: "files", sessionDefinition: "", userDefinition: "",
            zone: "UTC",
            delay: "", capabilities: capabilities)
    }
}
