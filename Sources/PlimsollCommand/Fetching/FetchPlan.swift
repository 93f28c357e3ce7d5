import AppHealth
import Diagnostics
import Providers

/// The requests that a fetch would make and what the services' limits make of them, as text: nothing is asked.
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
    let beside = requests.filter { $0.origin != provider.terms?.origin }.reduce(0) { $0 + $1.most }
    let most = min(sum, provider.terms.map { $0.mostRequests + beside } ?? sum)
    let head = "\(job.app.id) from \(job.source.id): at most \(most) \(most == 1 ? "request" : "requests")"
    return [head]
        + requests.map { request in
            let times = request.most == 1 ? "" : " ×\(request.most)"
            return "  \(request.method) \(request.address)\(times)  \(request.purpose)"
        }
}
