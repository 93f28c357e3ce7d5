/// What a build may do to the folder that it writes into.
package struct OutputPolicy: Sendable {
    /// Files and folders that stay in the site whatever is built, by their paths from its top, beside those that
    /// always stay.
    package var kept: [String]
    /// Whether files that no build made may be removed.
    package var adopts: Bool
    /// How many seconds to wait while another build writes the same site.
    package var waitSeconds: Int

    /// What hosts and repositories keep in a site.
    package static let alwaysKept = [".git", "CNAME", ".nojekyll", ".well-known"]

    /// Makes a policy.
    package init(kept: [String] = [], adopts: Bool = false, waitSeconds: Int = 0) {
        self.kept = kept
        self.adopts = adopts
        self.waitSeconds = waitSeconds
    }

    /// Whether a path in the site stays.
    func keeps(_ path: String) -> Bool {
        (Self.alwaysKept + kept).contains { path == $0 || path.hasPrefix($0 + "/") }
    }
}
