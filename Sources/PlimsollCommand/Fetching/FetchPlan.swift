import AppHealth
import Diagnostics
import Providers

/// The requests that a fetch would make, as text: nothing is asked.
func planText(_ jobs: [SourceJob]) -> (text: String, problems: [Diagnostic]) {
    var lines: [String] = []
    var problems: [Diagnostic] = []
    for job in jobs {
        switch job.provider {
        case .failure(let why): problems.append(why)
        case .success(let provider):
            let requests = provider.plan(for: job.app)
            let most = requests.reduce(0) { $0 + $1.most }
            lines.append(
                "\(job.app.id) from \(job.source.id): at most \(most) \(most == 1 ? "request" : "requests")")
            lines += requests.map { request in
                let times = request.most == 1 ? "" : " ×\(request.most)"
                return "  \(request.method) \(request.address)\(times)  \(request.purpose)"
            }
        }
    }
    return (lines.joined(separator: "\n"), problems)
}
