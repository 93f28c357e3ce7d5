import AppHealth
import Diagnostics
import Providers
import Transport

/// What the planned requests of a fetch would take of the services' limits.
struct FetchForecast {
    /// What is planned of one account at one host.
    struct Host {
        let forecast: RateForecast
        /// The host, with the first source that uses this account where several accounts query it.
        let name: String
        /// Where its limit is documented, or why none is known.
        let source: String
    }

    /// The hosts, sorted by their addresses.
    let hosts: [Host]
    /// The documented limits; where two sources name one for the same host, the stricter.
    let limits: [Origin: RateLimit]

    init(_ jobs: [SourceJob]) {
        let asked = jobs.compactMap { job in (try? job.provider.get()).map { (job, $0) } }
        var limits: [Origin: RateLimit] = [:]
        var sources: [Origin: String] = [:]
        for terms in asked.compactMap({ $0.1.terms }) {
            sources[terms.origin] = sources[terms.origin] ?? terms.limitSource
            guard let limit = terms.limit else { continue }
            if let other = limits[terms.origin], other.isStricter(than: limit) { continue }
            (limits[terms.origin], sources[terms.origin]) = (limit, terms.limitSource)
        }
        let planned = asked.flatMap { job, provider in requests(of: provider, for: job) }
        let forecasts = RateLimiter(limits).forecast(planned.map { ($0.key, $0.requests) })
        let accounts = Dictionary(grouping: forecasts, by: \.origin)
        self.limits = limits
        hosts = forecasts.map { forecast in
            var name = "\(forecast.origin)"
            if accounts[forecast.origin, default: []].count > 1,
                let first = planned.first(where: { $0.key == forecast.key })?.job
            {
                name += " with the credential of \(first.app.id) from \(first.source.id)"
            }
            return Host(
                forecast: forecast, name: name,
                source: sources[forecast.origin] ?? "no documented limit")
        }
        .sorted { $0.name < $1.name }
    }

    /// The lines for a person.
    var lines: [String] {
        hosts.map { host in
            let (forecast, count) = (host.forecast, host.forecast.requests)
            let limit = forecast.limit.map { "limit \($0)" } ?? "no documented limit"
            let wait = forecast.milliseconds > 0 ? "at least \(forecast.seconds) s" : "no wait"
            return
                "\(host.name): at most \(counted(count, "request")); \(limit) (\(host.source)); \(wait)"
        }
    }

    /// The hosts that would make the run wait, those for which it has not the time as warnings.
    ///
    /// - Parameter timeBudget: Milliseconds that all requests may take.
    func problems(timeBudget: Int) -> [Diagnostic] {
        hosts.compactMap { host in
            guard host.forecast.milliseconds > timeBudget else { return host.forecast.diagnostic }
            let forecast = host.forecast
            return .warning(
                "fetch.over-budget",
                "\(forecast.requests) requests to \(host.name) need at least \(forecast.seconds) s; this run has \(timeBudget / 1000) s",
                details: [
                    forecast.limit.map { "limit: \($0): \(host.source)" } ?? host.source,
                    "what does not fit is reported as missing",
                ],
                hints: ["request less, or raise 'timeBudget'"])
        }
    }
}

/// The most requests to each host. A source's budget holds for its service, not for its server of tokens.
private func requests(
    of provider: any Provider, for job: SourceJob
) -> [(job: SourceJob, key: RateLimitKey, requests: Int)] {
    let counts = provider.plan(for: job.app).reduce(into: [Origin: Int]()) { counts, request in
        guard let origin = request.origin else { return }
        counts[origin, default: 0] += max(0, request.most)
    }
    return counts.map { origin, count in
        let most = provider.terms.flatMap { $0.origin == origin ? $0.mostRequests : nil }
        return (job, RateLimitKey(origin, account: job.account), min(count, most ?? count))
    }
}

extension RateForecast {
    /// Whole seconds, rounded up.
    fileprivate var seconds: Int { milliseconds / 1000 + (milliseconds % 1000 > 0 ? 1 : 0) }
}

extension RateLimit {
    /// Whether it admits fewer requests over a long time.
    fileprivate func isStricter(than other: RateLimit) -> Bool {
        requests * other.milliseconds < other.requests * milliseconds
    }
}

/// The requests that a fetch would make and what the services' limits make of them, as text: nothing is sent.
///
/// - Parameter timeBudget: Milliseconds that all requests of the fetch may take.
func planText(_ jobs: [SourceJob], timeBudget: Int) -> (text: String, problems: [Diagnostic]) {
    var lines: [String] = []
    var problems: [Diagnostic] = []
    for job in jobs {
        switch job.provider {
        case .failure(let why): problems.append(why)
        case .success(let provider): lines += planLines(of: provider, for: job)
        }
    }
    let forecast = FetchForecast(jobs)
    if !forecast.hosts.isEmpty {
        lines.append("limits, and the wait before the last request:")
        lines += forecast.lines.map { "  " + $0 }
    }
    return (lines.joined(separator: "\n"), problems + forecast.problems(timeBudget: timeBudget))
}

private func planLines(of provider: any Provider, for job: SourceJob) -> [String] {
    let requests = provider.plan(for: job.app)
    let sum = requests.reduce(0) { $0 + $1.most }
    // The exchange for a token is not counted in a source's budget.
    let others = requests.filter { $0.origin != provider.terms?.origin }.reduce(0) { $0 + $1.most }
    let most = min(sum, provider.terms.map { $0.mostRequests + others } ?? sum)
    let head = "\(job.app.id) from \(job.source.id): at most \(counted(most, "request"))"
    return [head]
        + requests.map { request in
            let times = request.most == 1 ? "" : " ×\(request.most)"
            return "  \(request.method) \(request.address)\(times)  \(request.purpose)"
        }
}
