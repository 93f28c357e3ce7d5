import Diagnostics
import Transport

/// Why the service refused or ended a query, by its own word, and what follows from it.
///
/// Source: BigQuery, error messages.
enum BigQueryReason {
    /// The service did not begin, or lost what it had: the same query may be sent again.
    private static let passing: Set = [
        "backendError", "internalError", "rateLimitExceeded", "jobBackendError", "jobInternalError",
        "jobRateLimitExceeded", "tableUnavailable",
    ]

    static func isPassing(_ reason: String) -> Bool { passing.contains(reason) }

    /// Whether the service itself is at fault, not the query.
    static func isOfService(_ reason: String) -> Bool {
        ["backendError", "internalError", "jobBackendError", "jobInternalError"].contains(reason)
    }

    /// Whether the next query of the run would be refused too.
    static func endsRound(_ reason: String) -> Bool {
        ["quotaExceeded", "billingNotEnabled"].contains(reason)
    }

    /// What to do about it; nil when nothing is known.
    static func hint(_ reason: String) -> String? {
        switch reason {
        case "accessDenied":
            "give the account the roles BigQuery Job User in 'project' and BigQuery Data Viewer on the datasets"
        case "quotaExceeded": "raise the project's quota, or wait until tomorrow"
        case "bytesBilledLimitExceeded": "raise 'maximumBytes', or request fewer days"
        case "notFound": "check 'project', the names of datasets and tables, and 'location'"
        case "invalidQuery", "invalid": "check the names of the columns and the query"
        case "responseTooLarge", "resourcesExceeded": "request fewer days or fewer issues"
        case "stopped", "timeout": "raise 'seconds', or request fewer days"
        case "billingNotEnabled": "enable billing for 'project'"
        case _ where isPassing(reason): "fetch again later"
        default: nil
        }
    }
}

extension GoogleService {
    /// The profile with the service's own word for why it refuses.
    var bigQueryProfile: ServiceProfile {
        var profile = profile
        profile.origin = .query
        let explain = profile.explain
        profile.explain = { error, response in
            var explanation = explain(error, response)
            guard let reason = GoogleErrorAnswer(response.body)?.firstReason else { return explanation }
            explanation.reason = reason
            if let hint = BigQueryReason.hint(reason) { explanation.hints = [hint] }
            return explanation
        }
        profile.ownRefusals = OwnRefusals("bigquery") { response in
            let reason = GoogleErrorAnswer(response.body)?.firstReason
            return reason.map { !BigQueryReason.isOfService($0) } ?? false
        }
        profile.budgetHint = "request fewer queries"
        return profile
    }
}

extension ServiceFault {
    /// The service's own word for why it refuses.
    var reason: String? {
        if case .refused(_, let explanation) = kind { explanation.reason } else { nil }
    }

    /// Whether the account may not read what was requested, or it is not there.
    var deniesAccess: Bool { status == 403 && reason == "accessDenied" }

    /// Whether the same may be sent again: the service says so, it was not reached, or what is before it failed.
    var mayBigQueryRepeat: Bool {
        switch kind {
        case .transport(let error): error.kind == .refused
        case .refused(let error, let explanation):
            explanation.reason.map(BigQueryReason.isPassing) ?? [502, 503, 504].contains(error.status)
        default: false
        }
    }

    /// Whether results may be requested again: that changes nothing.
    var mayRequestAgain: Bool {
        if case .transport(let error) = kind {
            return [.refused, .reset, .truncated, .timeout].contains(error.kind)
        }
        return ["backendError", "internalError", "rateLimitExceeded"].contains(reason)
            || (reason == nil && mayBigQueryRepeat)
    }
}

extension BigQueryProblem {
    /// What the service says, cut.
    var words: String {
        let texts = [reason?.value?.nonEmpty, message?.value?.nonEmpty]
        return printable(String(texts.compactMap(\.self).joined(separator: ": ").prefix(400)))
    }

    /// The end of a query.
    var diagnostic: Diagnostic {
        let hint = reason?.value.flatMap { BigQueryReason.hint($0.text) }
        return .error(
            "bigquery.failed", "bigquery: The query failed", quotes: [words],
            hints: [hint ?? "fetch again later"])
    }
}
