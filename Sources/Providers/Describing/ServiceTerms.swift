package import Transport

/// What a service documents about requests to it: how many, and what the credential must be allowed.
package struct ServiceTerms: Hashable, Sendable {
    /// Where the API is.
    package var origin: Origin
    /// How many requests it admits in which time; nil when it documents no number.
    package var limit: RateLimit?
    /// Where the limit is documented, or why there is no number.
    package var limitSource: String
    /// The scopes, permissions or roles that the credential needs, by the names the service gives them.
    package var permissions: [String]
    /// The most requests of one fetch, besides retries.
    package var mostRequests: Int

    /// The terms of a service; what a source does not change is as its provider describes it.
    package init(_ descriptor: ProviderDescriptor, origin: Origin, mostRequests: Int) {
        self.origin = origin
        limit = descriptor.limit
        limitSource = descriptor.limitSource
        permissions = descriptor.permissions
        self.mostRequests = mostRequests
    }
}

/// The needed permissions that are not among the granted ones, in their order. `org:write` and `org:admin` hold
/// `org:read`.
package func missingPermissions(needed: [String], granted: [String]) -> [String] {
    needed.filter { permission in
        guard permission.hasSuffix(":read") else { return !granted.contains(permission) }
        let subject = permission.dropLast("read".count)
        return !["read", "write", "admin"].contains { granted.contains("\(subject)\($0)") }
    }
}
