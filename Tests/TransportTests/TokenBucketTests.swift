import Testing

@testable import Transport

struct TokenBucketTests {
    /// When each of so many requests that come at these moments may start.
    private func starts(_ limit: RateLimit, _ moments: [Int]) -> [Int] {
        var bucket = TokenBucket(limit)
        return moments.map { bucket.reserve(at: $0) }
    }

    @Test func admitsTheLimitAtOnceAndTheRestAPeriodLater() {
        let limit = RateLimit(3, perSeconds: 10)
        #expect(starts(limit, [0, 0, 0, 0, 0, 0, 0]) == [0, 0, 0, 10_000, 10_000, 10_000, 20_000])
        #expect(starts(limit, [0, 4000, 9000, 9500, 9500]) == [0, 4000, 9000, 10_000, 14_000])
        #expect(starts(limit, [0, 0, 0, 10_000]) == [0, 0, 0, 10_000])
    }

    @Test(arguments: [1, 2, 7, 30])
    func noSpanOfAPeriodHoldsMoreThanTheLimit(requests: Int) {
        let limit = RateLimit(requests, perSeconds: 60)
        var state: UInt64 = 42
        var now = 0
        var bucket = TokenBucket(limit)
        let starts = (0..<500).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            now += Int(state >> 33) % 5000
            return bucket.reserve(at: now)
        }
        #expect(starts == starts.sorted())
        for (index, start) in starts.enumerated() {
            let inSpan = starts[index...].prefix { $0 < start + limit.milliseconds }.count
            #expect(inSpan <= requests)
        }
    }

    @Test func aTokenGivenBackServesTheNext() {
        var bucket = TokenBucket(RateLimit(1, perSeconds: 10))
        let start = bucket.reserve(at: 0)
        bucket.giveBack(startedAt: start)
        #expect(bucket.reserve(at: 5) == 5 && bucket.reserve(at: 5) == 10_005)
        bucket.giveBack(startedAt: 77)
        #expect(bucket.reserve(at: 5) == 20_005)
    }

    @Test func withoutALimitItOnlyHeedsTheService() {
        var bucket = TokenBucket(nil)
        #expect((0..<100).allSatisfy { _ in bucket.reserve(at: 5) == 5 })
        bucket.learn(RateLimitStatus(remaining: 0, resetSeconds: 7), httpStatus: 200, at: 5)
        #expect(bucket.reserve(at: 5) == 7005 && bucket.reopening(after: 7004) == 7005)
        #expect(bucket.reopening(after: 7005) == nil && bucket.reserve(at: 8000) == 8000)
    }

    @Test(arguments: [
        (RateLimitStatus(retrySeconds: 30), 429, 30_000), (RateLimitStatus(retrySeconds: 30), 503, 30_000),
        (RateLimitStatus(retrySeconds: 30), 200, 0), (RateLimitStatus(), 429, 1000),
        (RateLimitStatus(), 200, 0),
        (RateLimitStatus(remaining: 0, resetSeconds: 9), 429, 9000),
        (RateLimitStatus(remaining: 5, resetSeconds: 9), 429, 9000),
        (RateLimitStatus(remaining: 5, resetSeconds: 9), 200, 0),
        (RateLimitStatus(remaining: 0, resetSeconds: 0), 429, 1000),
        (RateLimitStatus(remaining: 0, resetSeconds: 9, retrySeconds: 2), 429, 2000),
        (RateLimitStatus(retrySeconds: .max), 429, Int(Int32.max) * 1000),
        (RateLimitStatus(retrySeconds: -3), 429, 0),
    ])
    func closesAsLongAsTheServiceRequires(limit: RateLimitStatus, status: Int, expected: Int) {
        var bucket = TokenBucket(nil)
        bucket.learn(limit, httpStatus: status, at: 0)
        #expect(bucket.reserve(at: 0) == expected)
    }

    @Test func keepsNoMoreTokensThanTheServiceHasLeft() {
        var bucket = TokenBucket(RateLimit(30, perSeconds: 60))
        _ = bucket.reserve(at: 0)
        bucket.learn(RateLimitStatus(remaining: 2, resetSeconds: 20), httpStatus: 200, at: 100)
        #expect((0..<4).map { _ in bucket.reserve(at: 100) } == [100, 100, 20_100, 20_100])
        // More than it has counted itself is not believed: other requests are on their way.
        bucket.learn(RateLimitStatus(remaining: 30), httpStatus: 200, at: 200)
        #expect(bucket.reserve(at: 200) == 20_100)
    }

    @Test func limitsKeepToTheirRanges() {
        #expect(RateLimit(0, perSeconds: 0) == RateLimit(1, perSeconds: 1))
        #expect(RateLimit(.max, perSeconds: .max) == RateLimit(100_000, perSeconds: 86_400))
        #expect(RateLimit(30, perSeconds: 60).description == "30 requests in 60 s")
    }
}
