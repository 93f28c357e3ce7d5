package import Transport

/// A request that a fetch would make; `{name}` in its address stands for what an earlier answer tells.
package struct PlannedRequest: Hashable, Sendable {
    /// `GET`, or `LIST` and `READ` for files.
    package var method: String
    /// The address or the path, free of secrets.
    package var address: String
    /// What is learnt from it.
    package var purpose: String
    /// The most requests of this kind.
    package var most: Int

    /// Makes a planned request.
    package init(_ method: String, _ address: String, purpose: String, most: Int = 1) {
        self.method = method
        self.address = address
        self.purpose = purpose
        self.most = most
    }
}

extension PlannedRequest {
    /// Who would be asked; nil for files.
    package var origin: Origin? {
        // Only the host is read: the rest may hold names that are not known yet.
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[1].isEmpty else { return nil }
        let host = parts[2].prefix { $0 != "?" && $0 != "#" }
        let origin = (try? Address("\(parts[0])//\(host)/"))?.origin
        return origin?.scheme == .file ? nil : origin
    }
}
