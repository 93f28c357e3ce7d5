import Transport

extension GoogleService {
    /// What an account needs, by name: what its tokens are for, what is enabled in its project, and its right.
    var permissions: [String] { [scope, "the \(api), enabled", role] }
}

/// What an answer of 403 says is missing, of the three that an account needs; empty for every other answer.
func googleMissingPermissions(in refusal: Response, of service: GoogleService) -> [String] {
    guard refusal.status == 403 else { return [] }
    let challenge = refusal.headers["WWW-Authenticate"] ?? ""
    switch GoogleErrorAnswer(refusal.body)?.reason {
    case "ACCESS_TOKEN_SCOPE_INSUFFICIENT": return [service.scope]
    case "SERVICE_DISABLED": return ["the \(service.api), enabled"]
    case _ where challenge.contains("insufficient_scope"): return [service.scope]
    default: return [service.role]
    }
}
