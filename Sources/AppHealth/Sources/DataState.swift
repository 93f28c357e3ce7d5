package import Diagnostics

/// A value with what is known about it: the data states that are kept apart from the decoder to the page.
package enum DataState<Value: Sendable>: Sendable {
    /// The value, current as of the instant.
    case loaded(Value, asOf: Instant)
    /// The last good value; the newest attempt to refresh it did not succeed.
    case stale(Value, asOf: Instant, why: Diagnostic)
    /// No value was ever had; the attempt to get one did not succeed.
    case failed(why: Diagnostic)
    /// The source doesn't provide this value, or has none for this span; the text says which.
    case unavailable(why: String)
    /// There is a value but the sample is too small for a verdict; `needed` more are wanted.
    case insufficient(Value, asOf: Instant, needed: Int)
}

extension DataState {
    /// The value, when there is one in any state.
    package var value: Value? {
        switch self {
        case .loaded(let value, _), .stale(let value, _, _), .insufficient(let value, _, _): value
        case .failed, .unavailable: nil
        }
    }

    /// The instant at which the value was captured.
    package var asOf: Instant? {
        switch self {
        case .loaded(_, let instant), .stale(_, let instant, _), .insufficient(_, let instant, _): instant
        case .failed, .unavailable: nil
        }
    }

    /// The same state with another value; nil from `transform` makes the reading unavailable with the reason.
    package func map<Other: Sendable>(
        orUnavailable why: @autoclosure () -> String, _ transform: (Value) -> Other?
    ) -> DataState<Other> {
        switch self {
        case .failed(let why): return .failed(why: why)
        case .unavailable(let why): return .unavailable(why: why)
        case .loaded(let value, let asOf):
            return transform(value).map { .loaded($0, asOf: asOf) } ?? .unavailable(why: why())
        case .stale(let value, let asOf, let cause):
            return transform(value).map { .stale($0, asOf: asOf, why: cause) } ?? .unavailable(why: why())
        case .insufficient(let value, let asOf, let needed):
            return transform(value).map { .insufficient($0, asOf: asOf, needed: needed) }
                ?? .unavailable(why: why())
        }
    }
}

extension DataState: Equatable where Value: Equatable {}
