/// Bytes that a caller keeps under names of its own next to the responses of a `ResponseCache`, for what never changes
/// once it is there and need not be requested again.
///
/// It is a convenience like the cache: what is damaged or was pushed out is nil. No secret may be in a name or in
/// the bytes.
package struct KeptBytes: Sendable {
    private let cache: ResponseCache
    private let scope: String
    /// Does something once what a source reports is stored; at once where nothing is.
    private var whenStored: @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }

    /// The scope keeps askers apart as in `ConditionalClient`.
    package init(_ cache: ResponseCache, scope: String) {
        self.cache = cache
        self.scope = scope
    }

    /// The same, with what waits until what a source reports is stored.
    package func waiting(
        by whenStored: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> KeptBytes {
        var kept = self
        kept.whenStored = whenStored
        return kept
    }

    /// What was kept under the name in this run or an earlier one.
    package subscript(name: String) -> [UInt8]? {
        let key = CacheKey(name: name, scope: scope)
        return cache.response(for: key)?.body
    }

    /// Keeps the bytes in the place of what was there.
    package func keep(_ bytes: [UInt8], as name: String) {
        let key = CacheKey(name: name, scope: scope)
        cache.keep(StoredResponse(key: key.text, headers: [], body: bytes), for: key)
    }

    /// Keeps how far a source came, as soon as what it reports is stored: later runs go on from there, and what was not
    /// stored would never be requested again.
    package func keepStep(_ bytes: [UInt8], as name: String) {
        whenStored { [self] in keep(bytes, as: name) }
    }
}
